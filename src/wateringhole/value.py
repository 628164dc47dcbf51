"""Read-only values: what moves, boards and views are.

Compiled and plain Python want different things of them. Compiled code reads an attribute of a class of its own in one
nanosecond and that of a msgspec Struct in fifteen; plain Python builds a Struct in 55 ns and an object of a class with
an `__init__` in 250. So a value is written once, as a class with an `__init__` that sets Final attributes. Compiled, it
is just that. In plain Python the metaclass below makes a frozen Struct of it, with the parameters of the `__init__` for
fields; the `__init__` itself is never called. What both must do with a new object stands in `__post_init__`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar, cast

from msgspec import Struct
from msgspec.structs import force_setattr
from mypy_extensions import mypyc_attr

COMPILED: Final = not __file__.endswith(".py")


@mypyc_attr(acyclic=True)
class Value:
    """Values are equal when they are of one kind and all that `__match_args__` names is equal."""

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


if not COMPILED and not TYPE_CHECKING:
    _META = type(Struct)

    class _Frozen(type):
        """Makes Structs of the classes of values."""

        def __new__(cls, name, _, body):
            init = body.pop("__init__")
            names = init.__code__.co_varnames[1 : init.__code__.co_argcount]
            defaults = init.__defaults__ or ()
            body["__annotations__"] = dict.fromkeys(names, object)
            body.update(zip(names[len(names) - len(defaults) :], defaults, strict=True))
            body.pop("__match_args__", None)
            # No subclass of Value, and so not of this metaclass: Python 3.11 would build its objects 30 ns slower.
            return _META(name, (Struct,), body, frozen=True, gc=False)

    Value = type.__new__(_Frozen, "Value", (), {})


V = TypeVar("V", bound=Value)

amend: Final = cast(Callable[[Value, str, object], None], force_setattr)
"""Sets a part of a value that is just being made, in plain Python."""


def parts(value: Value) -> tuple[object, ...]:
    return tuple([getattr(value, name) for name in type(value).__match_args__])


def replace(value: V, **changes: object) -> V:
    """The same value with other parts."""
    named = {name: getattr(value, name) for name in type(value).__match_args__}
    if "traits" in changes:
        named.pop("mask", None)  # which follows from them
    return type(value)(**(named | changes))
