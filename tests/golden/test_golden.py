"""The golden games come out as they are written."""

from tests.cases import case
from tests.golden import GAMES, HERE, text

ADVICE = "If the game is meant to have changed, write the files anew with `make golden` and read the diff."


def test_a_golden_game_comes_out_as_it_is_written() -> None:
    for golden in GAMES:
        with case(golden):
            written = golden.path.read_text(encoding="utf-8").splitlines()
            played = text(golden).splitlines()
            for number, (line, now) in enumerate(zip(written, played, strict=False), 1):
                assert now == line, f"{golden.path.name} differs in line {number}. {ADVICE}"
            assert len(played) == len(written), f"{golden.path.name} has another length. {ADVICE}"


def test_every_golden_file_belongs_to_a_golden_game() -> None:
    assert sorted(HERE.glob("*.txt")) == sorted(golden.path for golden in GAMES)


def test_half_of_the_golden_games_are_rich_and_all_seeds_differ() -> None:
    assert sorted(golden.watering_hole for golden in GAMES) == [0] * 6 + [100] * 6
    assert len({golden.seed for golden in GAMES}) == len(GAMES) == 12
