"""Agents by any name: house bots, Python files, programs, clients, people at this terminal."""
