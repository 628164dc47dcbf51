"""The report of a tournament: everything that its games tell, as one HTML file.

Laws: a function of the brief, the games and their records; the same games give the same bytes, all but the reply times,
which have a section of their own. Nothing is estimated without saying how far off it may be, or that this is not known.
"""

from collections.abc import Mapping, Sequence
from statistics import quantiles
from typing import Final

from msgspec import Struct

from wateringhole.cards import Trait
from wateringhole.tournament import charts
from wateringhole.tournament.brief import Brief
from wateringhole.tournament.contest import Course
from wateringhole.tournament.journal import record_name
from wateringhole.tournament.page import Column, Markup, document, name, table, tag, together
from wateringhole.tournament.ratings import deck_luck, seat_bias
from wateringhole.tournament.standings import Line, Meeting, Standings, Stopped, meetings, standings
from wateringhole.tournament.study import Expulsion, Study, TraitRow
from wateringhole.tournament.tally import Mean, Outcome, rows

MOST_SHOWN: Final = 40
"""So many entries have a row in the cross table and the plots."""
MOST_LOST: Final = 20

PLOTS: Final = "pip install 'wateringhole[plots]'"
MINUS: Final = "\N{MINUS SIGN}"

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


class Report(Struct, frozen=True):
    """What is reported on. `records` leads from the page to the folder of the records; `plots` are SVG, by section."""

    brief: Brief
    course: Course
    told: Standings
    found: Study
    records: str
    plots: Mapping[str, str] | None

    @property
    def outcomes(self) -> list[Outcome]:
        return self.course.outcomes

    @property
    def order(self) -> list[int]:
        """The entries, the best first."""
        places = {entry: at for at, entry in enumerate(self.brief.names)}
        return [places[line.name] for line in self.told.standings]


def report(brief: Brief, course: Course, found: Study, records: str) -> Report:
    """All that is to be told; without plots, if they cannot be drawn."""
    told = standings(brief, course)
    return Report(brief, course, told, found, records, _plots(brief, course, told, found))


def html(of: Report) -> str:
    """The file."""
    contents = {
        "standings": _standings(of),
        "meetings": _meetings(of),
        "scores": _scores(of),
        "traits": _traits(of),
        "luck": _luck(of),
        "expulsions": _expulsions(of),
        "times": _times(of),
        "reading": _reading(),
    }
    main = together(
        *(tag("section", tag("h2", heading), contents[key], "\n", id=key) for key, heading in SECTIONS),
    )
    made = tag("p", "Made by wateringhole from the journal and the records of the tournament.")
    return document(of.told.title, _header(of), main, made)


def reproducible(brief: Brief, entry: int) -> bool:
    """Whether it would play the same again: it is in this process, and its budget is no time."""
    found = brief.specs[entry]
    return found.at_hand(brief.treatment.in_process) and "ms" not in found.options


# The sections.


def _header(of: Report) -> Markup:
    told = of.told
    over = "over" if told.over else f"{told.games:,} of {told.planned:,} games"
    facts = [
        ("format", told.format),
        ("players in a game", str(told.table)),
        ("entries", str(len(told.standings))),
        ("games", f"{told.games:,}"),
        ("deals", f"{len({ended.deal for ended in of.outcomes}):,}"),
        ("state", over),
        ("seed", told.seed),
    ]
    listed = tag("dl", *(tag("div", tag("dt", label), tag("dd", value)) for label, value in facts))
    links = tag("nav", *(tag("a", heading, href=f"#{key}") for key, heading in SECTIONS), aria_label="Sections")
    verdict = tag("p", _verdict(of.brief, told.stop)) if told.stop else Markup()
    plots = Markup()
    if of.plots is None:
        plots = tag("p", "The plots are missing, because matplotlib is: ", tag("code", PLOTS), ".", class_="soft")
    return together(tag("h1", name(told.title)), listed, verdict, plots, links)


def _verdict(brief: Brief, stop: Stopped) -> Markup:
    assert brief.stop is not None
    one, other = brief.entries[brief.stop.better].name, brief.entries[brief.stop.than].name
    if stop.better is None:
        parts = ["it is open whether ", name(one), " is better than ", name(other)]
    else:
        parts = [name(stop.better), " is better than ", name(other if stop.better == one else one)]
    return together(f"After {stop.deals:,} deals together, ", *parts, f", at {stop.confidence:.6g} confidence.")


def _standings(of: Report) -> Markup:
    columns = [Column(""), Column("entry", "name fixed"), *map(Column, ("Elo", "wins %", "rank", "score", "games"))]
    lines = [
        [
            str(line.place),
            _entry(of, entry, line),
            _interval(line.strength, 0),
            _interval(_percent(line.wins), 1),
            _interval(line.rank, 2),
            _interval(line.score, 1),
            f"{line.games:,}",
        ]
        for entry, line in zip(of.order, of.told.standings, strict=True)
    ]
    if of.found.expelled:
        columns.append(Column("expelled", "text"))
        for cells, line in zip(lines, of.told.standings, strict=True):
            cells.append(", ".join(f"{reason} {count:,}" for reason, count in line.expelled.items()))
    shown = table(columns, lines, "Standings", "full")
    turn = 100 / of.told.table
    caption = (
        "Strength in Elo points, with what it may be off by at 95 %. The dashed line is the mean of all entries, 1500."
    )
    return together(
        shown,
        _plot(of, "standings", caption),
        tag(
            "p",
            f"Wins, rank and score are means; ± is 95 %. At a table of {of.told.table} chance alone wins {turn:.1f} %.",
            class_="soft",
        ),
        _unrepeatable(of),
    )


def _entry(of: Report, entry: int, line: Line) -> Markup:
    under = [tag("small", line.agent)] if line.agent != line.name else []
    under += [tag("small", "by ", name(line.author))] if line.author else []
    mark = [] if reproducible(of.brief, entry) else [" ", tag("span", "not reproducible", class_="mark")]
    return together(name(line.name), *mark, *under)


def _unrepeatable(of: Report) -> Markup:
    if all(reproducible(of.brief, entry) for entry in of.order):
        return Markup()
    return tag(
        "p",
        tag("span", "not reproducible", class_="mark"),
        " An entry that runs outside this process or thinks for a set time may play otherwise another time, on another "
        "machine, or beside other work. So may come out the games of all who meet it.",
        class_="soft",
    )


def _meetings(of: Report) -> Markup:
    shown = of.told.standings[:MOST_SHOWN]
    cross = meetings(of.brief, of.outcomes, [line.name for line in shown])
    columns = [Column(""), Column("ahead of", "name fixed"), *(Column(_place(line)) for line in shown)]
    lines = [
        [str(line.place), name(line.name), *(_meeting(pair, at == other) for other, pair in enumerate(row))]
        for at, (line, row) in enumerate(zip(shown, cross, strict=True))
    ]
    only = "" if len(shown) == len(of.told.standings) else f" Only the first {MOST_SHOWN} entries are shown."
    text = (
        "How often the entry of the row was ahead of that of the column when they sat at one table, in %, with the "
        f"95 % interval and the number of meetings; a tie counts half for both.{only}"
    )
    return together(tag("p", text), table(columns, lines, "Who is ahead of whom", "cells"))


def _place(line: Line) -> Markup:
    """The head of a column: its place, and as much of its name as there is room for."""
    return together(str(line.place), tag("br"), name(line.name if len(line.name) <= 9 else f"{line.name[:8]}…"))


def _meeting(pair: Meeting, own: bool) -> Markup:
    if own or pair.share is None:
        return tag("td", "\N{EM DASH}" if own else "", class_="self")
    share = Mean(100 * pair.share, None if pair.margin is None else 100 * pair.margin)
    return _tinted(together(_interval(share, 1), _meetings_of(pair.games)), 2 * abs(share.value - 50), share.value > 50)


def _meetings_of(games: int) -> Markup:
    return tag("small", f"{games:,}\N{MULTIPLICATION SIGN}")


def _scores(of: Report) -> Markup:
    parts = ("lowest", "10 %", "25 %", "median", "75 %", "90 %", "highest")
    columns = [Column("entry", "name fixed"), *(Column(part) for part in parts), Column("mean")]
    theirs = _scores_of(of.outcomes, len(of.brief.entries))
    lines = []
    for entry, line in zip(of.order, of.told.standings, strict=True):
        spread = _spread(theirs[entry])
        lines.append([name(line.name), *(f"{value:.0f}" for value in spread), *[""] * (len(parts) - len(spread))])
        lines[-1].append(_interval(line.score, 1))
    caption = (
        "How often each score was reached, each hill to the same height; the bar is the middle half of an entry's "
        "games, the dot its median. Who was expelled has 0 points."
    )
    return together(
        _plot(of, "scores", caption),
        tag(
            "p",
            "A tenth of an entry's games came to the score under 10 % or to less, half of them to the median or less.",
        ),
        table(columns, lines, "Scores"),
    )


def _spread(scores: Sequence[int]) -> list[float]:
    if len(scores) < 2:
        return [float(score) for score in scores]
    tenths, quarters = (quantiles(scores, n=n, method="inclusive") for n in (10, 4))
    return [min(scores), tenths[0], *quarters, tenths[-1], max(scores)]


def _scores_of(outcomes: Sequence[Outcome], entries: int) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(entries)]
    for ended in outcomes:
        for place in ended.places:
            found[place.agent].append(place.score)
    return found


def _traits(of: Report) -> Markup:
    found = of.found
    if not found.read:
        return together(tag("p", "No record could be read, so nothing is known of the traits."), _lost(of))
    part = f"all {found.read:,} games"
    if found.read < found.games:
        part = f"{found.read:,} of the {found.games:,} games, drawn by lot"
    caption = (
        "How much more often than otherwise a seat wins that has played the trait. Hollow: than its turn, which is 1 "
        f"in {of.told.table} at a table of {of.told.table}. Filled: than the same entry on average, which takes out "
        "who likes the trait."
    )
    return together(
        tag("p", f"From the records of {part}."),
        _lost(of),
        tag("h3", "Which traits win"),
        _plot(of, "traits", caption),
        _trait_table(of),
        tag(
            "p",
            "This is no proof that a trait makes winners: who has more boards gets more cards, and plays more of all "
            "traits. Compare traits with each other rather than with zero.",
            class_="soft",
        ),
        tag("h3", "Who plays which"),
        tag("p", "Cards of each trait that an entry plays in a game; the darker, the more."),
        _likings(of),
    )


def _trait_table(of: Report) -> Markup:
    columns = [
        Column("trait", "trait fixed"),
        Column("cards per seat and game"),
        Column("winners who played it, %"),
        Column("others who did, %"),
        Column("wins above its turn, points"),
        Column("above its entry's mean, points"),
        Column("seats"),
    ]
    lines = [
        [
            row.trait.value,
            f"{row.cards:.2f}",
            f"{100 * row.winners:.1f}",
            f"{100 * row.others:.1f}",
            _signed(row.above),
            _signed(row.own),
            f"{row.seats:,}",
        ]
        for row in _best_first(of.found)
    ]
    return table(columns, lines, "Which traits win", "full")


def _best_first(found: Study) -> list[TraitRow]:
    return sorted(found.traits, key=lambda row: -row.own.value)


def _likings(of: Report) -> Markup:
    columns = [Column("entry", "name fixed"), *(Column(tag("span", trait.value), "turned") for trait in Trait)]
    most = max((value for row in of.found.likings if row for value in row), default=0.0)
    lines = []
    for entry, line in zip(of.order, of.told.standings, strict=True):
        row = of.found.likings[entry]
        cells = [tag("td")] * len(Trait) if row is None else [_liking(value, most) for value in row]
        lines.append([name(line.name), *cells])
    return table(columns, lines, "Who plays which traits", "upright")


def _liking(value: float, most: float) -> Markup:
    return _tinted(f"{value:.2f}" if value >= 0.005 else "\N{MIDDLE DOT}", 100 * value / most if most else 0, True)


def _lost(of: Report) -> Markup:
    lost = of.found.lost
    if not lost:
        return Markup()
    listed = "; ".join(f"{record_name(one.game)}: {one.why}" for one in lost[:MOST_LOST])
    more = f"; and {len(lost) - MOST_LOST:,} more" if len(lost) > MOST_LOST else ""
    count = "1 record is" if len(lost) == 1 else f"{len(lost):,} records are"
    return tag("p", f"{count} left out: {listed}{more}.", class_="soft")


def _luck(of: Report) -> Markup:
    bias = seat_bias(of.outcomes)
    seats = [[f"seat {seat}", _signed(mean)] for seat, mean in enumerate(bias, 1)]
    worth = together(
        tag("h3", "What a seat is worth"),
        tag("p", "How much more often than its turn each seat is first, in percentage points; seat 1 begins."),
        table([Column("", "name"), Column("wins more by, points")], seats, "What a seat is worth"),
    )
    differ = together(tag("h3", "What scores differ by"), _variance(of))
    return tag("div", tag("div", worth), tag("div", differ), class_="beside")


def _variance(of: Report) -> Markup:
    luck = deck_luck(of.outcomes, len(of.brief.entries))
    parts = (
        ("who plays", luck.agent),
        ("where they sit", luck.seat),
        ("which deal it is", luck.deal),
        ("everything else", luck.rest),
    )
    bar = [tag("i", class_=f"part-{at}", style=f"flex:{share:.4f}") for at, (_, share) in enumerate(parts, 1)]
    lines = [
        [together(tag("span", class_=f"key part-{at}"), label), f"{100 * share:.1f}"]
        for at, (label, share) in enumerate(parts, 1)
    ]
    return together(
        tag("div", *bar, class_="share", aria_hidden="true"),
        table([Column("", "name"), Column("of the variance, %")], lines, "What scores differ by"),
        tag("p", _chance(of, luck.deal + luck.rest), class_="soft"),
    )


def _chance(of: Report, left: float) -> str:
    """What of the deal's share would be there if the cards did not matter."""
    places = sum(len(ended.places) for ended in of.outcomes)
    deals = len({ended.deal for ended in of.outcomes})
    entries = len({place.agent for ended in of.outcomes for place in ended.places})
    free = places - entries - max((len(ended.places) for ended in of.outcomes), default=1) + 1
    says = "Taken one after the other. Where each deal has a table of its own, who sits there counts as the deal."
    if deals < 2 or free < deals:
        return f"{says} There are too few games of each deal to tell the deal from chance."
    return f"{says} By chance alone the deal would come to {100 * left * (deals - 1) / free:.1f} %."


def _expulsions(of: Report) -> Markup:
    found = of.found
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
            f"Somebody was expelled {times}.{only} The number of a game leads to its record, which ",
            tag("code", "wateringhole replay"),
            " shows step by step.",
        ),
        table([*columns[:3], Column("first game"), Column("times")], firsts, "Expulsions by reason", "full"),
        tag("details", tag("summary", f"Each of the {len(found.expulsions):,}, game by game"), listed),
    )


def _expulsion(of: Report, one: Expulsion) -> list[str]:
    """Who, why, in what words, and in which game."""
    who, number = name(of.brief.entries[one.entry].name), f"{one.game:,}"
    if one.sentence is None:
        return [who, one.reason, "its record cannot be read", number]
    link = tag("a", number, href=f"{of.records}{record_name(one.game)}")
    return [who, one.reason, f"it {one.sentence}", link]


def _times(of: Report) -> Markup:
    columns = [Column("entry", "name fixed"), Column("replies"), Column("mean, ms"), Column("in its slowest game, ms")]
    replies = [0] * len(of.brief.entries)
    slowest: list[float | None] = [None] * len(of.brief.entries)
    for place in (place for ended in of.outcomes for place in ended.places if place.replies):
        replies[place.agent] += place.replies
        slowest[place.agent] = max(slowest[place.agent] or 0.0, place.seconds / place.replies)
    means = [row.reply_seconds for row in rows(of.outcomes, len(of.brief.entries))]
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
            "Each deal is played once for every seat, so neither the cards nor the place favour anybody. The games of "
            "one deal belong together, so all intervals are taken over deals, not over games. Those of strengths use "
            "Student's distribution; the others are 1.96 standard errors, too narrow with fewer than ten deals or so. "
            "Where all deals came to the same there is no ±, except between two: there it goes to what would stay "
            "unseen in so many deals one time in twenty.",
        ),
        tag(
            "p",
            "Intervals are for one figure at a time: of twenty, one is expected to miss. Two entries whose intervals "
            "do not overlap differ; where they overlap a little, the table of who is ahead of whom tells more.",
        ),
    )


# Figures and plots.


def _plots(brief: Brief, course: Course, told: Standings, found: Study) -> dict[str, str] | None:
    shown = [line.name for line in told.standings[:MOST_SHOWN]]
    theirs = _scores_of(course.outcomes, len(brief.entries))
    ratings = charts.ratings(told.standings[:MOST_SHOWN])
    scores = charts.scores(shown, [theirs[brief.names.index(entry)] for entry in shown])
    traits = charts.traits(_best_first(found))
    if ratings is None or scores is None or traits is None:
        return None
    return {"standings": ratings, "scores": scores, "traits": traits}


def _plot(of: Report, section: str, caption: str) -> Markup:
    if of.plots is None:
        return Markup()
    drawn = tag(
        "div", Markup(of.plots[section]), class_="chart", role="img", aria_label="A plot of the table's figures"
    )
    return tag("figure", drawn, tag("figcaption", caption))


def _interval(mean: Mean, digits: int) -> Markup:
    margin = [tag("small", f"± {mean.margin:.{digits}f}")] if mean.margin else []
    return together(f"{mean.value:.{digits}f}".replace("-", MINUS), *margin)


def _signed(share: Mean) -> Markup:
    """A share in percentage points, with its sign."""
    points = _percent(share)
    margin = [tag("small", f"± {points.margin:.1f}")] if points.margin else []
    return together(f"{points.value:+.1f}".replace("-", MINUS), *margin)


def _percent(share: Mean) -> Mean:
    return Mean(100 * share.value, None if share.margin is None else 100 * share.margin)


def _tinted(content: str, by: float, high: bool) -> Markup:
    """A cell that is the darker the more there is to it."""
    return tag("td", content, class_=f"tint {'high' if high else 'low'}", style=f"--by:{by:.0f}")
