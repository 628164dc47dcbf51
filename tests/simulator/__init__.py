"""The real server on a simulated network, clock and disk: a seed says what breaks, and laws say what must hold then."""
