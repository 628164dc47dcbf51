"""Records traces of games by the rules in Python: all kinds of bots, rich and poor, dealt or from rare positions."""

import zlib
from random import Random

from tests.kernel.replaying import SEATS, Policies, Step, Trace
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.playout import PlayoutBot, play_by_rules, scores_by_seat
from wateringhole.agents.playout_sage import PlayoutSage
from wateringhole.agents.rash import Rash
from wateringhole.agents.sage import Sage
from wateringhole.agents.silly import Silly
from wateringhole.agents.styles import Hunter, Shepherd
from wateringhole.cards import DECK, Card
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS, new_game, pending
from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.kernel.playouts import packed_move
from wateringhole.kernel.policy import PolicyTable
from wateringhole.kernel.positions import position
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, Move, NewBoard, Replacement, StoreFat
from wateringhole.packed import packed_deck
from wateringhole.player import Player
from wateringhole.rules.cardplay import outcome
from wateringhole.rules.feeding import refusal
from wateringhole.species import Species
from wateringhole.traits import CARNIVORE, DEFENCES, FAT_TISSUE, Trait
from wateringhole.view import Feed

HOLES = (0, 1, 3, 6, 12, 30, 100, 400)
FREQUENT = (
    *[trait for defence in DEFENCES for trait in (Trait.CARNIVORE, defence.trait, *defence.foiled_by)],
    *[Trait.FAT_TISSUE] * 4,
)
"""The traits that matter in attacks, and fat: half of the rare boards have only those."""

NO_PLAYOUT = (-1, Policies(b"", b"", b""), [0], [0], 0)


def bot(random: Random) -> PlayoutBot:
    """Rash ones more often: they do all that the rules allow."""
    kind = random.randrange(8)
    if kind < 4:
        return Rash(random.random().hex())
    return (Silly, Greedy, Hunter, Shepherd)[kind - 4]()


def trace(number: int) -> Trace:
    """The game of this number; half of them begin in a rare position."""
    random = Random(f"trace {number}")
    players = MIN_PLAYERS + number % (MAX_PLAYERS - MIN_PLAYERS + 1)
    hole = random.choice(HOLES)
    deck = random.sample(DECK, len(DECK) if random.random() < 0.8 else random.randrange(20, len(DECK)))
    dealt = number // 2 % 2 == 0
    if dealt:
        game = new_game([f"seat {seat}" for seat in range(1, players + 1)], deck, hole)
    else:
        game = rare_game(random, players, hole)
    bots = [bot(random) for _ in range(players)]
    steps: list[Step] = []
    states: list[Game] = []
    while seats := pending(game):
        seat = seats[0]
        states.append(game.clone())
        move = decided(game, seat, bots[seat - 1])
        steps.append(
            Step(
                position(game),
                [probe(random, game, seat) for _ in range(2 if game.phase == "choose" else 5)],
                [decision(random, game, seat)] if random.random() < 0.5 else [],
                packed_move(seat, move),
            )
        )
        game.answer(seat, move)
    at = random.randrange(len(steps)) if steps else -1
    playout = NO_PLAYOUT if at < 0 else (at, *played_out(random, states[at]))
    packed = bytes(packed_deck(tuple(deck))) if dealt else b""
    return Trace(packed, players, hole, steps, position(game), list(scores_by_seat(game)), playout)


def long_hand() -> Trace:
    """The last turn of a game in which a hand is longer than a word of the kernel has bits: cards at both ends of such
    a word, and on both sides of its middle, are played once, which is legal, and twice, which is not.
    """
    hands = (DECK[:70], DECK[70:74], DECK[74:78])
    players = {seat: Player(seat, [Species(population=1)], held, 0) for seat, held in enumerate(hands, 1)}
    game = Game(("seat 1", "seat 2", "seat 3"), players, (), 6)
    game.phase, game.turn = "choose", 4
    growth = tuple([Growth(0, card) for card in (31, 32, 63, 64)])
    play = CardPlay(0, growth)
    probes = [judged(players[1], CardPlay(0, growth, (again,))) for again in growth]
    step = Step(position(game), [judged(players[1], play), *probes], [], packed_move(1, play))
    game.answer(1, play)
    play_by_rules(game, [Silly(), Silly(), Silly()])
    return Trace(b"", 3, 6, [step], position(game), list(scores_by_seat(game)), NO_PLAYOUT)


def decided(game: Game, seat: int, agent: PlayoutBot | PlayoutSage | Sage) -> Move:
    """What this agent answers."""
    question = game.request(seat)
    return agent.feed(question) if isinstance(question, Feed) else agent.choose(question)


def decision(random: Random, game: Game, seat: int) -> tuple[Policies, list[int], int]:
    """What a bot decides here, as if all seats were its."""
    agent = bot(random)
    policy = agent.kernel_policy()
    assert policy is not None
    table = PolicyTable([policy] * SEATS)
    before = Policies(table.rows, table.tastes.tobytes(), table.dice.tobytes())
    move = packed_move(seat, decided(game, seat, agent))
    table.read_dice()
    return before, move, zlib.crc32(table.dice.tobytes())


def played_out(random: Random, game: Game) -> tuple[Policies, list[int], list[int], int]:
    """How bots play this game to its end."""
    bots = [bot(random) for _ in game.names]
    policies = [agent.kernel_policy() for agent in bots]
    table = PolicyTable([policy for policy in policies if policy is not None])
    before = Policies(table.rows, table.tastes.tobytes(), table.dice.tobytes())
    play_by_rules(game, bots)
    table.read_dice()
    return before, list(scores_by_seat(game)), position(game), zlib.crc32(table.dice.tobytes())


# Positions that games seldom reach: many traits that act on each other, fat, a deck that runs out.


def rare_game(random: Random, players: int, hole: int) -> Game:
    cards = random.sample(DECK, len(DECK))
    row = [
        Player(
            seat, [rare_board(random) for _ in range(random.randrange(1, 6))], hand(random, cards), random.randrange(9)
        )
        for seat in random.sample(range(1, players + 1), players)
    ]
    deck = tuple(cards[: random.choice((0, 1, 3, 40, 60))])
    names = tuple([f"seat {seat}" for seat in range(1, players + 1)])
    game = Game(names, {player.seat: player for player in row}, deck, hole)
    game.phase, game.turn = "choose", random.randrange(1, 5)
    return game


def hand(random: Random, cards: list[Card]) -> tuple[Card, ...]:
    return tuple([cards.pop() for _ in range(random.randrange(3, 8))])


def rare_board(random: Random) -> Species:
    traits = random.sample(tuple(Trait), 3) if random.random() < 0.5 else random.choices(FREQUENT, k=3)
    board = Species(random.randrange(1, 8), random.randrange(8), 0, 0, tuple(dict.fromkeys(traits)))
    return board.having_stored(random.randrange(board.body + 1)) if board.mask & FAT_TISSUE else board


# Moves that may be illegal.


def probe(random: Random, game: Game, seat: int) -> tuple[list[int], str]:
    """A move with numbers drawn a little too wide, and the rule that it breaks, or ""."""
    player = game.players[seat]
    fault: object
    if game.phase == "choose":
        return judged(player, some_play(random, len(player.hand), len(player.boards)))
    move = some_feeding(random, game, player)
    fault = refusal(move, player.species, game.watering_hole, game.seen(seat))
    return packed_move(seat, move), fault.rule if isinstance(fault, Fault) else ""


def judged(player: Player, play: CardPlay) -> tuple[list[int], str]:
    """The play, and the rule that it breaks, or ""."""
    fault = outcome(play, player.species, player.hand)
    return packed_move(player.seat, play), fault.rule if isinstance(fault, Fault) else ""


def some_feeding(random: Random, game: Game, player: Player) -> Feeding:
    """Most often an attack of a hungry carnivore, if there is one, or fat for a board that stores any."""
    kind = random.random()
    board = random.randrange(len(player.boards) + 1)
    hunters = [at for at, each in enumerate(player.boards) if each.hungry and each.mask & CARNIVORE]
    fat = [at for at, each in enumerate(player.boards) if each.fat_need]
    if kind < 0.05:
        return Decline()
    if kind < 0.2:
        return Graze(board)
    if kind < 0.4:
        return StoreFat(random.choice(fat) if fat and kind < 0.35 else board, random.randrange(9))
    hunter = random.choice(hunters) if hunters and kind < 0.9 else board
    return Attack(hunter, random.randrange(len(game.names) + 2), random.randrange(6))


def some_play(random: Random, cards: int, boards: int) -> CardPlay:
    """Different cards, as a rule; now and then one twice, or one that is not held."""
    order = random.sample(range(cards), cards)
    if random.random() < 0.1:
        order[random.randrange(cards)] = random.randrange(cards + 1)
    left = iter(order[1:])
    new: list[NewBoard] = []
    population: list[Growth] = []
    body: list[Growth] = []
    traits: list[Replacement] = []
    uses = random.choice(((0, 1, 2, 3), (0,), (1,), (2, 2, 3), (3,)))
    for card in left:
        use = random.choice(uses)
        board = random.randrange(boards + len(new) + (random.random() < 0.1))
        if use == 0:
            population.append(Growth(board, card))
        elif use == 1:
            body.append(Growth(board, card))
        elif use == 2:
            new.append(
                NewBoard(card, tuple([other for other, _ in zip(left, range(random.randrange(4)), strict=False)]))
            )
        else:
            traits.append(Replacement(board, random.randrange(4), card))
    return CardPlay(order[0], tuple(population), tuple(body), tuple(new), tuple(traits))
