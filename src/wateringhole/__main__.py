"""`python -m wateringhole` is the command."""

from wateringhole.cli import main

main()
