"""The address of this machine in the local network, and QR codes of links."""

import io
import socket
from typing import Final

import segno

PORT: Final = 8420


def lan_address() -> str:
    """The address that others in the network see, as far as this machine knows; its name when it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way that would go
            address: str = probe.getsockname()[0]
        except OSError:
            return socket.gethostname()
    return address


def qr_picture(link: str) -> bytes:
    """The link as a QR code, an SVG picture that is dark on white in every look of the page."""
    drawn = io.BytesIO()
    segno.make(link, error="m").save(drawn, kind="svg", scale=4, border=3, dark="#000", light="#fff", xmldecl=False)
    return drawn.getvalue()


def qr_code(link: str) -> str:
    """The link as a QR code of block letters, for a terminal."""
    drawn = io.StringIO()
    segno.make(link, error="m").terminal(drawn, compact=True)
    return drawn.getvalue()
