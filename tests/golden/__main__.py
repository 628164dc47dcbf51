"""Write the golden games anew."""

from tests.golden import GAMES, text

for golden in GAMES:
    golden.path.write_text(text(golden), encoding="utf-8")
