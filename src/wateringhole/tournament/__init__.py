"""Many games: who meets whom, how they are all played, and what came of it."""
