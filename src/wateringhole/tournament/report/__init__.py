"""The report of a tournament: one HTML file."""
