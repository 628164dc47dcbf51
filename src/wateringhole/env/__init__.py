"""Environments for learning: drafted actions, observations, PettingZoo, Gymnasium and vectors of games."""
