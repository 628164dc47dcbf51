"""Static files of the page, loaded once and served with an ETag."""

import hashlib
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

TYPES: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}


class StaticFile(Struct, frozen=True):
    data: bytes
    kind: str
    tag: str


def static_file(data: bytes, kind: str) -> StaticFile:
    """A file of this media type, with the tag of what is in it."""
    return StaticFile(data, kind, f'"{hashlib.sha256(data).hexdigest()[:24]}"')


def static_files() -> Mapping[str, StaticFile]:
    """All that may be served, by path below the folder static."""
    found = _below(resources.files("wateringhole.web").joinpath("static"), "")
    kinds = ((path, file, TYPES.get(path.rpartition(".")[2])) for path, file in found)
    return {path: static_file(file.read_bytes(), kind) for path, file, kind in kinds if kind is not None}


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for found in folder.iterdir():
        if found.is_dir():
            yield from _below(found, f"{path}{found.name}/")
        else:
            yield f"{path}{found.name}", found


def served(file: StaticFile, request: Request, status: int = 200) -> Response:
    """The file, or that it has not changed since the browser asked last; a page of nothing tells so itself."""
    headers = {"etag": file.tag, "cache-control": "no-cache"}
    if status == 200 and request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.data, status, media_type=file.kind, headers=headers)
