"""Writes what this version writes to the folder of this version, once."""

import sys

from tests.compatibility import DIGESTS, HERE, write_version
from wateringhole import __version__

folder = HERE / __version__
if (folder / DIGESTS).exists():
    sys.exit(f"{folder} is there; what a version has written stays")
write_version(folder)
