"""Agents by spec: house bots, Python files, programs, TCP clients, a player at this terminal."""
