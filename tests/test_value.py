"""Values: the classes of moves, boards and views are what the source says, in both cores."""

import ast
import inspect
from pathlib import Path

import pytest

import wateringhole
from tests.cases import case
from wateringhole.game import PlayOutcome
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.player import Other
from wateringhole.species import Species
from wateringhole.traits import Trait
from wateringhole.value import COMPILED, Value, replace
from wateringhole.view import Choose, Feed, Own, Start, Table

VALUES: list[type[Value]] = [
    *(Growth, NewBoard, Replacement, CardPlay, Graze, StoreFat, Attack, Decline),
    *(Species, Other, Own, Start, Choose, Feed, Table, PlayOutcome),
]


def classes() -> dict[str, ast.ClassDef]:
    """Every class of values in the source."""
    nodes = [
        node
        for path in Path(wateringhole.__path__[0]).rglob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef)
    ]
    return {node.name: node for node in nodes if any(ast.unparse(base) == "Value" for base in node.bases)}


def test_a_value_has_the_fields_that_it_is_built_with() -> None:
    for kind in VALUES:
        with case(kind):
            assert tuple(inspect.signature(kind).parameters) == kind.__match_args__


def test_the_init_of_a_value_sets_each_field_once_as_final_and_nothing_else_does() -> None:
    found = classes()
    assert sorted(found) == sorted(kind.__name__ for kind in VALUES)
    for kind in VALUES:
        with case(kind):
            nodes = list(ast.walk(found[kind.__name__]))
            final = [
                ast.unparse(node.target)
                for node in nodes
                if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "Final"
            ]
            stored = [
                ast.unparse(node)
                for node in nodes
                if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            ]
            assert final == [f"self.{name}" for name in kind.__match_args__]
            assert [target for target in stored if target.startswith("self.")] == final


@pytest.mark.skipif(COMPILED, reason="a compiled object has no room for others, whatever __slots__ says")
def test_an_object_has_room_for_its_fields_only() -> None:
    for kind in VALUES:
        with case(kind):
            assert sorted(kind.__dict__["__slots__"]) == sorted(kind.__match_args__)
            assert not hasattr(kind.__new__(kind), "__dict__")


def test_a_board_with_other_traits_has_their_bits() -> None:
    horned = Species(2, traits=(Trait.HORNS,))
    assert replace(horned, traits=(Trait.AMBUSH,)) == Species(2, traits=(Trait.AMBUSH,))
    assert replace(horned, population=3) == Species(3, traits=(Trait.HORNS,))
