"""What the tests of the ledger share."""

import pytest

from tests.reports.ledger.world import Stage


@pytest.fixture(scope="session")
def stage():
    """Return an empty store for worlds."""
    made = Stage()
    yield made
    made.connection.close()
