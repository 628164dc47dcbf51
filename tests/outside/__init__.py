"""Agents by any name."""
