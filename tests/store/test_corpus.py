"""Records of every released version stay readable, and lead to the same games."""

import json

from tests.cases import case
from tests.compatibility import HERE, VERSIONS, records
from tests.store.paper import NOON
from wateringhole.record import digest, read, replay
from wateringhole.store.finished_game import finished
from wateringhole.store.games import Store
from wateringhole.store.queries import Filter

RECORDS = [path for version in VERSIONS for path in records(version)]


def test_a_record_of_a_released_version_leads_to_the_same_game() -> None:
    assert RECORDS
    for path in RECORDS:
        with case(path.relative_to(HERE)):
            digests = json.loads((path.parent / "digests.json").read_text())
            assert digest(replay(read(path))) == digests[path.name]


def test_every_version_has_a_finished_a_stopped_and_an_expelled_game() -> None:
    for version in VERSIONS:
        games = [finished(path.read_bytes(), NOON) for path in records(version)]
        assert {"finished", "stopped"} <= {game.status for game in games}
        assert any(row.fault for game in games for row in game.ranking)


def test_records_of_all_released_versions_can_be_imported(store: Store) -> None:
    known = store.add(finished(path.read_bytes(), NOON) for path in RECORDS)
    assert sorted(game.id for game in store.listed(Filter(private=True))) == sorted(known)
    for game, path in zip(known, RECORDS, strict=True):
        assert store.data(game) == path.read_bytes()
    [expelled] = store.listed(Filter(expelled="any"))
    assert [place.text for place in expelled.seats if place.expelled] == [
        "plays card 4, counted from 0, but holds only 4"
    ]
