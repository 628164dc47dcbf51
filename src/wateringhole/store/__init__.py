"""Persistence: logs of running games, and finished games in a database."""
