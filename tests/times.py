"""How much more than usual a test repeats itself: TIMES=10 in the environment."""

import os
from typing import Final

TIMES: Final = int(os.environ.get("TIMES", "1"))
