"""Static files of the page: loaded once, compressed when they are first asked for, served with an ETag.

Laws: a file is served by its path, which the browser asks about each time, and by its lasting name, which has the hash
of its content in it and is kept by the browser for good.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from wateringhole.web.compression import compressed, takes_gzip

TYPES: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
CACHE_REVALIDATE: Final = "no-cache"
CACHE_IMMUTABLE: Final = "public, max-age=31536000, immutable"
CACHE_BRIEFLY: Final = "private, max-age=300"


class StaticFile:
    """A file of a media type, with the hash of its content."""

    def __init__(self, data: bytes, kind: str) -> None:
        self.data: Final = data
        self.kind: Final = kind
        self.digest: Final = hashlib.sha256(data).hexdigest()[:24]

    @cached_property
    def packed(self) -> bytes | None:
        """The content by gzip where that is shorter; of a page, most languages and most modules are never asked for."""
        return compressed(self.data)


def static_files() -> Mapping[str, StaticFile]:
    """All files of the folder static, by path."""
    found = _below(resources.files("wateringhole.web").joinpath("static"), "")
    kinds = ((path, file, TYPES.get(path.rpartition(".")[2])) for path, file in found)
    return {path: StaticFile(file.read_bytes(), kind) for path, file, kind in kinds if kind is not None}


def lasting_name(path: str, file: StaticFile) -> str:
    """The name of this file, such as table/table.3f9c.js, that never stands for another content."""
    stem, _, ending = path.rpartition(".")
    return f"{stem}.{file.digest}.{ending}"


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for found in folder.iterdir():
        if found.is_dir():
            yield from _below(found, f"{path}{found.name}/")
        else:
            yield f"{path}{found.name}", found


def served(file: StaticFile, request: Request, status: int = 200, caching: str = CACHE_REVALIDATE) -> Response:
    """The file, or that it has not changed since the browser asked last; an error page is always sent whole."""
    packed = file.packed if takes_gzip(request) else None
    tag = f'"{file.digest}"' if packed is None else f'"{file.digest}-gzip"'
    headers = {"etag": tag, "cache-control": caching, "vary": "accept-encoding"}
    if status == 200 and tag in _known_tags(request):
        return Response(status_code=304, headers=headers)
    if packed is not None:
        headers["content-encoding"] = "gzip"
    return Response(file.data if packed is None else packed, status, headers, file.kind)


def _known_tags(request: Request) -> list[str]:
    """The tags that a browser has; a proxy on the way may have marked them as weak."""
    return [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
