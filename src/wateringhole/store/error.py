"""What goes wrong with a store, for those who need not load a database to hear of it."""


class StoreError(Exception):
    """A store that cannot be opened or used; the sentence says why."""
