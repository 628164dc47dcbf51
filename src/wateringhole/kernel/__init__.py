"""The rules in C, for many games at once: `playouts` is the way in, docs/performance.md says what it is for.

Laws: the kernel plays by the rules of `rules/` and as the bots of `agents/`, to the last card; tests/kernel compares
them. Where it is not built, or the tables of traits and cards are not those that it was written for, Python plays.
"""
