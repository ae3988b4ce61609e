"""The studies in miniature, each made once for the tests that name it."""

import duckdb
import pytest

from tests.studies.miniatures import Drawn, miniature_of


@pytest.fixture(scope="session")
def miniature(request, tmp_path_factory):
    """Run the study that a test names in miniature and draw its figures."""
    root = tmp_path_factory.mktemp(request.param)
    study = miniature_of(request.param).make(request.param, root)
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield Drawn(root, connection, study)
