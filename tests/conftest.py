"""Settings that hold for every test, and the report that the tests of `reports` and of the browser share."""

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("POLARS_MAX_THREADS", "1")  # as the pipeline; on small tables two take twice the processor time
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a third of a dry run would be compiling the same modules again

import polars as pl
import pytest

from scheduler_core.common.garbage import collect_rarely
from tests.docs.site import site
from tests.headless_chromium import browser as browser
from tests.paths import STUDIES
from tests.profiles import PROFILE, load_profile
from tests.reports import store_fixture

__all__ = ["site"]

load_profile()
collect_rarely()
sys.dont_write_bytecode = False  # half of collecting would be rewriting the same assertions again

LONG = (
    "tests/workflow/",
    "tests/test_contributing.py",
    "tests/browser/",
    "tests/docs/",
    "tests/reports/",
    "tests/studies/",
)
"""Tests that take long; they begin first, so that no process is left alone with them at the end."""

SLOW = (
    *LONG,
    "tests/fuzz/",
    "tests/scheduler_core/checker/test_forgeries.py",
    "tests/scheduler_core/checker/test_mutations.py",
    "tests/scheduler_core/concurrent_gang/test_fast_forward.py",
    "tests/scheduler_core/declarations/test_declared_columns.py",
    "tests/scheduler_core/gang/theory/",
    "tests/scheduler_core/coscheduling/test_same_as_space_sharing.py",
    "tests/scheduler_core/grid/test_same_as_clusters.py",
    "tests/scheduler_core/kernel/test_machine_code.py",
    "tests/scheduler_core/stepping/",
    "tests/scheduler_core/test_against_oracle.py",
    "tests/slotwise/cli/test_full_disk.py",
)
"""Tests that ``make test-fast`` leaves out, besides single ones with the mark ``slow``."""


def made_by(item: pytest.Item) -> list[str]:
    """List what makes the fixtures that a test shares with others: a study in miniature, or modules of tests."""
    if "miniature" in item.fixturenames:  # type: ignore[attr-defined]
        return [item.callspec.params["miniature"]]  # type: ignore[attr-defined]
    fixtures = [found[-1] for found in item._fixtureinfo.name2fixturedefs.values()]  # type: ignore[attr-defined]
    shared = [fixture.func.__module__ for fixture in fixtures if fixture.scope in ("module", "session")]
    return sorted(module for module in shared if module.startswith("tests."))


def leave_out_thorough(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of ``make test-thorough``, but in its own profile."""
    if PROFILE != "thorough" and (left_out := [item for item in items if item.get_closest_marker("thorough")]):
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let tests that share what is expensive to make run in one process (``--dist loadgroup``), and the long ones first."""
    leave_out_thorough(config, items)
    for item in items:
        if "browser" in item.fixturenames:  # type: ignore[attr-defined]
            item.add_marker(pytest.mark.browser)
        if modules := made_by(item):
            item.add_marker(pytest.mark.xdist_group(min(modules, key=len)))
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
    places = {
        item: next((n for n, room in enumerate(LONG) if item.nodeid.startswith(room)), len(LONG)) for item in items
    }
    items.sort(key=places.__getitem__)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Stop a process whose groups do not reach xdist; every process would make what tests share, and say nothing."""
    grouped = [item for item in session.items if item.get_closest_marker("xdist_group")]
    if getattr(session.config.option, "loadgroup", False) and any("@" not in item.nodeid for item in grouped):
        raise pytest.UsageError("pytest-xdist ignores the groups of tests; use versions of both that go together")


def predicates_of(given: object) -> Iterator[object]:
    """Yield the predicates of a filter, those in lists too."""
    if isinstance(given, list | tuple):
        for one in given:
            yield from predicates_of(one)
    else:
        yield given


def is_constant(given: pl.Expr) -> bool:
    """Return whether an expression has one value: it reads neither a column nor a series."""
    return not given.meta.root_names() and "Series[" not in str(given)


def pytest_configure() -> None:
    """Refuse filters by a literal alone: polars with several threads refuses some of them in tables of 16,384 rows or more."""
    for table in (pl.DataFrame, pl.LazyFrame):
        table.filter = with_checked_predicates(table.filter)


def with_checked_predicates(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``filter`` of a table with a check of its predicates."""

    def filtered(self: Any, *predicates: Any, **constraints: Any) -> Any:
        for given in predicates_of(predicates):
            literal = isinstance(given, bool) or (isinstance(given, pl.Expr) and is_constant(given))
            assert not literal, f"this predicate names no column: {given}"
        return plain(self, *predicates, **constraints)

    return filtered


DRAWN = ("baseline", "easy_dialects")
"""Studies of which the shared report consists."""


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Return a store with made-up but plausible rows."""
    return store_fixture.build(tmp_path_factory.mktemp("store") / "slotwise.duckdb")


@pytest.fixture(scope="session")
def figures(store, tmp_path_factory):
    """Draw the figures of every study."""
    from reports.figures.study import draw_study

    folder = tmp_path_factory.mktemp("figures")
    for study in DRAWN:
        draw_study(store, STUDIES / study, folder / study)
    return folder


@pytest.fixture(scope="session")
def windows(store, tmp_path_factory):
    """Draw the windows of the schedules of space sharing."""
    from reports.pages.diagram_page import draw_windows

    folder = tmp_path_factory.mktemp("windows") / "space_sharing"
    draw_windows(store, "space_sharing", folder)
    return [folder]


@pytest.fixture(scope="session")
def report(store, figures, windows, tmp_path_factory):
    """Render the report."""
    from reports.pages.render import render_report

    folder = tmp_path_factory.mktemp("out") / "report"
    render_report(
        store, figures, windows, folder, {"root": "results", "studies": {"baseline": "studies/baseline/study.yaml"}}
    )
    return folder
