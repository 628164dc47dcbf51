"""The tests of the compiled core need one: in plain Python they are collected only if somebody names them, and fail."""

from wateringhole.value import COMPILED

collect_ignore = [] if COMPILED else ["compiled"]
