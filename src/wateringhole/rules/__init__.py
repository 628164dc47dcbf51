"""The rule book: plain functions that change a game, one module for each of its moments."""
