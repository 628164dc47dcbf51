"""Tournaments and matches: schedule, worker processes, statistics, report."""
