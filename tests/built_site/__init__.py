"""The documentation as a site, as `make docs` has built it."""
