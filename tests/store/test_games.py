"""What goes into the store comes out as it was."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.store.paper import NOON, emptied, paper, played, really
from wateringhole.fault import Fault, Reason
from wateringhole.record import Note, RecordError, parsed
from wateringhole.store.database import Database
from wateringhole.store.error import StoreError
from wateringhole.store.finished_game import finished, game_id
from wateringhole.store.games import Store, opened
from wateringhole.store.queries import MAX_IDS, Filter
from wateringhole.store.rows import MAX_TEXT_CHARS
from wateringhole.store.tournaments import Tournament

HOSTILE = [
    "Robert'); DROP TABLE games;--",
    "\x00\x1b[2J\x07",
    "<script>alert(1)</script>",
    "\u202eevil\u202c",
    "100% _like_ \\",
    "🦕" * 64,
    "\ud800 half",
    "",
    " ",
    "x" * 5_000,
    "bot:greedy",
]


def test_a_game_comes_out_as_it_went_in(store: Store) -> None:
    game = really(1, "greedy", "silly", "rash", "hunter")
    game = replace(game, title="Sunday", server="here", number=5, tournament="cup", began=NOON - timedelta(minutes=3))
    [known] = store.add([game])
    assert known == game_id(game.data)
    assert known in store
    assert store.data(known) == game.data
    kept = store.kept(known)
    assert kept.id == known
    assert (kept.began, kept.ended) == (game.began, game.ended)
    assert (kept.title, kept.server, kept.number, kept.tournament) == ("Sunday", "here", 5, "cup")
    assert (kept.private, kept.status, kept.players, kept.turns) == (False, "finished", 4, game.turns)
    assert kept.rated
    assert kept.names == game.names
    assert {(place.seat, place.rank, place.score) for place in kept.seats} == {
        (row.seat, row.rank, row.score) for row in game.ranking
    }
    assert [place.identity for place in kept.seats] == ["bot:greedy", "bot:silly", "bot:rash", "bot:hunter"]
    assert {place.kind for place in kept.seats} == {"bot"}
    assert kept.winners == tuple(row.name for row in game.ranking if row.rank == 1)
    assert sum(place.won for place in kept.seats) == 1


def test_a_game_that_is_not_there_is_not_found(store: Store) -> None:
    store.add([paper(1, "Ann", "Bob", "Cem")])
    assert "0" * 24 not in store
    with pytest.raises(KeyError):
        store.data("0" * 24)
    with pytest.raises(KeyError):
        store.kept("0" * 24)


def test_a_game_that_is_there_already_is_left_as_it_is(store: Store) -> None:
    first, other = paper(1, "Ann", "Bob", "Cem"), paper(2, "Ann", "Bob", "Cem")
    [known] = store.add([first])
    expelled = paper(1, "X", "Y", "Z", "W", scores=[1, 2, None, None], fault=Fault(Reason.MEMORY, "swells"))
    changed = replace(expelled, data=first.data, title="changed", status="failed", ended=NOON)
    assert store.add([other, changed, changed]) == [game_id(other.data), known, known]
    assert store.kept(known).title == ""
    assert store.kept(known).names == ("Ann", "Bob", "Cem")
    assert [place.text for place in store.kept(known).seats] == [None] * 3
    assert store.count() == 2


def test_no_games_can_be_added(store: Store) -> None:
    assert store.add([]) == []
    assert store.count() == 0


def test_all_games_are_added_or_none(store: Store) -> None:
    good = paper(1, "Ann", "Bob", "Cem")
    endless = replace(paper(2, "Ann", "Bob", "Cem"), number=2**70)  # no database has such numbers
    with pytest.raises((OverflowError, StoreError)):
        store.add([good, endless])
    assert store.count() == 0


def test_what_was_added_is_there_for_whoever_opens_the_store_next(place: str) -> None:
    game = paper(1, "Ann", "Bob", "Cem")
    with opened(place) as store:
        [known] = store.add([game])
        store.ladder()
    with opened(place, create=False) as store:
        assert store.data(known) == game.data
        assert store.ladder(1)[0].name == "Ann"


def test_times_are_utc_wherever_the_server_is(store: Store) -> None:
    here = datetime(2026, 11, 16, 23, 30, 0, 123456, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))
    [known] = store.add([replace(paper(1, "Ann", "Bob", "Cem"), began=here, ended=here)])
    kept = store.kept(known)
    assert kept.ended == here
    assert kept.ended.tzinfo is UTC
    assert kept.ended.isoformat() == "2026-11-17T09:00:00.123456+00:00"


def test_who_is_expelled_is_known_with_the_reason(store: Store) -> None:
    fault = Fault(Reason.TIMEOUT, "silent for 5.0 s")
    [known] = store.add([paper(1, "Ann", "Bob", "Cem", scores=[3, None, 3], fault=fault)])
    ann, bob, cem = store.kept(known).seats
    assert (ann.rank, ann.won, ann.expelled, ann.text) == (1, 0.5, None, None)
    assert (cem.rank, cem.won) == (1, 0.5)
    assert (bob.rank, bob.score, bob.won) == (None, None, 0)
    assert (bob.expelled, bob.text, bob.rule) == ("timeout", "silent for 5.0 s", "expulsion.reasons")


def test_who_leads_in_a_game_that_was_not_finished_has_won_nothing(store: Store) -> None:
    [known] = store.add([replace(paper(1, "Ann", "Bob", "Cem"), status="stopped")])
    kept = store.kept(known)
    assert kept.winners == ()
    assert not kept.rated
    assert [(place.rank, place.won, place.score) for place in kept.seats] == [(None, 0, 3), (None, 0, 2), (None, 0, 1)]


def test_a_game_of_which_only_bytes_are_left_can_be_kept(store: Store) -> None:
    torn = replace(paper(1, "Ann", "Bob", "Cem"), data=b"\x00\xff torn", ranking=(), status="damaged")
    [known] = store.add([torn])
    assert store.data(known) == b"\x00\xff torn"
    assert store.kept(known).names == ("Ann", "Bob", "Cem")


def test_no_name_or_title_does_any_harm(shared: Database) -> None:
    for text in HOSTILE:
        with case(text):
            check_harmless(text, emptied(shared))


def check_harmless(text: str, store: Store) -> None:
    whole = paper(1, text, "Bob", "Cem", scores=[None, 2, 1], fault=Fault(Reason.ILLEGAL, text, rule=text))
    [known] = store.add([replace(whole, title=text, server=text, data=b"-")])
    kept = store.kept(known)
    if text.isprintable() and len(text) <= MAX_TEXT_CHARS:
        assert (kept.names[0], kept.title) == (text, text)
    assert len(kept.title) <= MAX_TEXT_CHARS
    assert store.listed(Filter(player=kept.names[0], title=kept.title)) == [kept]
    assert store.player(kept.seats[0].identity).rating.games == 1
    assert len(store.ladder()) == 3
    assert store.listed(Filter(player=f"{kept.names[0]}?")) == []


def test_whatever_is_looked_for_is_there_or_is_not(store: Store) -> None:
    store.add([paper(1, "Ann", "Bob", "Cem")])
    for text in HOSTILE:
        with case(text):
            assert text not in store
            for look_up in (store.data, store.kept, store.player):
                with pytest.raises(KeyError):
                    look_up(text)
            assert store.listed(Filter(player=text)) == store.listed(Filter(tournament=text)) == []
            assert store.count(Filter(title=text)) == (text == "")
            assert store.delete([text]) == 0
            assert store.ids(text) == (store.ids("") if text == "" else [])
            assert store.count() == 1


def test_nobody_becomes_a_house_bot_by_calling_themselves_one(store: Store) -> None:
    real = replace(paper(1, "greedy 1", "Ann", "Bob"), kinds=("bot", "person", "client"), agents=("greedy", "", ""))
    false = paper(2, "bot:greedy", "Ann", "Bob")
    store.add([real, false])
    assert store.player("bot:greedy").rating.games == 1
    assert store.player("player:bot:greedy").rating.games == 1


def test_a_game_can_be_deleted_with_all_that_is_known_of_it(store: Store) -> None:
    fault = Fault(Reason.TIMEOUT, "silent for 5.0 s")
    gone, left = store.add([paper(1, "Ann", "Bob", "Cem", scores=[3, None, 1], fault=fault), paper(2, "A", "B", "C")])
    assert store.delete([gone, gone, "0" * 24]) == 1
    assert gone not in store
    assert left in store
    assert store.listed(Filter(player="Ann")) == []
    assert store.listed(Filter(expelled="any")) == []
    assert store.delete([gone]) == 0
    assert store.delete([]) == 0


def test_nothing_of_a_deleted_game_is_left_in_the_file(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        gone = store.add(paper(number, "Annabella", f"Bob {number}", "Cem") for number in range(20))
        store.add([paper(99, "Dora", "Emil", "Fay")])
        store.ladder()
        store.delete(gone)
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Dora" in left
    assert b"Annabella" not in left
    assert gone[0].encode() not in left


def test_many_games_can_be_deleted_at_once(store: Store) -> None:
    known = store.add(paper(number, "Ann", "Bob", "Cem") for number in range(MAX_IDS + 2))
    store.ladder()
    assert store.delete(known[1:]) == MAX_IDS + 1
    assert store.count() == 1
    assert store.player("Ann").rating.games == 1


def test_the_beginning_of_an_id_is_enough(store: Store) -> None:
    known = sorted(store.add(paper(number, "Ann", "Bob", "Cem") for number in range(40)))
    assert store.ids(known[7]) == [known[7]]
    assert store.ids("", limit=100) == known
    for digit in "0123456789abcdef":
        assert store.ids(digit, limit=100) == [game for game in known if game.startswith(digit)]
    assert store.ids("f" * 24) == []


def test_a_tournament_is_kept_and_can_be_kept_again(store: Store) -> None:
    first = Tournament("cup", "The <Cup>\0", "7", "round-robin", 4, NOON, {"standings": [1, 2.5, "x\0"]}, "title = 1\n")
    other = Tournament("league", "", "8", "swiss", 3, NOON + timedelta(seconds=1), [], "")
    store.add_tournament(first)
    store.add_tournament(other)
    store.add_tournament(replace(first, table=5))
    assert store.tournaments() == [other, replace(first, table=5, title="The <Cup>\N{REPLACEMENT CHARACTER}")]


def test_a_record_tells_what_the_store_needs_to_know() -> None:
    expulsion: Note = {"expelled": 2, "reason": "timeout", "text": "silent", "rule": "expulsion.reasons"}
    notes: list[Note] = [
        {"game": 12},
        {"private": 1},
        {"seat": 2, "played by": "silly"},
        {"ended": "stopped"},
        expulsion,
    ]
    whole = finished(played(3, "silly", "rash", "silly"), NOON)
    assert (whole.status, whole.private, whole.number, whole.stood_in) == ("finished", False, 0, frozenset())
    assert whole.names == ("silly 1", "rash 2", "silly 3")
    assert whole.ranking[0].rank == 1
    assert whole.turns > 0
    cut = finished(played(3, "silly", "rash", "silly", notes=notes, replies=7), NOON)
    assert (cut.status, cut.private, cut.number, cut.stood_in) == ("stopped", True, 12, frozenset({2}))
    failed = finished(played(3, "silly", "rash", "silly", notes=[{"ended": "server-error"}], replies=7), NOON)
    assert failed.status == "failed"


def test_what_is_no_record_is_a_sentence() -> None:
    with pytest.raises(RecordError, match="line 1"):
        finished(b"{}", NOON)


def test_notes_that_make_no_sense_do_no_harm(store: Store) -> None:
    notes: list[Note] = [
        {"game": 2**63},
        {"game": -1},
        {"seat": "two", "played by": 3},
        {"seat": 99, "played by": "silly"},
    ]
    data = played(3, "silly", "rash", "silly", notes=notes)
    [known] = store.add([finished(data, NOON)])
    assert store.kept(known).number == 0
    assert store.kept(known).rated
    assert parsed(store.data(known)) == parsed(data)


def test_a_game_is_found_by_the_seals_of_its_seats_for_a_while_and_they_are_in_no_record(store: Store) -> None:
    games = [
        replace(paper(number, "Ann", "Bob"), token_hashes=frozenset({f"seal {number}", "both"})) for number in (0, 600)
    ]
    first, second = games
    store.add([first])
    assert [store.game_of_token(seal) for seal in ("seal 0", "both", "", "seal")] == [
        first.data,
        first.data,
        None,
        None,
    ]
    store.add([paper(10_000, "Ann", "Bob"), *games])
    assert [store.game_of_token(seal) for seal in ("seal 0", "seal 600", "both")] == [
        first.data,
        second.data,
        second.data,
    ]
    assert all(b"seal" not in store.data(game.id) for game in store.listed())
    store.delete([game_id(second.data)])
    assert [store.game_of_token(seal) for seal in ("seal 600", "both")] == [None, first.data]
    store.add([replace(paper(601, "Ann", "Bob"), token_hashes=frozenset({"seal 601"}))])
    assert [store.game_of_token(seal) for seal in ("seal 0", "both")] == [None, None]
    assert first.data == store.data(game_id(first.data))
