"""The report of a tournament: all that its games tell, in one file that is safe to open whatever entries are called."""

import contextlib
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from tests.cases import case
from tests.cli import command, complained, well
from tests.tournament import paper
from tests.web.browser.program import running_chromium
from wateringhole.dealer import answer, new_game
from wateringhole.external.spec import spec
from wateringhole.moves import CardPlay
from wateringhole.record import Record, RecordError
from wateringhole.tournament import config
from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.contest import TournamentProgress, plan, progress_of
from wateringhole.tournament.interval import estimate, mean
from wateringhole.tournament.outcomes import GameOutcome, SeatOutcome
from wateringhole.tournament.ratings import cross_table
from wateringhole.tournament.record_stats import RecordStats, study, wanted
from wateringhole.tournament.report.build import html
from wateringhole.tournament.report.data import findings
from wateringhole.tournament.run_journal import read as played
from wateringhole.tournament.runfile import GAMES, RunFile, framed, packed
from wateringhole.tournament.runfile import TITLE as BEGINNING
from wateringhole.tournament.standings import MAX_SHOWN, as_markdown, meetings, standings
from wateringhole.traits import Trait

TITLE = "Cup </title><script>alert(1)</script>\x1b[31m & more"
NAMES = {
    "<script>alert('name')</script>": "greedy",
    'name 0 | $x^2$ "*_`[a](b)</td>': "hunter",
    "שלום \N{GRINNING FACE} مرحبا": "silly",
    "W" * 64: "bad:raises-in-choose",
    "& lt; https://example.org": "py:bot.py:Bot",
}
AUTHOR = "<img src=x onerror=alert(2)>"
BOT = """
class Bot:
    def choose(self, request):
        raise ValueError("</td><script>alert(3)</script>")

    feed = choose
"""
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "nav", "section", "div", "span"),
    *("h1", "h2", "h3", "p", "dl", "dt", "dd", "a", "br", "bdi", "small", "sup", "code", "i", "figure", "figcaption"),
    *("table", "thead", "tbody", "tr", "th", "td", "details", "summary"),
    *("ol", "li", "svg", "line", "circle", "path", "text", "rect"),
}


class Cup(NamedTuple):
    """A tournament that was played: where, and what came of it."""

    file: Path
    config: TournamentConfig
    progress: TournamentProgress

    @property
    def games(self) -> RunFile:
        return RunFile(self.file.with_suffix(".results") / GAMES)

    def study(self) -> RecordStats:
        return study(self.progress.outcomes, len(self.config.entries), self.progress.outcomes, self.games.record)


class Page(HTMLParser):
    """What a browser would make of a page: elements, attributes, text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        self.attributes += [(key, value or "") for key, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(data.split()))

    def links(self) -> list[str]:
        return [value for key, value in self.attributes if key == "href" and not value.startswith("#")]


def no_record(number: int) -> Record:
    raise RecordError(f"there is no game {number}")


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def cup(folder: Path) -> Cup:
    """Five entries with names that no page should trust, two of which break; 60 games."""
    (folder / "bot.py").write_text(BOT)
    text = f'title = {quoted(TITLE)}\nseed = "7"\ntable = 3\ndeals = 2\nin-process = true\n'
    for name, agent in NAMES.items():
        text += f"[[entries]]\nname = {quoted(name)}\nagent = {quoted(agent)}\nauthor = {quoted(AUTHOR)}\n"
    file = folder / "cup.toml"
    file.write_text(text)
    well(command("tournament", "run", str(file), "--jobs", "1"))
    found = config.read(file)
    book = played(plan(found), file.with_suffix(".results"))
    return Cup(file, found, progress_of(found, book.outcomes))


@pytest.fixture(scope="module")
def the_cup(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    return cup(tmp_path_factory.mktemp("cup"))


@pytest.fixture(scope="module")
def page(the_cup: Cup) -> str:
    into = the_cup.file.with_suffix(".html")
    well(command("tournament", "report", str(the_cup.file), "--html", str(into)))
    return into.read_text()


def without_times(text: str) -> str:
    """The page without what depends on the machine."""
    cut, count = re.subn(r'<section id="times">.*?</section>', "", text, flags=re.DOTALL)
    assert count == 1
    return cut


def test_the_page_tells_everything_that_there_is_to_tell(page: str) -> None:
    text = " ".join(Page(page).texts)
    for words in (
        *("Standings", "Who is ahead of whom", "Scores", "Traits", "Which traits win", "Who plays which"),
        *("What a seat is worth", "What scores differ by", "Expulsions", "Reply times", "How to read it"),
        *("round-robin", "60", "over", "From the records of all 60 games", "chance alone wins 33.3 %"),
    ):
        assert words in text
    assert [trait for trait in Trait if trait.value not in text] == []
    assert page.count('<div class="chart"') == 3


def test_no_name_becomes_anything_but_text(page: str) -> None:
    found = Page(page)
    assert set(found.elements) <= ELEMENTS
    assert [key for key, _ in found.attributes if key.startswith("on")] == []
    text = "\n".join(found.texts)
    for name in NAMES:
        assert name in found.texts, "whole, as one text"
    assert AUTHOR in found.texts
    assert "Cup </title><script>alert(1)</script>?[31m & more" in found.texts
    assert "it raised in choose: ValueError: </td><script>alert(3)</script>" in text
    assert "\x1b" not in page


def test_nothing_in_it_leads_outside_and_its_command_shows_an_expulsion(the_cup: Cup, tmp_path: Path) -> None:
    folder = tmp_path / "a #? %41 folder"
    folder.mkdir()
    into = folder / "page.html"
    well(command("tournament", "report", str(the_cup.file), "--html", str(into)))
    found = Page(into.read_text())
    assert found.links() == []
    expelled = [ended.number for ended in the_cup.progress.outcomes for place in ended.places if place.expelled]
    [shown] = [text for text in found.texts if text.startswith("wateringhole replay")]
    words = shlex.split(shown)[1:]
    assert words[-1] == str(expelled[0])
    with contextlib.chdir(folder):
        assert "is expelled" in well(command(*words))
    assert {str(number) for number in expelled} <= set(found.texts)
    assert [key for key, _ in found.attributes if key in {"src", "srcset", "xlink:href", "action"}] == []
    assert not re.search(r"url\((?!#)|@import", into.read_text())


def test_ids_are_there_once_and_all_that_is_pointed_to_is_there(page: str) -> None:
    found = Page(page)
    ids = Counter(value for key, value in found.attributes if key == "id")
    assert [name for name, count in ids.items() if count > 1] == []
    used = {value[1:] for key, value in found.attributes if key == "href" and value.startswith("#")}
    used |= set(re.findall(r"url\(#([^)]*)\)", page))
    assert used <= set(ids)


def test_the_same_games_give_the_same_bytes(the_cup: Cup, page: str, tmp_path: Path) -> None:
    again = html(findings(the_cup.config, the_cup.progress, the_cup.study(), f"cup.results/{GAMES}"))
    assert again == page
    another = cup(tmp_path)
    played_again = html(findings(another.config, another.progress, another.study(), f"cup.results/{GAMES}"))
    assert without_times(played_again) == without_times(page)


def test_records_that_are_gone_or_damaged_are_named_and_stop_nothing(the_cup: Cup, tmp_path: Path) -> None:
    outcomes, games = the_cup.progress.outcomes, the_cup.games
    frames = [framed([(ended, packed(ended, games.record(ended.number)))]) for ended in outcomes]
    frames[1] = frames[1][:-1] + bytes([frames[1][-1] ^ 1])
    frames[2] = framed([(outcomes[2], packed(outcomes[2], games.record(3)))])
    frames[4] = framed([(outcomes[4], b"")])
    (tmp_path / GAMES).write_bytes(BEGINNING + b"".join(frames[1:]))
    damaged = RunFile(tmp_path / GAMES)
    assert f"damaged from byte {len(BEGINNING)} to {len(BEGINNING) + len(frames[1])}" in damaged.damage
    found = study(outcomes, len(NAMES), outcomes, damaged.record)
    assert {lost.game for lost in found.lost} == {0, 1, 2, 4}
    assert (found.games, found.read) == (60, 56)
    text = " ".join(Page(html(findings(the_cup.config, the_cup.progress, found, GAMES))).texts)
    assert "From the records of 56 of the 60 games." in text
    assert "4 records are left out: game 0: there is no game 0; the file has 58, from 2 to 59; game 1: there" in text
    assert "; game 2: it tells of another game; game 4: game 4 cannot be read: " in text
    told = [one for one in found.expulsions if one.sentence is None]
    assert {one.game for one in told} <= {0, 1, 2, 4}
    assert len(found.expulsions) == found.expelled == sum(bool(p.expelled) for ended in outcomes for p in ended.places)


def test_with_no_record_at_all_the_rest_is_told(the_cup: Cup, tmp_path: Path) -> None:
    outcomes = the_cup.progress.outcomes
    (tmp_path / GAMES).write_bytes(BEGINNING)
    found = study(outcomes, len(NAMES), outcomes, RunFile(tmp_path / GAMES).record)
    assert (found.read, len(found.lost)) == (0, 60)
    text = " ".join(Page(html(findings(the_cup.config, the_cup.progress, found, GAMES))).texts)
    assert "No record could be read" in text
    assert "and 40 more" in text


def test_what_was_played_is_what_the_card_plays_say(the_cup: Cup) -> None:
    """Counted another way: by the cards in the hands of those who played them."""
    cards: Counter[tuple[int, Trait]] = Counter()
    counts: Counter[int] = Counter()
    games = the_cup.games
    for ended in the_cup.progress.outcomes:
        for seat, trait in _played_traits(games.record(ended.number)):
            cards[ended.places[seat - 1].agent, trait] += 1
        counts.update(place.agent for place in ended.places)
    found = the_cup.study()
    assert [row and [round(value * counts[entry]) for value in row] for entry, row in enumerate(found.likings)] == [
        [cards[entry, trait] for trait in Trait] for entry in range(len(NAMES))
    ]
    seats = sum(counts.values())
    assert [round(row.cards * seats) for row in found.traits] == [
        sum(cards[entry, trait] for entry in range(len(NAMES))) for trait in Trait
    ]


def _played_traits(record: Record) -> Iterator[tuple[int, Trait]]:
    game = new_game(record.names, record.deck, record.watering_hole)
    for seat, reply in record.replies:
        if isinstance(reply, CardPlay):
            hand = game.players[seat].hand
            used = [card for new in reply.boards for card in new.traits] + [swap.card for swap in reply.traits]
            yield from ((seat, hand[card].trait) for card in used)
        answer(game, seat, reply)


def test_who_wins_with_a_trait_is_weighed_against_everybody(the_cup: Cup) -> None:
    found = the_cup.study()
    places = [place for ended in the_cup.progress.outcomes for place in ended.places]
    winners = sum(place.won for place in places)
    for row in found.traits:
        with_it = row.winners * winners + row.others * (len(places) - winners)
        assert with_it == pytest.approx(row.seats)
        if row.seats:
            assert row.above.value == pytest.approx(row.winners * winners / row.seats - 1 / 3)
    usual = {entry: fmean(place.won for place in places if place.agent == entry) for entry in range(len(NAMES))}
    more: dict[Trait, list[float]] = {trait: [] for trait in Trait}
    games = the_cup.games
    for ended in the_cup.progress.outcomes:
        for seat, trait in set(_played_traits(games.record(ended.number))):
            place = ended.places[seat - 1]
            more[trait].append(place.won - usual[place.agent])
    assert [row.own.value for row in found.traits] == pytest.approx([fmean(of) if of else 0 for of in more.values()])


def test_of_very_many_games_a_part_is_read_from_all_tables_and_seats() -> None:
    of = paper.config("round-robin", 6, 4, deals=50)
    outcomes = [ended for part in paper.played(of, paper.by_number(6)) for ended in part]
    assert wanted(outcomes, "7", 10_000) == outcomes
    chosen = wanted(outcomes, "7", 300)
    assert chosen == wanted(outcomes, "7", 300) != wanted(outcomes, "8", 300)
    assert [ended.number for ended in chosen] == sorted({ended.number for ended in chosen})
    assert len(chosen) == 300
    assert len({frozenset(place.agent for place in ended.places) for ended in chosen}) == 15
    assert {ended.places[0].agent for ended in chosen} == set(range(6))


def test_the_page_says_when_only_a_part_was_read(the_cup: Cup) -> None:
    outcomes = the_cup.progress.outcomes
    found = study(outcomes, len(NAMES), wanted(outcomes, "7", 20), the_cup.games.record)
    text = " ".join(Page(html(findings(the_cup.config, the_cup.progress, found, GAMES))).texts)
    assert "From the records of 20 of the 60 games; 20 were drawn by lot." in text
    assert all(one.sentence for one in found.expulsions), "all of these are read"


def test_entries_that_may_play_otherwise_another_time_are_marked() -> None:
    of = paper.config("round-robin", 4, 3)
    agents = ("silly", "sage?ms=50", "sage?iterations=5", "tcp:localhost:45678")
    entries = tuple(config.Entry(f"e{number}", agent) for number, agent in enumerate(agents))
    of = replace(of, entries=entries, specs=tuple(map(spec, agents)))
    outcomes = paper.played(of, paper.by_number(4))
    found = study(outcomes[0], 4, [], no_record)
    text = html(findings(of, TournamentProgress(tuple(map(tuple, outcomes)), 12, True), found, GAMES))
    assert re.findall(r"<bdi>(e\d)</bdi><sup>†</sup>", text) == ["e1", "e3"]
    assert text.lower().count("not reproducible") == 1, "one footnote"
    assert re.search(r"<sup>†</sup> Not reproducible: an entry that ", text)


def test_a_tournament_that_has_only_begun_says_how_far_it_is(the_cup: Cup) -> None:
    for games in (0, 1, 7):
        outcomes = {ended.number: ended for ended in the_cup.progress.outcomes[:games]}
        begun = progress_of(the_cup.config, outcomes)
        found = study(begun.outcomes, len(NAMES), begun.outcomes, the_cup.games.record)
        text = Page(html(findings(the_cup.config, begun, found, GAMES))).texts
        assert f"{games} of 60 games" in text


def test_the_cross_table_is_that_of_the_ratings_with_intervals(the_cup: Cup) -> None:
    names = [line.name for line in standings(the_cup.config, the_cup.progress).standings]
    outcomes = the_cup.progress.outcomes
    pairs = cross_table(outcomes, len(NAMES))
    at = [the_cup.config.names.index(name) for name in names]
    cross = meetings(the_cup.config, outcomes, names)
    assert cross == [[pairs[one][other] for other in at] for one in at]
    assert [cross[at][at].share for at in range(5)] == [None] * 5


def test_an_interval_between_two_is_taken_over_deals_and_is_never_nothing() -> None:
    of = paper.config("round-robin", 3, 3)

    def ended(number: int, deal: int, ranks: tuple[int, int, int]) -> GameOutcome:
        return GameOutcome(number, deal, tuple(SeatOutcome(agent, rank, 0.0, 0) for agent, rank in enumerate(ranks)))

    # Entry 0 is ahead of entry 1 in both games of every second deal, and of entry 2 in all.
    games = [ended(game, game // 2, (1, 2, 3) if game // 2 % 2 else (2, 1, 3)) for game in range(40)]
    row = meetings(of, games, ["e0", "e1", "e2"])[0]
    assert [pair.games for pair in row] == [0, 40, 40]
    assert [pair.share for pair in row[1:]] == [
        mean([(game // 2, float(game // 2 % 2)) for game in range(40)], 0, 1),
        estimate(1.0, 0.05 ** (1 / 20), 1.0),
    ]


def test_markdown_has_the_names_as_they_are(the_cup: Cup) -> None:
    text = well(command("tournament", "report", str(the_cup.file), "--markdown"))
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)
    cells = [token for token in tokens if token.type == "inline"]
    kinds = {part.type for token in cells for part in token.children or ()}
    assert kinds <= {"text", "text_special"}
    shown = ["".join(part.content for part in token.children or ()) for token in cells]
    assert shown[0] == TITLE.replace("\x1b", "?")
    assert [shown.count(name) for name in NAMES] == [2] * len(NAMES), "in the standings and in the cross table"
    assert sum(token.type == "table_open" for token in tokens) == 2


def test_the_page_opens_in_a_browser_without_a_complaint_or_a_request(the_cup: Cup, page: str) -> None:
    assert page
    said: list[str] = []
    asked: list[str] = []
    with running_chromium() as browser:
        for width in (1280, 360):
            context = browser.new_context(viewport={"width": width, "height": 800})
            tab = context.new_page()
            tab.on("console", lambda message: said.append(message.text))
            tab.on("pageerror", lambda error: said.append(str(error)))
            tab.on("request", lambda request: asked.append(request.url))
            tab.goto(the_cup.file.with_suffix(".html").as_uri())
            assert tab.evaluate("document.documentElement.scrollWidth") == width, "nothing sticks out"
            names = tab.locator("#standings tbody th > bdi").all_inner_texts()
            assert sorted(names) == sorted(NAMES)
            assert sorted(tab.locator("#standings .chart li").all_text_contents()) == sorted(NAMES)
            context.close()
    assert said == []
    assert asked == [the_cup.file.with_suffix(".html").as_uri()] * 2


BOXES = """() => [...document.querySelectorAll(".chart")].map(chart => ({
    names: [...chart.querySelectorAll("li")].map(name => name.getBoundingClientRect().toJSON()),
    rows: [...chart.querySelectorAll(".hit")].map(row => row.getBoundingClientRect().toJSON()),
    marks: [...chart.querySelectorAll("line, circle, path, text")].map(mark => mark.getBoundingClientRect().toJSON()),
    chart: chart.getBoundingClientRect().toJSON(),
    figure: chart.parentElement.getBoundingClientRect().toJSON(),
}))"""


def test_names_of_any_length_and_script_stand_beside_their_rows_of_a_chart(tmp_path: Path) -> None:
    names = (
        "W" * 1_000,
        "\N{HEBREW LETTER SHIN}" * 1_000,
        "\N{ELEPHANT}" * 1_000,
        "e\N{COMBINING ACUTE ACCENT}" * 500,
        "i",
    )
    of = paper.config("round-robin", 5, 3)
    of = replace(of, entries=tuple(config.Entry(name, "silly") for name in names))
    outcomes = paper.played(of, paper.by_number(5))
    found = study(outcomes[0], 5, [], no_record)
    file = tmp_path / "page.html"
    file.write_text(html(findings(of, TournamentProgress(tuple(map(tuple, outcomes)), 30, True), found, GAMES)))
    with running_chromium() as browser:
        for width in (1280, 390):
            tab = browser.new_context(viewport={"width": width, "height": 800}).new_page()
            tab.goto(file.as_uri())
            assert tab.evaluate("document.documentElement.scrollWidth") == width, "nothing sticks out"
            charts = tab.evaluate(BOXES)
            assert len(charts) == 2, "strengths and scores"
            for chart in charts:
                with case(width):
                    assert len(chart["names"]) == len(chart["rows"]) == 5
                    for name, row in zip(chart["names"], chart["rows"], strict=True):
                        assert (name["top"], name["bottom"]) == pytest.approx((row["top"], row["bottom"]), abs=0.5)
                        assert name["right"] < row["left"]
                        assert row["width"] > 0.5 * chart["chart"]["width"], "the names leave room for the drawing"
                    assert all(mark["left"] > chart["names"][0]["right"] for mark in chart["marks"])
                    assert all(mark["right"] <= chart["figure"]["right"] for mark in chart["marks"])


def big(entries: int) -> tuple[TournamentConfig, TournamentProgress]:
    """A tournament of so many entries, on paper."""
    of = paper.config("swiss", entries, 4, turns=6)
    rounds = paper.played(of, [float(number) for number in range(entries)])
    return of, TournamentProgress(tuple(map(tuple, rounds)), sum(map(len, rounds)), True)


def test_a_cross_table_of_twenty_scrolls_in_its_own_box_beside_the_names(tmp_path: Path) -> None:
    of, course_of = big(20)
    file = tmp_path / "page.html"
    file.write_text(html(findings(of, course_of, study(course_of.outcomes, 20, [], no_record), GAMES)))
    with running_chromium() as browser:
        for width in (1280, 390):
            tab = browser.new_context(viewport={"width": width, "height": 800}).new_page()
            tab.goto(file.as_uri())
            assert tab.evaluate("document.documentElement.scrollWidth") == width, "nothing sticks out"
            box = tab.locator("#meetings .wide")
            assert box.locator("tbody tr").count() == 20
            box.evaluate("box => box.scrollLeft = box.scrollWidth")
            assert box.evaluate("box => box.scrollLeft") > 100
            left, right = box.evaluate(
                "box => { const { left, right } = box.getBoundingClientRect(); return [left, right] }"
            )
            last = box.locator("tbody tr").first
            edges = "cell => { const { left, right } = cell.getBoundingClientRect(); return [left, right] }"
            name, cell = last.locator("th").evaluate(edges), last.locator("td").last.evaluate(edges)
            assert left <= name[0] < name[1] <= cell[0] < cell[1] <= right, "the last column is beside the names"


def test_markdown_has_intervals_where_there_is_room() -> None:
    for entries, cell in ((6, r"\| \d+ \(\d+ to \d+\) \|"), (20, r"\| \d+ \| *\d* \|")):
        of, course_of = big(entries)
        told = standings(of, course_of)
        cross = meetings(of, course_of.outcomes, [line.name for line in told.standings])
        text = as_markdown(told, cross).split("How often")[1]
        with case(entries):
            assert re.search(cell, text)
            assert ("to" in text.split("---:", 1)[1].rsplit("\n\n", 1)[0]) == (entries == 6)


def test_of_very_many_entries_the_first_forty_are_crossed_and_one_is_told() -> None:
    of, course_of = big(48)
    told = standings(of, course_of)
    cross = meetings(of, course_of.outcomes, [line.name for line in told.standings[:MAX_SHOWN]])
    assert as_markdown(told, cross).count("Only the first 40 entries are shown.") == 1
    text = " ".join(Page(html(findings(of, course_of, study(course_of.outcomes, 48, [], no_record), GAMES))).texts)
    assert "Only the first 40 entries are shown." in text


def test_a_mistake_is_a_sentence(the_cup: Cup, tmp_path: Path) -> None:
    file = str(the_cup.file)
    assert complained(command("tournament", "report", file, "--json", "--markdown"), "--json and --markdown contradict")
    assert complained(command("tournament", "report", file, "--html", str(tmp_path)), str(tmp_path), "Is a directory")
    missing = str(tmp_path / "no" / "page.html")
    assert complained(command("tournament", "report", file, "--html", missing), missing, "No such file or directory")
