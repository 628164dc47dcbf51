"""What a request offers to whoever thinks before it answers."""

from tests.scenario import board, feeding_game
from wateringhole import rulebook
from wateringhole.agents.rash import Rash
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.moves import Attack, Decline, Graze
from wateringhole.rules.feeding import feed
from wateringhole.table import ask
from wateringhole.traits import Trait
from wateringhole.view import Feed, request

HUNTER = board(Trait.CARNIVORE, population=3, body=2)


def test_every_board_of_the_others_is_a_target_or_it_is_said_why_not() -> None:
    game = feeding_game([HUNTER, board()], [board(Trait.CLIMBING), board()], [board(population=2)], watering_hole=5)
    asked = request(game, 1)
    assert isinstance(asked, Feed)
    told = {(attack.seat, attack.target): fault for attack, fault in asked.targets(0)}
    assert [place for place, fault in told.items() if fault is None] == [(2, 1), (3, 0)]
    climbed = told[2, 0]
    assert climbed is not None
    assert climbed.rule == "attack.climbing"
    assert {fault.rule for _, fault in asked.targets(1) if fault} == {rulebook.CARNIVORE}


def test_a_feeding_can_be_tried_without_being_done() -> None:
    game = feeding_game([HUNTER, board()], [board(Trait.HORNS)], [board()], watering_hole=5)
    asked = request(game, 1)
    assert isinstance(asked, Feed)
    after = asked.what_if(Attack(0, 2, 0))
    assert after.me.species[0].population == 2
    assert after.me.species[0].food == 1
    assert after.others[0].species == ()
    assert after.watering_hole == 4
    assert asked.me.species[0] == HUNTER
    assert asked.what_if(Graze(0)) is asked  # a carnivore does not graze
    assert asked.what_if(Decline()) == asked


def test_what_if_is_what_will_be_but_for_the_cards_of_boards_that_die_out() -> None:
    tried = 0
    for seed in range(12):
        game = new_game(["A", "B", "C", "D"], shuffled(seed), watering_hole=100)
        rash = Rash(seed)
        while seats := pending(game):
            asked = request(game, seats[0])
            if isinstance(asked, Feed):
                for move in asked.options:
                    done = game.clone()
                    feed(done, done.players[seats[0]], move)
                    after = asked.what_if(move)
                    assert after.me.species == done.players[seats[0]].species
                    assert [o.species for o in after.others] == [o.species for o in done.others(seats[0])]
                    assert after.watering_hole == done.watering_hole
                    tried += 1
            answer(game, seats[0], ask(rash, asked))
    assert tried > 500
