"""The page in a real browser: Chromium plays, watches, replays, comes back, and is told hostile things."""
