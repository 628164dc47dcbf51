"""What outlives a process: the journals of running games, and every finished game in a database."""
