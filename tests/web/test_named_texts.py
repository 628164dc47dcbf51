"""Texts whose keys are made of names: each trait and each reason of a hint has its words."""

from typing import get_args

from tests.cases import case
from wateringhole.agents.greedy_reasons import MoveReason
from wateringhole.traits import Trait
from wateringhole.web.page_text import catalogue

ENGLISH = catalogue("en")


def test_every_trait_has_a_name_and_a_sentence() -> None:
    wanted = {f"trait.{trait}.{part}" for trait in Trait for part in ("name", "text")}
    assert {key for key in ENGLISH if key.startswith("trait.")} == wanted
    for key in sorted(wanted):
        with case(key):
            words = ENGLISH[key]
            assert isinstance(words, str)
            assert words.endswith(".") == key.endswith(".text")


def test_every_reason_of_a_hint_has_its_words() -> None:
    wanted = {f"hint.reason.{kind.__struct_config__.tag}" for kind in get_args(MoveReason)}
    assert len(wanted) == len(get_args(MoveReason))
    assert {key for key in ENGLISH if key.startswith("hint.reason.")} == wanted
