"""Settings that hold for every test, and the report that the tests of `reports` and of the browser share."""

import pytest
from hypothesis import HealthCheck, settings

from tests.reports import store_fixture

# The same examples on every machine, and no deadline: kernels compile once.
settings.register_profile("slotwise", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("slotwise")

STUDIES = ("baseline", "easy_dialects")


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Return a store with made-up but plausible rows."""
    return store_fixture.build(tmp_path_factory.mktemp("store") / "slotwise.duckdb")


@pytest.fixture(scope="session")
def figures(store, tmp_path_factory):
    """Draw the figures of every study."""
    from reports.figures.study import draw_study

    folder = tmp_path_factory.mktemp("figures")
    for study in STUDIES:
        draw_study(store, study, folder / study)
    return folder


@pytest.fixture(scope="session")
def report(store, figures, tmp_path_factory):
    """Render the report."""
    from reports.pages.render import render_report

    folder = tmp_path_factory.mktemp("out") / "report"
    render_report(store, figures, folder, {"root": "results", "studies": {"baseline": "config/studies/baseline.yaml"}})
    return folder
