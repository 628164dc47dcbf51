"""Static files over HTTP: compressed, kept for good under lasting names, asked about under plain ones."""

import gzip
import hashlib
import json
import re

from tests.cases import case
from tests.web.server import PERSON, Server, bot
from wateringhole.web.compression import MIN_COMPRESSED_BYTES
from wateringhole.web.static_files import lasting_name, static_files

PLAIN = "/static/table/table.js"
TABLE = static_files()["table/table.js"]
LASTING = f"/static/{lasting_name('table/table.js', TABLE)}"
ZIPPED = {"Accept-Encoding": "gzip, deflate, br"}
PAGES = ("/", "/games", "/ladder", "/tournaments", "/rules", "/favicon.ico")


def test_a_lasting_name_has_the_hash_of_the_content() -> None:
    assert hashlib.sha256(TABLE.data).hexdigest()[:24] in LASTING
    assert LASTING.startswith("/static/table/table.")


def test_a_file_is_kept_for_good_under_its_lasting_name_and_asked_about_under_its_path(server: Server) -> None:
    for path, caching in ((LASTING, "public, max-age=31536000, immutable"), (PLAIN, "no-cache")):
        with case(path):
            status, body, headers = server.get(path)
            assert (status, body, headers["cache-control"]) == (200, TABLE.data, caching)
            assert headers["content-type"].startswith("text/javascript")


def test_a_name_with_another_hash_is_no_file(server: Server) -> None:
    for path in (LASTING.replace(TABLE.digest, "0" * 24), LASTING.replace(".js", ".css"), f"{LASTING}/x"):
        with case(path):
            assert server.get(path)[0] == 404


def test_a_client_gets_gzip_if_it_takes_gzip(server: Server) -> None:
    rows = {
        "gzip": True,
        "GZIP": True,
        "br, gzip;q=0.5": True,
        "deflate,gzip": True,
        "*": True,
        "": False,
        "identity": False,
        "br": False,
        "gzip;q=0": False,
        "gzip; q=0.0, br": False,
        "xgzip": False,
    }
    for accepted, zipped in rows.items():
        for path in (PLAIN, LASTING, "/api/ladder"):
            with case(accepted, path):
                _, body, headers = server.get(path, {"Accept-Encoding": accepted})
                assert headers["vary"] == "accept-encoding"
                if path != "/api/ladder":  # which is too small
                    assert (headers.get("content-encoding") == "gzip") == zipped
                    assert (gzip.decompress(body) if zipped else body) == TABLE.data


def test_pages_are_compressed_and_not_sent_again_unless_they_changed(server: Server) -> None:
    table, _ = server.table([PERSON, bot(), bot()])
    for path in (*PAGES[:-1], f"/table/{table}"):
        with case(path):
            _, plain, before = server.get(path)
            status, zipped, headers = server.get(path, ZIPPED)
            assert (status, headers["cache-control"], headers["content-encoding"]) == (200, "no-cache", "gzip")
            assert len(zipped) < len(plain) / 1.5
            assert gzip.decompress(zipped) == plain
            assert headers["etag"] != before["etag"]
            for known in (headers["etag"], f"W/{headers['etag']}", f'"x", {headers["etag"]}'):
                status, body, again = server.get(path, {**ZIPPED, "If-None-Match": known})
                assert (status, body, again["etag"]) == (304, b"", headers["etag"])
            assert server.get(path, {"If-None-Match": headers["etag"]})[0] == 200, "another coding"


def test_large_answers_of_the_api_are_compressed_and_small_ones_are_not(server: Server) -> None:
    table, key = server.table([PERSON, bot(), bot()], title="compressed")
    with server.tab(table, name="Ann", key=key) as tab:
        game = tab.play()["game"]
    for path in (f"/api/games/{game}", f"/api/games/{game}/record", f"/api/games/{game}/page"):
        with case(path):
            _, plain, _ = server.get(path)
            _, zipped, headers = server.get(path, ZIPPED)
            assert len(plain) > MIN_COMPRESSED_BYTES
            assert headers["content-encoding"] == "gzip"
            assert headers["cache-control"] == "no-store"
            assert gzip.decompress(zipped) == plain
    _, small, headers = server.get("/api/tournaments", ZIPPED)
    assert "content-encoding" not in headers
    assert json.loads(small) == {"tournaments": []}


def test_the_key_of_a_new_table_is_never_compressed(server: Server) -> None:
    own = {"Origin": server.base, "X-Wateringhole": "1", "Content-Type": "application/json", **ZIPPED}
    status, made = server.post("/api/tables", {"places": [PERSON, bot(), bot()], "title": "x" * 60}, own)
    assert status == 201
    assert set(made) == {"table", "key"}


def test_the_manifest_names_icons_that_exist(server: Server) -> None:
    [address] = re.findall(r'<link rel="manifest" href="(.+?)">', server.get("/")[1].decode())
    status, body, headers = server.get(address)
    assert (status, headers["content-type"]) == (200, "application/manifest+json")
    manifest = json.loads(body)
    assert server.get(manifest["start_url"])[0] == 200
    for icon in manifest["icons"]:
        with case(icon["src"]):
            status, data, headers = server.get(icon["src"])
            assert (status, headers["content-type"]) == (200, icon["type"])
            if icon["type"] == "image/png":
                width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
                assert icon["sizes"] == f"{width}x{height}"
