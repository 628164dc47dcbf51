"""Tests of what outlives a process."""
