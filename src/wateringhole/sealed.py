"""Read-only values in plain Python.

Compiled, a Final attribute cannot be assigned from outside. Plain Python has no such thing for a slots class, and a
`__setattr__` that refuses would make every board four times as dear to build (830 ns against 230). So a finished object
moves into a sealed twin of its class, which costs 10 ns.
"""

from typing import NoReturn, TypeVar

T = TypeVar("T")


def sealed(kind: type[T]) -> type[T]:
    """A twin of this slots class whose objects refuse every assignment."""
    return type(kind.__name__, (kind,), {"__slots__": (), "__setattr__": _refuse, "__delattr__": _refuse})


def _refuse(value: object, name: str, *_: object) -> NoReturn:
    raise AttributeError(f"{name} of a {type(value).__name__} cannot be changed: it is a value")
