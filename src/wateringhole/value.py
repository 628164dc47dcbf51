"""Read-only values: what moves, boards and views are.

A value is a class with an `__init__` that sets Final attributes. It is no msgspec Struct, because compiled code reads
an attribute of a class of its own in one nanosecond and that of a Struct in fifteen.

The compiled core refuses to set an attribute again. In plain Python only the type checker does: a check at run time
would make a board take three times as long to build.
"""

from typing import ClassVar, Final, TypeVar

from mypy_extensions import mypyc_attr

COMPILED: Final = not __file__.endswith(".py")


@mypyc_attr(acyclic=True)
class Value:
    """Values are equal when they are of one class and all that `__match_args__` names is equal."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Value) and parts(self) == parts(other)

    def __hash__(self) -> int:
        return hash(parts(self))

    def __repr__(self) -> str:
        named = ", ".join([f"{name}={getattr(self, name)!r}" for name in type(self).__match_args__])
        return f"{type(self).__name__}({named})"

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), parts(self)


V = TypeVar("V", bound=Value)


def parts(value: Value) -> tuple[object, ...]:
    return tuple([getattr(value, name) for name in type(value).__match_args__])


def replace(value: V, **changes: object) -> V:
    """The same value with other parts."""
    named = {name: getattr(value, name) for name in type(value).__match_args__}
    if "traits" in changes:
        named.pop("mask", None)  # which follows from them
    return type(value)(**(named | changes))
