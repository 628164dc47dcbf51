"""What the laws of the wire have in common.

How long one example of a law takes is a matter of the machine and its load, so no test fails for it.
"""

from hypothesis import HealthCheck, settings

settings.register_profile("wire", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("wire")
