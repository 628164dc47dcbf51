"""File modes of a store: only the owner may read or write.

Laws: an existing file or folder keeps its mode, so that an operator can widen it for good.
"""

import contextlib
import os
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700


def private(path: str, flags: int) -> int:
    """For `open(..., opener=private)`: a new file gets a mode for its owner alone."""
    return os.open(path, flags, FILE_MODE)


def make_folder(path: Path) -> None:
    """Make this folder and the missing ones above it, each for its owner alone."""
    with contextlib.suppress(FileNotFoundError):
        path.mkdir(FOLDER_MODE, exist_ok=True)
        return
    make_folder(path.parent)
    path.mkdir(FOLDER_MODE, exist_ok=True)


def make_file(path: Path) -> None:
    """Make this file, empty, if it is missing."""
    if not path.exists():
        os.close(private(str(path), os.O_WRONLY | os.O_CREAT))
