"""The layout of the network: what goes in and what comes out, number by number.

The network reads INPUTS numbers, which are made from an observation, and returns OUTPUTS numbers: a value, a score for
each action that stands alone, and queries. A query is as long as the description of a card, a board or an opponent; the
score of an action that names one of them is the product of both. So a board is judged alike in every place.

Laws: all scales are powers of two, so that every input is the same number in Python, in numpy and in C.
"""

from typing import Final

from wateringhole.env import actions as act
from wateringhole.env.actions import MAX_BOARDS, Stage
from wateringhole.species import MAX_BODY
from wateringhole.traits import Trait

TRAITS: Final = len(Trait)
CARNIVORE: Final = sorted(Trait).index(Trait.CARNIVORE) + 1
"""Its number in an observation."""

FIGURES: Final = 6
"""Of a board: whether it is there, its population, body, food and fat, and whether it is hungry."""
BOARD: Final = FIGURES + TRAITS
OPPONENT: Final = BOARD + 1
"""The sum of an opponent's boards, and its cards."""
CARD: Final = TRAITS + 2
"""The trait of a card, its food value and its place in the deck."""

FIGURE_SCALE: Final = 1 / 8
FOOD_SCALE: Final = 1 / 8
PLACE_SCALE: Final = 1 / 128
CARDS_SCALE: Final = 1 / 16
HAND_SCALE: Final = 1 / 2
OWN_SCALE: Final = 1 / 4
OTHERS_SCALE: Final = 1 / 8
HEAD_SCALES: Final = (1 / 8, 1 / 16, 1 / 128, 1 / 8, 1 / 8, 1 / 64, 1 / 16, 1 / 8)
"""Of the bytes from the turn to the number of boards."""

USES: Final = (act.NEW_BOARD, act.TRAIT, act.REPLACE, act.POPULATION, act.BODY)
"""The uses of a card in the order of their inputs, each by its first action."""
VERBS: Final = (*USES, act.STORE, act.ATTACK)
"""All that a draft may be about: the uses, and the feedings that take several actions."""

IN_STAGE: Final = 0
IN_VERB: Final = IN_STAGE + len(Stage)
IN_LATEST: Final = IN_VERB + len(VERBS)
IN_PAID: Final = IN_LATEST + len(USES)
IN_FOOD: Final = IN_PAID + 1
"""Whether a food card is drafted, and its food value."""
IN_HEAD: Final = IN_FOOD + 2
IN_HAND_FOOD: Final = IN_HEAD + len(HEAD_SCALES)
IN_HAND: Final = IN_HAND_FOOD + 1
"""Cards of the hand by trait."""
IN_REPLACED: Final = IN_HAND + TRAITS
"""The trait that the draft replaces."""
IN_FOCUS: Final = IN_REPLACED + TRAITS
"""The own board that the draft is about."""
IN_OWN_SUM: Final = IN_FOCUS + BOARD
IN_OTHERS_SUM: Final = IN_OWN_SUM + BOARD
IN_HUNTERS: Final = IN_OTHERS_SUM + OPPONENT
"""The greatest number of each kind on the opponents' carnivores."""
IN_OWN: Final = IN_HUNTERS + BOARD
INPUTS: Final = IN_OWN + MAX_BOARDS * BOARD

OUT_VALUE: Final = 0
OUT_DONE: Final = 1
"""Done, new board and trait."""
OUT_DECLINE: Final = OUT_DONE + 3
OUT_TOKENS: Final = OUT_DECLINE + 1
OUT_CARD: Final = OUT_TOKENS + MAX_BODY
OUT_BOARD: Final = OUT_CARD + CARD
BOARD_QUERIES: Final = (act.POPULATION, act.BODY, act.GRAZE, act.STORE, act.ATTACK, act.REPLACE)
"""The actions that name an own board, in the order of their queries."""
GRAZE_QUERY: Final = BOARD_QUERIES.index(act.GRAZE)
REPLACE_QUERY: Final = BOARD_QUERIES.index(act.REPLACE)
OUT_REPLACED: Final = OUT_BOARD + len(BOARD_QUERIES) * BOARD
"""For the trait that is replaced, besides its board."""
OUT_OPPONENT: Final = OUT_REPLACED + TRAITS
OUT_TARGET: Final = OUT_OPPONENT + OPPONENT
OUTPUTS: Final = OUT_TARGET + BOARD
