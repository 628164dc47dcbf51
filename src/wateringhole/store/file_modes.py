"""File modes of a store: only the owner may read or write.

Laws: what is there already keeps the rights that it has, so that an operator can widen them for good.
"""

import contextlib
import os
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700


def private(path: str, flags: int) -> int:
    """For `open(..., opener=private)`: a file that it makes is its owner's alone."""
    return os.open(path, flags, FILE_MODE)


def make_folder(path: Path) -> None:
    """See to it that this folder is there; of those above it, too, the new ones are their owner's alone."""
    with contextlib.suppress(FileNotFoundError):
        path.mkdir(FOLDER_MODE, exist_ok=True)
        return
    make_folder(path.parent)
    path.mkdir(FOLDER_MODE, exist_ok=True)


def make_file(path: Path) -> None:
    """See to it that this file is there, be it empty."""
    if not path.exists():
        os.close(private(str(path), os.O_WRONLY | os.O_CREAT))
