"""Tests of what tests other programs."""
