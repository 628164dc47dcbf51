"""The kernel against the rules in Python: traces that Python has recorded, replayed in C, state by state."""
