"""The error of a store, in a module of its own because it loads no database library."""


class StoreError(Exception):
    """A store that cannot be opened or used; the sentence says why."""
