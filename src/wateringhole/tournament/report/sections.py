"""Sections of a report that have figures: standings, cross table, scores, traits, seats and luck.

Laws: nothing is estimated without saying how far off it may be, or that this is not known.
"""

from collections.abc import Sequence
from statistics import quantiles
from typing import Final

from wateringhole.tournament.interval import MIN_DEALS
from wateringhole.tournament.ratings import Pair, deck_luck, seat_bias
from wateringhole.tournament.report.data import ReportData, reproducible
from wateringhole.tournament.report.html import Column, Markup, interval, name, signed, table, tag, tinted, together
from wateringhole.tournament.standings import MAX_SHOWN, StandingsRow, meetings, only, percent, too_few
from wateringhole.traits import Trait

MAX_LOST: Final = 20
DAGGER: Final = "\N{DAGGER}"


def where(of: ReportData) -> Markup:
    """Who is where, by how much, and how sure that is."""
    columns = [Column(""), Column("entry", "name fixed"), *map(Column, ("Elo", "wins %", "rank", "score", "games"))]
    lines = [
        [
            str(line.place),
            _entry(of, entry, line),
            interval(line.strength, 0),
            interval(percent(line.wins), 1),
            interval(line.rank, 2),
            interval(line.score, 1),
            f"{line.games:,}",
        ]
        for entry, line in zip(of.order, of.told.standings, strict=True)
    ]
    if of.study.expelled:
        columns.append(Column("expelled", "text"))
        for cells, line in zip(lines, of.told.standings, strict=True):
            cells.append(", ".join(f"{reason} {count:,}" for reason, count in line.expelled.items()))
    shown = table(columns, lines, "Standings", "full")
    turn = 100 / of.told.table
    caption = (
        "Strength in Elo points, with its 95 % interval. The dashed line is the mean of all entries, 1500. "
        f"{only(of.told)}"
    )
    return together(
        shown,
        _unrepeatable(of),
        tag(
            "p",
            "Wins, rank and score are means; in brackets is the 95 % interval. At a table of "
            f"{of.told.table} chance alone wins {turn:.1f} %. {too_few(of.told)}",
            class_="soft",
        ),
        _chart(of, "standings", caption),
    )


def _entry(of: ReportData, entry: int, line: StandingsRow) -> Markup:
    under = [tag("small", line.agent)] if line.agent != line.name else []
    under += [tag("small", "by ", name(line.author))] if line.author else []
    mark = [] if reproducible(of.config, entry) else [tag("sup", DAGGER)]
    return together(name(line.name), *mark, *under)


def _unrepeatable(of: ReportData) -> Markup:
    if all(reproducible(of.config, entry) for entry in of.order):
        return Markup()
    return tag(
        "p",
        tag("sup", DAGGER),
        " Not reproducible: an entry that runs outside this process or thinks for a set time may play otherwise "
        "another time, on another machine, or beside other work; so may all who meet it.",
        class_="soft",
    )


def against(of: ReportData) -> Markup:
    """Who is ahead of whom."""
    shown = of.told.standings[:MAX_SHOWN]
    cross = meetings(of.config, of.outcomes, [line.name for line in shown])
    columns = [Column("ahead of", "name fixed"), *(Column(_place(line)) for line in shown)]
    lines = [
        [together(f"{line.place} ", name(line.name)), *(_meeting(pair, at == other) for other, pair in enumerate(row))]
        for at, (line, row) in enumerate(zip(shown, cross, strict=True))
    ]
    text = (
        "How often the entry of the row was ahead of that of the column when they sat at one table, in %, with the "
        "95 % interval and the number of meetings; a tie counts half for both. There is no interval "
        f"after fewer than {MIN_DEALS} deals together, nor where all deals came to the same. {only(of.told)}"
    )
    return together(tag("p", text), table(columns, lines, "Who is ahead of whom", "cells"))


def _place(line: StandingsRow) -> Markup:
    """The head of a column: its place, and as much of its name as there is room for."""
    return together(str(line.place), tag("br"), name(line.name if len(line.name) <= 9 else f"{line.name[:8]}…"))


def _meeting(pair: Pair, own: bool) -> Markup:
    if own or pair.share is None:
        return tag("td", "\N{EM DASH}" if own else "", class_="self")
    share = percent(pair.share)
    return tinted(together(interval(share, 0), _meetings_of(pair.games)), 2 * abs(share.value - 50), share.value > 50)


def _meetings_of(games: int) -> Markup:
    return tag("small", f"{games:,}\N{MULTIPLICATION SIGN}")


def scores(of: ReportData) -> Markup:
    """How the scores of each entry are spread."""
    parts = ("lowest", "10 %", "25 %", "median", "75 %", "90 %", "highest")
    columns = [Column("entry", "name fixed"), *(Column(part) for part in parts), Column("mean")]
    theirs = of.scores
    lines = []
    for entry, line in zip(of.order, of.told.standings, strict=True):
        spread = _spread(theirs[entry])
        lines.append([name(line.name), *(f"{value:.0f}" for value in spread), *[""] * (len(parts) - len(spread))])
        lines[-1].append(interval(line.score, 1))
    caption = (
        "How often each score was reached, each hill to the same height; the bar is the middle half of an entry's "
        f"games, the dot its median. Who was expelled has 0 points. {only(of.told)}"
    )
    return together(
        _chart(of, "scores", caption),
        tag(
            "p",
            "A tenth of an entry's games came to the score under 10 % or to less, half of them to the median or less.",
        ),
        table(columns, lines, "Scores"),
    )


def _spread(scores: Sequence[int]) -> list[float]:
    if len(scores) < 2:
        return [float(score) for score in scores] * 7
    tenths, quarters = (quantiles(scores, n=n, method="inclusive") for n in (10, 4))
    return [min(scores), tenths[0], *quarters, tenths[-1], max(scores)]


def traits(of: ReportData) -> Markup:
    """Which traits win, and who plays which."""
    found = of.study
    if not found.read:
        return together(tag("p", "No record could be read, so nothing is known of the traits."), _lost(of))
    part = f"all {found.games:,} games" if found.read == found.games else f"{found.read:,} of the {found.games:,} games"
    lot = f"; {found.chosen:,} were drawn by lot" if found.chosen < found.games else ""
    caption = (
        "How much more often than otherwise a seat wins that has played the trait. Hollow: than its turn, which is 1 "
        f"in {of.told.table} at a table of {of.told.table}. Filled: than the same entry on average, which takes out "
        "who likes the trait."
    )
    return together(
        tag("p", f"From the records of {part}{lot}."),
        _lost(of),
        tag("h3", "Which traits win"),
        _chart(of, "traits", caption),
        _trait_table(of),
        tag(
            "p",
            "This is no proof that a trait makes winners: who has more boards gets more cards, and plays more of all "
            "traits. Compare traits with each other rather than with zero.",
            class_="soft",
        ),
        tag("h3", "Who plays which"),
        tag("p", "Cards of each trait that an entry plays in a game; the stronger the colour, the more."),
        _likings(of),
    )


def _trait_table(of: ReportData) -> Markup:
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
            signed(row.above),
            signed(row.own),
            f"{row.seats:,}",
        ]
        for row in of.traits
    ]
    return table(columns, lines, "Which traits win", "full")


def _likings(of: ReportData) -> Markup:
    columns = [Column("entry", "name fixed"), *(Column(tag("span", trait.value), "turned") for trait in Trait)]
    most = max((value for row in of.study.likings if row for value in row), default=0.0)
    lines = []
    for entry, line in zip(of.order, of.told.standings, strict=True):
        row = of.study.likings[entry]
        cells = [tag("td")] * len(Trait) if row is None else [_liking(value, most) for value in row]
        lines.append([name(line.name), *cells])
    return table(columns, lines, "Who plays which traits", "upright")


def _liking(value: float, most: float) -> Markup:
    return tinted(f"{value:.2f}" if value >= 0.005 else "\N{MIDDLE DOT}", 100 * value / most if most else 0, True)


def _lost(of: ReportData) -> Markup:
    lost = of.study.lost
    if not lost:
        return Markup()
    listed = "; ".join(f"game {one.game}: {one.why}" for one in lost[:MAX_LOST])
    more = f"; and {len(lost) - MAX_LOST:,} more" if len(lost) > MAX_LOST else ""
    count = "1 record is" if len(lost) == 1 else f"{len(lost):,} records are"
    return tag("p", f"{count} left out: {listed}{more}.", class_="soft")


def luck(of: ReportData) -> Markup:
    """What a seat is worth, and how much of the scores is luck."""
    bias = seat_bias(of.outcomes)
    seats = [[f"seat {seat}", signed(mean)] for seat, mean in enumerate(bias, 1)]
    worth = together(
        tag("h3", "What a seat is worth"),
        tag("p", "How much more often than its turn each seat is first, in percentage points; seat 1 begins."),
        table([Column("", "name"), Column("wins more by, points")], seats, "What a seat is worth"),
    )
    differ = together(tag("h3", "What scores differ by"), _variance(of))
    return tag("div", tag("div", worth), tag("div", differ), class_="beside")


def _variance(of: ReportData) -> Markup:
    shares = deck_luck(of.outcomes, len(of.config.entries))
    parts = (
        ("who plays", shares.agent),
        ("where they sit", shares.seat),
        ("which deal it is", shares.deal),
        ("everything else", shares.rest),
    )
    bar = [tag("i", class_=f"part-{at}", style=f"flex:{share:.4f}") for at, (_, share) in enumerate(parts, 1)]
    lines = [
        [together(tag("span", class_=f"key part-{at}"), label), f"{100 * share:.1f}"]
        for at, (label, share) in enumerate(parts, 1)
    ]
    return together(
        tag("div", *bar, class_="share", aria_hidden="true"),
        table([Column("", "name"), Column("of the variance, %")], lines, "What scores differ by"),
        tag("p", _chance(of, shares.deal + shares.rest), class_="soft"),
    )


def _chance(of: ReportData, left: float) -> str:
    """What of the deal's share would be there if the cards did not matter."""
    places = sum(len(ended.places) for ended in of.outcomes)
    deals = len({ended.deal for ended in of.outcomes})
    entries = len({place.agent for ended in of.outcomes for place in ended.places})
    free = places - entries - max((len(ended.places) for ended in of.outcomes), default=1) + 1
    says = "Taken one after the other. Where each deal has a table of its own, who sits there counts as the deal."
    if deals < 2 or free < deals:
        return f"{says} There are too few games of each deal to tell the deal from chance."
    return f"{says} By chance alone the deal would come to {100 * left * (deals - 1) / free:.1f} %."


def _chart(of: ReportData, section: str, caption: str) -> Markup:
    chart = of.charts[section]
    names = tag("ol", *(tag("li", name, dir="auto", title=name) for name in chart.names))
    drawn = tag(
        "div",
        names,
        Markup(chart.drawing),
        class_="chart",
        role="img",
        aria_label="A chart of the table's figures",
        style=f"--row:{chart.row}em",
    )
    return tag("figure", drawn, tag("figcaption", caption))
