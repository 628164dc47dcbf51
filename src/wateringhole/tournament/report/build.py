"""Builds the report of a tournament as one HTML file.

Laws: the same games give the same bytes, all but the reply times, which have a section of their own.
"""

from typing import Final

from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.interval import MIN_DEALS
from wateringhole.tournament.outcomes import rows
from wateringhole.tournament.record_stats import Expulsion
from wateringhole.tournament.report import sections
from wateringhole.tournament.report.data import ReportData
from wateringhole.tournament.report.html import Column, Markup, document, name, table, tag, together
from wateringhole.tournament.standings import Stopped

SECTIONS: Final = (
    ("standings", "Standings"),
    ("meetings", "Who is ahead of whom"),
    ("scores", "Scores"),
    ("traits", "Traits"),
    ("luck", "Seats and luck"),
    ("expulsions", "Expulsions"),
    ("times", "Reply times"),
    ("reading", "How to read it"),
)


def html(of: ReportData) -> str:
    """The file."""
    contents = {
        "standings": sections.where(of),
        "meetings": sections.against(of),
        "scores": sections.scores(of),
        "traits": sections.traits(of),
        "luck": sections.luck(of),
        "expulsions": _expulsions(of),
        "times": _times(of),
        "reading": _reading(),
    }
    main = together(
        *(tag("section", tag("h2", heading), contents[key], "\n", id=key) for key, heading in SECTIONS),
    )
    made = tag("p", "Made by wateringhole from the journal and the records of the tournament.")
    return document(of.told.title, _header(of), main, made)


def _header(of: ReportData) -> Markup:
    told = of.told
    over = "over" if told.over else f"{told.games:,} of {told.planned:,} games"
    facts = [
        ("format", told.format),
        ("players in a game", str(told.table)),
        ("entries", str(len(told.standings))),
        ("games", f"{told.games:,}"),
        *(("void", f"{count:,}: {why}") for why, count in told.void.items()),
        ("deals", f"{len({ended.deal for ended in of.outcomes}):,}"),
        ("state", over),
        *([] if told.sandbox is None else [("sandbox", told.sandbox)]),
        ("seed", "secret until it is over" if told.seed is None else told.seed),
    ]
    listed = tag("dl", *(tag("div", tag("dt", label), tag("dd", value)) for label, value in facts))
    links = tag("nav", *(tag("a", heading, href=f"#{key}") for key, heading in SECTIONS), aria_label="Sections")
    verdict = tag("p", _verdict(of.config, told.stop)) if told.stop else Markup()
    return together(tag("h1", name(told.title)), listed, verdict, links)


def _verdict(config: TournamentConfig, stop: Stopped) -> Markup:
    assert config.stop is not None
    one, other = config.entries[config.stop.better].name, config.entries[config.stop.than].name
    if stop.better is None:
        parts = ["it is open whether ", name(one), " is better than ", name(other)]
    else:
        parts = [name(stop.better), " is better than ", name(other if stop.better == one else one)]
    return together(f"After {stop.deals:,} deals together, ", *parts, f", at {stop.confidence:.6g} confidence.")


def _expulsions(of: ReportData) -> Markup:
    found = of.study
    if not found.expelled:
        return tag("p", "Nobody was expelled.")
    groups: dict[tuple[int, str], list[Expulsion]] = {}
    for one in found.expulsions:
        groups.setdefault((one.entry, one.reason), []).append(one)
    firsts = [[*_expulsion(of, theirs[0]), f"{len(theirs):,}"] for theirs in groups.values()]
    columns = [Column("entry", "name"), Column("reason", "text"), Column("what it did", "text"), Column("game")]
    only = ""
    if len(found.expulsions) < found.expelled:
        only = f" The first {len(found.expulsions):,} are told here; the journal has all of them."
    times = "once" if found.expelled == 1 else f"{found.expelled:,} times"
    listed = table(columns, [_expulsion(of, one) for one in found.expulsions], "All expulsions", "full")
    return together(
        tag(
            "p",
            f"There were expulsions: {times}.{only} In the folder of this page ",
            tag("code", f"wateringhole replay {of.games} --game {found.expulsions[0].game}"),
            " shows the first of these games step by step, and so each by its number.",
        ),
        table([*columns[:3], Column("first game"), Column("times")], firsts, "Expulsions by reason", "full"),
        tag("details", tag("summary", f"Each of the {len(found.expulsions):,}, game by game"), listed),
    )


def _expulsion(of: ReportData, one: Expulsion) -> list[str]:
    """Who, why, in what words, and in which game."""
    who, number = name(of.config.entries[one.entry].name), str(one.game)
    if one.sentence is None:
        return [who, one.reason, "its record cannot be read", number]
    return [who, one.reason, f"it {one.sentence}", number]


def _times(of: ReportData) -> Markup:
    columns = [Column("entry", "name fixed"), Column("replies"), Column("mean, ms"), Column("in its slowest game, ms")]
    replies = [0] * len(of.config.entries)
    slowest: list[float | None] = [None] * len(of.config.entries)
    for place in (place for ended in of.outcomes for place in ended.places if place.replies):
        replies[place.agent] += place.replies
        slowest[place.agent] = max(slowest[place.agent] or 0.0, place.seconds / place.replies)
    means = [row.reply_seconds for row in rows(of.outcomes, len(of.config.entries))]
    lines = [
        [name(line.name), f"{replies[entry]:,}", _milliseconds(means[entry]), _milliseconds(slowest[entry])]
        for entry, line in zip(of.order, of.told.standings, strict=True)
    ]
    text = "Milliseconds for a reply, on average. They depend on the machine, and on what else it did."
    return together(tag("p", text), table(columns, lines, "Reply times"))


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{1_000 * seconds:,.3f}"


def _reading() -> Markup:
    return together(
        tag(
            "p",
            "A game of four is six meetings of two. The strengths are those under which all meetings are likeliest "
            "(Bradley and Terry's model; a tie counts half, who is expelled is last). 1500 is the mean of the entries; "
            "400 points more mean ten wins for one loss. The order of the games does not matter.",
        ),
        tag(
            "p",
            "Each deal is played once for every seat, so neither the cards nor the place favour an entry. The games of "
            "one deal belong together, so all intervals are taken over deals, not over games, by Student's "
            "distribution. Those of shares and ranks are Wilson's, which are narrower towards a bound and do not cross "
            "it; where all games came to the same bound, they go to what would stay unseen in so many deals one time "
            f"in twenty. Fewer than {MIN_DEALS} deals are too few for an interval.",
        ),
        tag(
            "p",
            "Intervals are for one figure at a time: of twenty, one is expected to miss. Two entries whose intervals "
            "do not overlap differ; where they overlap a little, the table of who is ahead of whom tells more.",
        ),
    )
