"""Tests of other programs: harnesses and suites of cases, generated situations, rogue clients, the doctor for bots."""
