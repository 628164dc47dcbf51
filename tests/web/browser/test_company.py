"""People, bots and a program at one table, and those who look on."""

import json
import re
import subprocess
import sys

from playwright.sync_api import Page, WebSocket, expect

from tests.cli import surroundings
from tests.web.browser.playing import Player
from tests.web.browser.visitors import Visitors
from tests.web.server import PATIENCE, PERSON, Server, bot
from wateringhole.moves import CardPlay
from wateringhole.record import Record, parsed, replay
from wateringhole.traits import Trait
from wateringhole.web.page_messages import EventsTold, encoded
from wateringhole.wire.framing import Json


def test_two_people_two_bots_and_a_program_play_at_a_table_made_in_the_lobby(
    server: Server, visitors: Visitors
) -> None:
    ann = visitors.arrive("")
    ann.goto("/")
    ann.locator("#name").fill("Ann")
    ann.locator("#table-title").fill("Five of a kind")
    ann.locator("#table-seats").select_option("5")
    for seat, kind in enumerate(["person", "person", "client", "bot:silly", "bot:rash"], 1):
        ann.locator(f'[data-new-seat="{seat}"]').select_option(kind)
    ann.locator("#create").click()
    expect(ann.locator("#title")).to_have_text("Five of a kind")
    expect(ann.locator("#status")).to_have_text(re.compile("^Waiting for"))
    assert "#" not in ann.url, "the host's key is still in the address"
    invitation = ann.locator("#invite").input_value()

    ben = visitors.arrive("")
    ben.goto(invitation)
    ben.locator("#name").fill("Ben")
    ben.locator("#join").click()
    expect(ann.locator("#waiting")).to_contain_text("Ben")
    address = f"tcp:127.0.0.1:{server.programs}"
    words = [sys.executable, "-m", "wateringhole", "connect", "silly", address, "--dialect", "s16", "--name", "Robo"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(words, env=surroundings(), **quiet) as program:  # type: ignore[call-overload]
        for page in play_together(Player(ann, plans=0), Player(ben, plans=0)):
            rows = page.locator("#end .end-ranking tbody tr")
            expect(rows).to_have_count(5)
            for name in ("Ann", "Ben", "Robo", "silly 4", "rash 5"):
                expect(rows.filter(has_text=name)).to_have_count(1)
            expect(page.locator("#end .end-fault")).to_have_count(0)
        assert program.wait(PATIENCE) == 0


def play_together(*players: Player) -> list[Page]:
    """Each answers when it is asked, to the end of the game; their pages."""
    playing = list(players)
    while playing:
        for player in list(playing):
            phase = player.asked_now()
            if phase == "over":
                playing.remove(player)
            elif phase is not None:
                player.answer(phase)
            else:
                player.page.wait_for_timeout(20)  # looking without a pause would keep both processors busy
    return [player.page for player in players]


def test_who_looks_on_sees_no_hidden_card(server: Server, visitors: Visitors) -> None:
    # Slow enough for the page that looks on to be told of most steps by themselves.
    table, key = server.table([PERSON, bot(), bot("rash"), bot("rash")], pace=0.12)
    page = visitors.arrive()
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    page.on("websocket", listen)
    page.goto(f"/table/{table}?watch")
    expect(page.locator("#waiting")).to_be_visible()
    with server.tab(table, name="Ann", key=key) as tab:
        token = str(tab.hear("welcome")["token"])
        while (message := tab.hear())["type"] != "end":
            if message["type"] in {"choose", "feed"}:
                _caught_up(page, server, table)
                assert page.locator("[data-card], wh-card, #own:not([hidden]), #dock:not([hidden])").count() == 0
                tab.say("hint", id=message["id"])
            elif message["type"] == "hint":
                tab.say("answer", id=message["id"], answer=message["answer"])
    expect(page.locator("#end .end-ranking tbody tr")).to_have_count(4)
    expect(page.locator('#story li[data-kind="GameOver"]')).to_have_count(1)
    record = parsed(server.get(f"/api/games/{message['game']}/record")[1])
    told = [json.loads(frame) for frame in frames]
    assert {value["type"] for value in told} == {"room", "snapshot", "events", "asked", "end"}
    tables = [value for value in told if "events" in value]
    assert [value["type"] for value in tables] == ["snapshot", *["events"] * (len(tables) - 1)]
    events = [event for value in tables for event in value["events"]]
    assert events == _all_events(record)
    assert not [frame for frame in frames if token in frame or key in frame]
    for value in told:
        if value["type"] != "end":
            assert keys(value).isdisjoint({"hand", "bag", "token", "key", "answer"})
    assert tables[0]["me"] is None
    # And the search finds cards where there are some. A replacement has a slot beside a trait, which is no card.
    open_parts = [{name: part for name, part in event.items() if name != "replaced"} for event in events]
    assert cards_in(json.dumps(open_parts)) == public(record)


def _all_events(record: Record) -> list[Json]:
    """The events of this game, as they are told."""
    told = replay(record, listen=True).told
    assert told is not None
    events: list[Json] = json.loads(encoded(EventsTold(tuple(told))))["events"]
    return events


def _caught_up(page: Page, server: Server, table: str) -> None:
    """The page that looks on shows the turn and the watering hole of the table as it is now."""
    with server.tab(table, watch=True) as eye:
        now = eye.hear("snapshot")
    expect(page.locator("#facts")).to_contain_text(f"Turn {now['turn']},")
    expect(page.locator("#hole strong")).to_have_text(re.compile(rf"^{now['watering_hole']} tokens?$"))


def keys(value: object) -> set[str]:
    """All names of fields in a value, at any depth."""
    if isinstance(value, dict):
        return set(value) | {name for inner in value.values() for name in keys(inner)}
    return {name for inner in value for name in keys(inner)} if isinstance(value, list) else set()


def cards_in(text: str) -> set[tuple[int, str]]:
    """Every card that is named in a text: a number beside a trait, in whatever form."""
    traits = "|".join(sorted((str(trait) for trait in Trait), key=len, reverse=True))
    found = re.findall(rf'([+-]?\d+)[ (\\",]{{1,4}}({traits})\b', text)
    back = re.findall(rf'({traits})[)\\", ]{{1,4}}([+-]?\d+)\b', text)
    return {(int(food), trait) for food, trait in found} | {(int(food), trait) for trait, food in back}


def public(record: Record) -> set[tuple[int, str]]:
    """The cards that all have seen in the end: those that went to the watering hole."""
    seen = set()
    for step, (seat, reply) in enumerate(record.replies):
        if isinstance(reply, CardPlay):
            card = replay(record, steps=step).players[seat].hand[reply.food]
            seen.add((card.food, str(card.trait)))
    return seen
