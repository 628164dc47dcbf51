"""The tests of the compiled core need one: plain Python does not collect them, and whoever names them finds none."""

from wateringhole.value import COMPILED

collect_ignore = [] if COMPILED else ["compiled"]
