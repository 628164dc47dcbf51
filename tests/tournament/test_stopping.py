"""When enough has been played."""

from random import Random

from tests.cases import case
from tests.tournament.paper import config, ended
from wateringhole.tournament.config import Stop
from wateringhole.tournament.formats import lap
from wateringhole.tournament.outcomes import GameOutcome, SeatOutcome
from wateringhole.tournament.schedule import laps
from wateringhole.tournament.stopping import LeadVerdict, Race, leads

STOP = Stop(0, 1, 0.95)
LAP = sum(map(len, lap(config("round-robin", 4, 3))))


def games(strengths: list[float], deals: int, seed: str = "") -> list[GameOutcome]:
    fixtures = laps(lap(config("round-robin", 4, 3)), deals)
    return [ended(fixture, strengths, seed) for fixture in fixtures]


def race(outcomes: list[GameOutcome], stop: Stop = STOP) -> LeadVerdict:
    """What comes of it, if one stops as soon as one may."""
    running = Race(stop, LAP)
    for outcome in outcomes:
        if running.heard(outcome):
            break
    return running.so_far


def test_a_lead_counts_for_both_and_ties_for_nobody() -> None:
    def game(number: int, deal: int, *ranks: int) -> GameOutcome:
        return GameOutcome(number, deal, tuple(SeatOutcome(agent, rank, 0.0, 0) for agent, rank in enumerate(ranks)))

    outcomes = [game(0, 0, 1, 2, 3), game(1, 0, 2, 1, 3), game(2, 1, 1, 1, 3), game(3, 1, 1, 3, 2)]
    assert leads(outcomes, 0, 1) == [0.0, 0.5]
    assert leads(outcomes, 1, 0) == [0.0, -0.5]
    assert leads(outcomes, 1, 2) == [1.0, 0.0]
    assert leads(outcomes, 0, 9) == []


def test_who_is_far_better_is_known_soon_and_from_either_side() -> None:
    outcomes = games([9.0, 1.0, 5.0, 5.0], 60)
    verdict = race(outcomes)
    assert (verdict.better, verdict.games % LAP) == (0, 0)
    assert verdict.lead > 0
    assert verdict.games < len(outcomes)
    assert race(outcomes, Stop(1, 0, 0.95)) == LeadVerdict(0, -verdict.lead, verdict.deals, verdict.games)


def test_more_confidence_takes_more_deals() -> None:
    outcomes = games([6.0, 4.0, 5.0, 5.0], 200)
    sure = [race(outcomes, Stop(0, 1, confidence)) for confidence in (0.6, 0.9, 0.99)]
    assert [verdict.better for verdict in sure] == [0, 0, 0]
    assert sorted(verdict.games for verdict in sure) == [verdict.games for verdict in sure]
    assert sure[0].games < sure[-1].games


def test_one_who_is_ahead_in_every_deal_is_better_as_soon_as_a_purse_has_grown_enough() -> None:
    """It becomes 1.5, 2.3, 3.7, 6.0, 9.9, 16.7, ... of what it was; wanted is 2 / (1 - confidence)."""
    places = tuple(SeatOutcome(agent, agent + 1, 0.0, 0) for agent in range(3))
    outcomes = [GameOutcome(number, number // 3, places) for number in range(60)]
    for confidence, deals in ((0.5, 4), (0.9, 7), (0.95, 8), (0.99, 11)):
        for better, than in ((0, 1), (1, 0)):
            with case(confidence, better):
                running = Race(Stop(better, than, confidence), 3)
                assert next(outcome.deal + 1 for outcome in outcomes if running.heard(outcome)) == deals
                assert running.so_far == LeadVerdict(0, 1.0 - 2.0 * better, deals, 3 * deals)


def test_of_two_who_are_equal_one_is_called_better_no_more_often_than_was_said() -> None:
    wrong = [race(games([5.0] * 4, 20, str(seed)), Stop(0, 1, 0.8)).better is not None for seed in range(120)]
    assert 0 < sum(wrong) <= 0.2 * len(wrong)


def test_the_order_in_which_games_ended_does_not_matter() -> None:
    outcomes = games([8.0, 2.0, 5.0, 5.0], 40)
    for seed in range(5):
        mixed = list(outcomes)
        Random(seed).shuffle(mixed)
        assert race(mixed) == race(outcomes)


def test_nothing_is_known_before_a_lap_is_complete() -> None:
    outcomes = games([9.0, 1.0, 5.0, 5.0], 60)
    assert race(outcomes[1:]) == LeadVerdict(None, 0.0, 0, 0)
    assert race(outcomes[:-1]) == race(outcomes)
