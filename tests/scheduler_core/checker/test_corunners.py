"""A family that no module knows of is checked, digested, written and read by what it declares."""

import sys
from dataclasses import replace

import polars as pl
import pytest

from scheduler_core.checker import check
from scheduler_core.checker.common import machine_is_large_enough
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import ALLOCATIONS_COLUMNS, WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.declarations.families import families
from scheduler_core.declarations.policy import policies
from scheduler_core.runs.folder import check_run, read_run, write_run
from scheduler_core.runs.summary import summarise_schedule
from tests.scheduler_core.checker import corunners
from tests.scheduler_core.checker.broken_schedules import broken_rules
from tests.scheduler_core.checker.corunners import S, schedule


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """Let the family and its policy be found."""
    monkeypatch.setitem(families(), "corunners", corunners.FAMILY)
    monkeypatch.setitem(sys.modules, "scheduler_core.checker.corunners.rules", corunners)
    monkeypatch.setitem(policies(), "corunners", corunners.Corunners)


@pytest.fixture
def workload():
    rows = [(1, 0, 10 * S, 10 * S, 2), (2, 4 * S, 2 * S, 2 * S, 2)]
    return Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(2))


def test_jobs_that_slow_each_other_down_on_shared_processors_are_legal(workload):
    certificate = check(workload, schedule(workload))
    assert certificate.legal, certificate.describe()
    assert certificate.family == "corunners"
    told = certificate.describe()
    assert "not checked: that the rates are those of the partners; how many jobs share a processor, which the" in told


@pytest.mark.parametrize(("most", "legal"), [(1, False), (2, True), (None, True)])
def test_a_limit_that_the_family_declares_is_held(workload, monkeypatch, most, legal):
    rule = {"no more processors than the machine has": machine_is_large_enough}
    monkeypatch.setattr(corunners, "RULES", {**corunners.RULES, **rule})
    declared = replace(corunners.FAMILY, jobs_per_processor=most)
    certificate = check(workload, replace(schedule(workload), family=declared))
    assert certificate.legal == legal
    assert ("how many jobs share a processor" in str(certificate.unchecked)) == (most is None)


def test_processor_time_is_what_the_family_says(workload):
    timed = replace(corunners.FAMILY, allocation_columns={"own_us": pl.Int64}, processor_time="own_us")
    made = schedule(workload)
    held = made.allocations.select(*ALLOCATIONS_COLUMNS, own_us="work_us")
    summary = summarise_schedule(replace(made, held=held, family=timed))
    assert summary["utilisation"] == 1.0  # 10 s + 2 s of two processors, in 12 s


def test_a_change_of_rate_is_no_preemption_and_a_gap_is_one(workload):
    rule = "start and finish agree with the allocations"
    assert broken_rules(workload, schedule(workload, preemptions=2)) == {rule}
    assert broken_rules(workload, schedule(workload, gap_us=1)) == {rule}
    assert check(workload, schedule(workload, gap_us=1, preemptions=1)).legal


def test_how_many_may_share_is_the_familys_own_rule(workload):
    assert broken_rules(workload, schedule(workload, at_once=1)) == {"few jobs on a processor"}


@pytest.mark.parametrize("ids", [[0, 0], [0, 2], [0]])
def test_processors_exist_and_are_named_once_all_the_same(workload, ids):
    made = schedule(workload)
    named = pl.when(job=2).then(pl.lit(pl.Series([ids], dtype=pl.List(pl.Int32))).first()).otherwise("processor_ids")
    changed = replace(made, held=made.allocations.with_columns(processor_ids=named))
    assert "a processor is named once" in broken_rules(workload, changed)


def test_a_run_of_it_is_written_and_read_by_its_declaration(workload, tmp_path):
    made = schedule(workload)
    write_run(tmp_path, [workload], [made], [check(workload, made)], "by hand")
    again = read_run(tmp_path)
    assert again.note["family"] == "corunners"
    assert again.schedules[0].tables["pairs"].equals(made.tables["pairs"])
    assert check_run(again)[0].legal


def test_its_own_tables_and_columns_are_digested_and_needed(workload):
    made = schedule(workload)
    pairs, held = made.tables["pairs"], made.allocations
    others = [
        replace(made, tables={"pairs": pairs.with_columns(pl.col("partner") + 1)}),
        replace(made, held=held.with_columns(pl.col("partners") + 1)),
        replace(made, held=held.with_columns(pl.col("processor_ids").list.reverse())),
    ]
    assert len({made.digest, *(other.digest for other in others)}) == 4
    with pytest.raises(ContractError, match="schedule of corunners: the table 'pairs' is missing; found none"):
        check(workload, replace(made, tables={}))
    with pytest.raises(ContractError, match="allocations table: column 'partners' is missing"):
        check(workload, replace(made, held=held.drop("partners")))
