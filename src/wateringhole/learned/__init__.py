"""A small network that plays: its layout and file, its decisions in Python and in the kernel, and its gradient."""
