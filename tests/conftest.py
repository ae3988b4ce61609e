"""Settings that hold for every test: the same examples on every machine, and no deadline (kernels compile once)."""

from hypothesis import HealthCheck, settings

settings.register_profile("slotwise", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("slotwise")
