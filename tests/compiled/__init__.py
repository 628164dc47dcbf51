"""What holds only where the core is compiled: that it is the same game, and that nothing was lost on the way."""
