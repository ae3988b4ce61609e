"""What the tests of the front door share: the small workload of the core's tests, and the fit of the drawn log."""

import pytest

from slotwise.planning.fitted import fit
from tests.scheduler_core.conftest import small_workload
from traces.ingest import read_log

__all__ = ["small_workload"]


@pytest.fixture(scope="session")
def drawn_fit():
    """Return what a fit finds of the drawn log."""
    return fit(read_log("drawn"), lambda text: None)
