"""Decompression that stops at a limit: a few kilobytes may swell to gigabytes."""

import zlib


def inflated(data: bytes, limit: int) -> bytes:
    """What was compressed by zlib; ValueError when it is damaged, or more than so many bytes."""
    inflating = zlib.decompressobj()
    try:
        found = inflating.decompress(data, limit + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(found) > limit:
        raise ValueError(f"it is compressed and swells to more than {limit // 1024**2} MB")
    if not inflating.eof:
        raise ValueError("it is compressed and ends too soon")
    return found
