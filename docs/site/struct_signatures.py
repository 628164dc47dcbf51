"""An extension of griffe, which reads the source for the API pages: classes of fields show how they are called."""

from typing import Final

from griffe import Attribute, Class, Extension, Function, Parameter, ParameterKind, Parameters

FIELD_BASES: Final = {"Struct", "NamedTuple"}


class StructSignatures(Extension):
    """Gives each Struct and NamedTuple the constructor that follows from its fields, for the signature of the class."""

    def on_class(self, *, cls: Class, **kwargs: object) -> None:  # noqa: ARG002
        """Add the constructor, unless the class has one of its own."""
        if "__init__" in cls.members or not FIELD_BASES & {str(base).rpartition(".")[2] for base in cls.bases}:
            return
        fields = [
            Parameter(
                field.name, annotation=field.annotation, kind=ParameterKind.positional_or_keyword, default=field.value
            )
            for field in cls.members.values()
            if isinstance(field, Attribute) and field.annotation is not None and "property" not in field.labels
        ]
        first = Parameter("self", kind=ParameterKind.positional_or_keyword)
        cls.set_member("__init__", Function("__init__", parameters=Parameters(first, *fields), returns=None))
