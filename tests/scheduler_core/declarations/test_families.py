"""Every family describes its schedules, completely and without an engine."""

from dataclasses import MISSING, fields, replace

import polars as pl
import pytest

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import ALLOCATIONS_COLUMNS, DECIDING_COLUMNS
from scheduler_core.declarations.families import Family, families, family, part_of
from scheduler_core.declarations.policy import (
    PREEMPTIVE,
    family_of,
    get_policy,
    kind_of,
    policies,
    policies_by_family,
    policy_names,
)
from tests.imported import imported_by


def test_the_families_are_those_the_policies_belong_to():
    known = {"space_sharing", "gang", "slices", "coscheduling", "grid", "concurrent_gang"}
    assert set(policies_by_family()) == known
    assert set(families()) - known == {family_of(kind_of(PREEMPTIVE))}  # its policies are all the user's own


@pytest.mark.parametrize("declared", families().values(), ids=families())
def test_a_declaration_leaves_nothing_out(declared):
    for entry in fields(Family):
        if entry.default is MISSING and entry.default_factory is MISSING:
            assert getattr(declared, entry.name), entry.name
    assert len(set(declared.metrics)) == len(declared.metrics)
    assert 3 <= len(declared.leading) <= 5
    assert set(declared.depends_on) <= set(DECIDING_COLUMNS)
    assert not set(declared.allocation_columns) & set(ALLOCATIONS_COLUMNS)
    assert set(part_of("scheduler_core.checker", declared.name, "rules").RULES)
    for table in declared.tables.values():
        assert table.version
        pl.DataFrame(schema=dict(table.columns))


@pytest.mark.parametrize("word", policy_names())
def test_what_is_measured_of_a_policy_is_a_word_of_its_family(word):
    policy = get_policy(word)
    assert set(policy.measures()) <= set(family(family_of(type(policy))).measures)


def test_runs_depend_on_the_rules_of_their_family():
    checker = {path.parent.name for path in policies()["pect"].source_files() if "checker" in path.parts}
    assert checker == {"checker", "slices"}


def test_processor_time_is_told_by_a_column_of_the_familys_own():
    with pytest.raises(
        ContractError, match="processor_time must be one of its columns of allocations; found 'busy_us'"
    ):
        replace(family("space_sharing"), processor_time="busy_us")
    assert family("gang").processor_time == "turn_us"


def test_waits_begin_to_count_where_jobs_run_alone():
    assert family("space_sharing").wait == "to_first_start"
    assert family("gang").wait == family("slices").wait == "response_less_runtime"
    for name in ("gang", "slices"):
        assert "mean_time_to_start" in family(name).metrics
        assert family(name).leading[0] == "mean_response"


def test_an_unknown_family_is_refused_with_the_nearest():
    with pytest.raises(ContractError, match="did you mean 'slices'"):
        family("slice")


def test_declarations_import_no_engine():
    found = imported_by("from scheduler_core.declarations.families import families\nfamilies()")
    ours = [name for name in found if name.startswith("scheduler_core") and "policies" not in name]
    assert not [name for name in ours if name.endswith((".engine", ".event_loop", ".state"))]
    assert "numba" not in found


def test_a_leading_metric_must_be_one_of_the_metrics():
    with pytest.raises(ContractError, match="leading metrics mean_wait are not"):
        Family("x", "X", "none", (), (), metrics=(), leading=("mean_wait",), wait="to_first_start")
