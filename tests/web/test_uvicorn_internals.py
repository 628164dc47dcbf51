"""What web/http_server.py uses of uvicorn beyond its public interface, and that its versions are bounded."""

import asyncio
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import uvicorn
from uvicorn.server import ServerState

from tests.cases import case
from wateringhole.web.http_server import BoundedWebSocketProtocol, TimedHttpProtocol

OF_HTTP = {
    "conn": "the h11 connection, which is replaced by one with limits",
    "cycle": "the request that is answered",
    "loop": "for time limits",
    "transport": "to abort a slow client",
    "data_received": "overridden",
    "send_400_response": "overridden",
    "pause_writing": "overridden",
    "resume_writing": "overridden",
}
OF_WEBSOCKETS = {
    "queue": "messages that the application has not read",
    "handshake_initiated": "whether the request was one for a WebSocket",
    "read_paused": "whether uvicorn itself has stopped reading",
    "send_receive_event_to_app": "overridden",
    "loop": "for time limits",
    "transport": "to abort a slow client",
}


def test_uvicorn_has_the_internals_that_our_protocols_use() -> None:
    async def look() -> None:
        config = uvicorn.Config(lambda: None, http="h11", ws="websockets-sansio")
        config.load()
        state = ServerState()
        for protocol, names in (
            (TimedHttpProtocol(config, state), OF_HTTP),
            (BoundedWebSocketProtocol(config, state, {}), OF_WEBSOCKETS),
        ):
            for name, use in names.items():
                with case(type(protocol).__name__, name):
                    assert hasattr(protocol, name), f"uvicorn {version('uvicorn')} has no {name}: {use}"

    asyncio.run(look())


def test_its_versions_have_an_upper_bound_and_ours_is_below_it() -> None:
    pyproject = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    [needed] = [line for line in pyproject["project"]["dependencies"] if line.startswith("uvicorn")]
    bound = re.search(r"<(\d+)\.(\d+)", needed)
    assert bound is not None, "internals may change with any version"
    major, minor = map(int, version("uvicorn").split(".")[:2])
    assert (major, minor) < (int(bound[1]), int(bound[2]))
