"""Broken schedules in slices of classes: for each rule, mutations that must be caught, and by that rule."""

import dataclasses
from functools import cache

import polars as pl
import pytest
from broken_schedules import at_row, counters, for_job, held, jobs, parameters, with_interval, with_nodes
from random_slices import S, random_slices, random_workload

from scheduler_core.checker import check
from scheduler_core.checker.check import SLICE_RULES
from scheduler_core.contracts import SLICE_TABLES, JobClass, Outcome
from scheduler_core.errors import ContractError

KINDS = {
    "own": {"smart": False},
    "lent": {},
    "easy": {"backfilling": "easy"},
    "groups": {"name": "pect_o", "select": "slowdown"},
    "placed": {"name": "pect_o", "smart": False},
    "first level": {"name": "pect_o", "second_level": False},
}
CLASS = pl.col("class").cast(pl.String)


@cache
def made(kind):
    """Give a workload and a legal schedule of it."""
    workload = random_workload(3, jobs=60, gap_s=15)
    return workload, random_slices(workload, 5, **KINDS[kind])


def broken_rules(workload, schedule):
    return {finding.rule for finding in check(workload, schedule).findings if finding.violations}


def table(schedule, name, rows=None, **columns):
    """Change columns of one of the tables of slices, or give it other rows."""
    rows = schedule.tables[name].with_columns(**columns) if rows is None else rows
    return dataclasses.replace(schedule, tables={**schedule.tables, name: rows})


def first_row(table, *conditions):
    return table.with_row_index("row").filter(*conditions)["row"][0]


def changed(schedule, name, column, by, *conditions):
    """Add to a column of the first row that fulfils the conditions."""
    rows = schedule.tables[name]
    return table(schedule, name, **{column: at_row(first_row(rows, *conditions), column, pl.col(column) + by)})


def without(schedule, name, *conditions):
    """Leave out the first row that fulfils the conditions."""
    rows = schedule.tables[name]
    row = first_row(rows, *conditions)
    return table(schedule, name, pl.concat([rows[:row], rows[row + 1 :]]))


def again(schedule, name):
    return table(schedule, name, pl.concat([schedule.tables[name], schedule.tables[name].tail(1)]))


def runs(schedule):
    """Give the intervals beside the class of their slice and whether it is the job's first or last."""
    number = pl.int_range(pl.len()).over("job")
    return schedule.allocations.with_columns(number=number, of=pl.len().over("job"))


def later_run(schedule):
    return first_row(runs(schedule), pl.col("number") > 0, pl.col("processors") < 8)


def without_run(schedule, row):
    """Leave out an interval, and let work, preemptions and start say so."""
    table, job = schedule.allocations, schedule.allocations["job"][row]
    kept = pl.concat([table[:row], table[row + 1 :]])
    fewer = jobs(schedule, preemptions=for_job(job, "preemptions", pl.col("preemptions") - 1))
    return dataclasses.replace(fewer, held=kept)


def run_in_two(schedule, row):
    table = schedule.allocations
    one = table[row]
    cut = (one["begin_us"][0] + one["end_us"][0]) // 2
    parts = [one.with_columns(end_us=pl.lit(cut, pl.Int64)), one.with_columns(begin_us=pl.lit(cut, pl.Int64))]
    parts = [part.with_columns(work_us=pl.col("end_us") - pl.col("begin_us")) for part in parts]
    twice = jobs(schedule, preemptions=for_job(one["job"][0], "preemptions", pl.col("preemptions") + 1))
    return dataclasses.replace(twice, held=pl.concat([table[:row], *parts, table[row + 1 :]]))


def on_the_processors_of_another(schedule):
    """Give a job the processors of one of its class that is suspended while it begins."""
    first = runs(schedule).filter(pl.col("number") == 0).join(schedule.jobs.select("job", "finish_us"), on="job")
    pairs = first.join(first, on="slot", suffix="_later").filter(
        pl.col("begin_us_later").is_between("begin_us", "finish_us", closed="none"),
        pl.col("job") != pl.col("job_later"),
    )
    nodes, number = pairs["nodes"][0].to_list(), pairs["job_later"][0]
    moved = pl.lit(pl.Series([nodes], dtype=pl.List(pl.Int32))).first()
    return held(schedule, nodes=for_job(number, "nodes", moved))


def alone(schedule):
    """Give the first run of a job that starts after its submission in a slice in which nobody else runs then."""
    asked = schedule.jobs.select("job", "submit_us")
    rows = runs(schedule).join(asked, on="job", maintain_order="left").with_row_index("row")
    waited = rows.filter(pl.col("number") == 0, pl.col("begin_us") > pl.col("submit_us"))
    for row in waited.iter_rows(named=True):
        if rows.filter(pl.col("begin_us") <= row["begin_us"], pl.col("end_us") > row["begin_us"]).height == 1:
            return row["row"]
    raise AssertionError


def other_slot(schedule, row):
    return with_interval(schedule, row, slot=(pl.col("slot") + 1) % 3)


MUTATIONS = {
    "a job is left out": (
        "every job appears once",
        "own",
        lambda s: dataclasses.replace(s, jobs=s.jobs.filter(pl.col("job") != 3)),
    ),
    "a class is called another": (
        "what was asked is unchanged",
        "own",
        lambda s: jobs(s, **{"class": pl.lit("long", JobClass)}),
    ),
    "a killed job is called finished": (
        "finished, killed and rejected jobs are the right ones",
        "own",
        lambda s: jobs(s, outcome=pl.lit("finished", Outcome)),
    ),
    "a start before submission": (
        "nobody starts before submission",
        "own",
        lambda s: held(s, begin_us=for_job(9, "begin_us", pl.lit(0, pl.Int64))),
    ),
    "a preemption not counted": (
        "start and finish agree with the intervals",
        "own",
        lambda s: jobs(s, preemptions=for_job(9, "preemptions", pl.lit(99, pl.Int32))),
    ),
    "a finish that is no interval's end": (
        "start and finish agree with the intervals",
        "own",
        lambda s: jobs(s, finish_us=pl.col("finish_us") + 1),
    ),
    "an interval of no length": (
        "intervals are sound",
        "own",
        lambda s: held(s, end_us=for_job(9, "end_us", pl.col("begin_us"))),
    ),
    "an interval of an unknown job": ("intervals are sound", "own", lambda s: held(s, job=for_job(9, "job", 999))),
    "fewer processors than asked": (
        "a rigid job keeps its size",
        "own",
        lambda s: held(s, processors=pl.col("processors") - 1),
    ),
    "work is lost": (
        "work done is work asked",
        "own",
        lambda s: held(s, work_us=for_job(9, "work_us", pl.col("work_us") - 1)),
    ),
    "a job is slower": ("work done is work asked", "own", lambda s: held(s, rate=for_job(9, "rate", 1 - 1e-9))),
    "a tick lost here and won there": (
        "work done is work asked",
        "own",
        lambda s: with_interval(
            with_interval(s, later_run(s), work_us=pl.col("work_us") + 1),
            later_run(s) - 1,
            work_us=pl.col("work_us") - 1,
        ),
    ),
    "jobs of several classes at once": (
        "no more processors than the machine has",
        "lent",
        lambda s: held(s, begin_us=pl.col("begin_us") - 25 * S),
    ),
    "a processor given to two classes": (
        "no processor is given twice",
        "lent",
        lambda s: held(s, nodes=pl.int_ranges(0, "processors", dtype=pl.Int32)),
    ),
    "a processor the machine does not have": (
        "no processor is given twice",
        "own",
        lambda s: held(s, nodes=pl.col("nodes").list.eval(pl.element() + 1)),
    ),
    "a slice begins a tick late": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: changed(s, "slices", "begin_us", 1, CLASS == "medium"),
    ),
    "a slice is missing": ("slices follow from interval, switch and shares", "own", lambda s: without(s, "slices")),
    "a slice is there twice": ("slices follow from interval, switch and shares", "own", lambda s: again(s, "slices")),
    "slices of an interval without jobs": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: table(
            s,
            "slices",
            pl.concat(
                [s.tables["slices"], s.tables["slices"].tail(2).with_columns(pl.col("begin_us", "end_us") + 120 * S)]
            ),
        ),
    ),
    "a switch of no time": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: table(s, "slices", overhead_us=pl.lit(0, pl.Int64)),
    ),
    "a slice of another cluster": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: table(s, "slices", cluster=at_row(0, "cluster", pl.lit(1, pl.Int16))),
    ),
    "other shares": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: parameters(s, share_medium=0.4, share_long=0.6),
    ),
    "shares of the night": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: parameters(s, night_share_medium=0.4, night_share_long=0.6, night_begins_h=22, night_ends_h=1),
    ),
    "other intervals": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: parameters(s, interval_s=60.0, short_slice_s=10.0),
    ),
    "a longer short slice than allowed": (
        "short slices are as long as short jobs need",
        "own",
        lambda s: parameters(s, short_slice_s=20.0),
    ),
    "a short slice that could be longer": (
        "short slices are as long as short jobs need",
        "own",
        lambda s: parameters(s, short_slice_s=40.0),
    ),
    "short slices longer than promised": (
        "short slices are as long as short jobs need",
        "own",
        lambda s: table(s, "promises", clock_us=pl.lit(0, pl.Int64)),
    ),
    "a run while the machine is switched": (
        "everybody runs within a slice at work",
        "own",
        lambda s: with_interval(s, later_run(s), begin_us=pl.col("begin_us") - 1),
    ),
    "a run called by another class": (
        "everybody runs within a slice at work",
        "own",
        lambda s: other_slot(s, later_run(s)),
    ),
    "a run before the first slice": (
        "everybody runs within a slice at work",
        "own",
        lambda s: table(s, "slices", s.tables["slices"][9:]),
    ),
    "no slices at all": (
        "everybody runs within a slice at work",
        "own",
        lambda s: table(s, "slices", s.tables["slices"].clear()),
    ),
    "a job is suspended a tick early": (
        "nobody is suspended before a slice ends",
        "own",
        lambda s: with_interval(s, later_run(s) - 1, end_us=pl.col("end_us") - 1),
    ),
    "a stretch is written as two": (
        "nobody is suspended before a slice ends",
        "own",
        lambda s: run_in_two(s, later_run(s)),
    ),
    "a job comes back elsewhere": (
        "a job keeps its processors",
        "own",
        lambda s: with_nodes(s, later_run(s), [15 - node for node in s.allocations["nodes"][later_run(s)].to_list()]),
    ),
    "processors only counted": (
        "a job keeps its processors",
        "own",
        lambda s: held(s, nodes=pl.lit(None, pl.List(pl.Int32))),
    ),
    "a job takes processors of a suspended one": (
        "started jobs of a class hold processors of their own",
        "own",
        on_the_processors_of_another,
    ),
    "a job sits a slice of its class out": (
        "started jobs run in every slice of their class",
        "own",
        lambda s: without_run(s, first_row(runs(s), pl.col("number").is_between(1, pl.col("of") - 2))),
    ),
    "a job begins its slice a tick late": (
        "started jobs run in every slice of their class",
        "own",
        lambda s: with_interval(s, later_run(s), begin_us=pl.col("begin_us") + 1),
    ),
    "a run on another cluster": (
        "everybody runs within a slice at work",
        "own",
        lambda s: with_interval(s, later_run(s), cluster=pl.lit(1, pl.Int16)),
    ),
    "a job waits in a slice without anybody": (
        "no slice idles while jobs of its class wait",
        "easy",
        lambda s: with_interval(s, alone(s), begin_us=pl.col("begin_us") + 1),
    ),
    "lending without permission": (
        "slices are lent only when the policy lends",
        "lent",
        lambda s: parameters(s, smart=False),
    ),
    "placing without permission": (
        "slices are lent only when the policy lends",
        "placed",
        lambda s: parameters(s, dynamic=False),
    ),
    "placing in a slice without a group": (
        "slices are lent only when the policy lends",
        "placed",
        lambda s: table(s, "groups", formed_us=pl.col("formed_us") * 0, ended_us=pl.col("ended_us") * 0 + 1),
    ),
    "placing where groups had ended": (
        "slices are lent only when the policy lends",
        "placed",
        lambda s: table(s, "groups", ended_us=pl.col("formed_us")),
    ),
    "lending where only placing is allowed": (
        "slices are lent only when the policy lends",
        "groups",
        lambda s: parameters(s, smart=False),
    ),
    "slices not counted": ("slices and lending are counted", "own", lambda s: counters(s, slices=-1)),
    "starts elsewhere not counted": (
        "slices and lending are counted",
        "lent",
        lambda s: counters(s, started_elsewhere=1),
    ),
    "runs elsewhere not counted": (
        "slices and lending are counted",
        "lent",
        lambda s: counters(s, resumed_elsewhere=-1),
    ),
    "placed jobs not counted": ("slices and lending are counted", "placed", lambda s: counters(s, dynamic=-1)),
    "more placed jobs than can be": ("slices and lending are counted", "groups", lambda s: counters(s, dynamic=40)),
    "more backfilled jobs than can be": ("backfilled jobs are counted", "lent", lambda s: counters(s, backfilled=40)),
    "fewer backfilled jobs than must be": ("backfilled jobs are counted", "lent", lambda s: counters(s, backfilled=-9)),
    "a promise is missing": ("promises are made when they are due", "own", lambda s: without(s, "promises")),
    "a promise is made twice": ("promises are made when they are due", "own", lambda s: again(s, "promises")),
    "a promise made late": (
        "promises are made when they are due",
        "own",
        lambda s: changed(s, "promises", "made_us", 1),
    ),
    "promises in another order": (
        "promises are made when they are due",
        "own",
        lambda s: table(s, "promises", s.tables["promises"].reverse()),
    ),
    "a promise of another cluster": (
        "promises are made when they are due",
        "own",
        lambda s: table(s, "promises", cluster=at_row(0, "cluster", pl.lit(1, pl.Int16))),
    ),
    "promises where only the first job has a reservation": (
        "promises are made when they are due",
        "own",
        lambda s: parameters(s, backfilling="easy"),
    ),
    "promises that others' starts may break": (
        "promises are made when they are due",
        "own",
        lambda s: parameters(s, guard=False),
    ),
    "a group renews no promise": (
        "promises are made when they are due",
        "groups",
        lambda s: without(s, "promises", pl.col("group") > 0),
    ),
    "a promise by a group of another class": (
        "promises are made when they are due",
        "groups",
        lambda s: changed(s, "promises", "group", 99, pl.col("group") > 0),
    ),
    "a promised finish a tick early": (
        "promised finishes follow from promised clocks",
        "own",
        lambda s: changed(s, "promises", "finish_us", -1),
    ),
    "a promised finish of the next interval": (
        "promised finishes follow from promised clocks",
        "own",
        lambda s: changed(s, "promises", "finish_us", 120 * S),
    ),
    "finishes promised without the worst case": (
        "promised finishes follow from promised clocks",
        "own",
        lambda s: parameters(s, short_slice_s=25.0),
    ),
    "finishes promised without the night": (
        "promised finishes follow from promised clocks",
        "own",
        lambda s: parameters(s, night_share_medium=0.4, night_share_long=0.6, night_begins_h=22, night_ends_h=23),
    ),
    "a start later than promised": (
        "promises are kept",
        "own",
        lambda s: table(s, "promises", clock_us=pl.col("clock_us").clip(upper_bound=S)),
    ),
    "a finish later than promised": (
        "promises are kept",
        "own",
        lambda s: table(s, "promises", finish_us=pl.col("made_us") + S),
    ),
    "a promise before the class clock": (
        "promises are no later than needed",
        "own",
        lambda s: table(s, "promises", clock_us=pl.lit(0, pl.Int64)),
    ),
    "a promise later than anybody needs": (
        "promises are no later than needed",
        "own",
        lambda s: changed(s, "promises", "clock_us", 9000 * S, pl.col("made_us") > 99 * S),
    ),
    "a promise on processors that are held": (
        "promises leave room for started jobs",
        "lent",
        lambda s: table(s, "promises", clock_us=pl.lit(0, pl.Int64)),
    ),
    "members promised the same processors": (
        "promises leave room for started jobs",
        "groups",
        lambda s: table(s, "promises", clock_us=pl.col("clock_us").min().over("made_us", "group")),
    ),
    "groups of a policy without groups": (
        "groups form when enough jobs wait",
        "groups",
        lambda s: dataclasses.replace(s, run={**s.run, "policy": {**s.run["policy"], "name": "pect"}}),
    ),
    "a group of fewer jobs than it needs": (
        "groups form when enough jobs wait",
        "groups",
        lambda s: parameters(s, group_min_medium=7, group_min_long=7),
    ),
    "a group of fewer processors than it needs": (
        "groups form when enough jobs wait",
        "groups",
        lambda s: parameters(s, group_size_factor_medium=9.0),
    ),
    "a group of less work than it needs": (
        "groups form when enough jobs wait",
        "groups",
        lambda s: parameters(s, group_work_factor_long=9.0, group_work_factor_medium=20.0),
    ),
    "a group that could be larger": (
        "groups form when enough jobs wait",
        "groups",
        lambda s: parameters(s, group_max_medium=30, group_max_long=30),
    ),
    "a group formed in the slice of another class": (
        "groups form when enough jobs wait",
        "groups",
        lambda s: changed(s, "groups", "formed_us", -60 * S),
    ),
    "groups in another order": (
        "groups form when enough jobs wait",
        "groups",
        lambda s: table(s, "groups", group=pl.col("group").reverse()),
    ),
    "a member is missing": ("members are the first of the queue", "groups", lambda s: without(s, "members")),
    "a member twice": ("members are the first of the queue", "groups", lambda s: again(s, "members")),
    "a member from elsewhere": (
        "members are the first of the queue",
        "groups",
        lambda s: table(s, "members", job=at_row(0, "job", pl.col("job").last())),
    ),
    "places that begin with nought": (
        "members are the first of the queue",
        "groups",
        lambda s: table(s, "members", place=pl.col("place") - 1),
    ),
    "a group is formed before the last has ended": (
        "groups end one before the next",
        "groups",
        lambda s: changed(s, "groups", "ended_us", 60 * S),
    ),
    "a group ends before it is formed": (
        "groups end one before the next",
        "groups",
        lambda s: table(s, "groups", ended_us=pl.col("formed_us")),
    ),
    "a group ends for nothing": (
        "groups end one before the next",
        "groups",
        lambda s: changed(s, "groups", "ended_us", -1),
    ),
    "long-wide jobs there are not": (
        "long-wide jobs are those of the group",
        "groups",
        lambda s: changed(s, "groups", "long_wide", 1),
    ),
    "jobs become long-wide": (
        "long-wide jobs are those of the group",
        "groups",
        lambda s: parameters(s, long_wide_min=1, long_wide_max=8, long_wide_size_medium=0.0, long_wide_size_long=0.0),
    ),
    "an improvement that is none": (
        "searches only improve",
        "groups",
        lambda s: table(s, "improvements", slowdown=pl.col("slowdown").first()),
    ),
    "improvements found before": (
        "searches only improve",
        "groups",
        lambda s: table(s, "improvements", orders=pl.col("orders").reverse()),
    ),
    "more orders than allowed": (
        "searches only improve",
        "groups",
        lambda s: parameters(s, orders=1),
    ),
    "a part that was not searched": (
        "searches only improve",
        "groups",
        lambda s: table(s, "improvements", s.tables["improvements"].filter(pl.col("part") == 0)),
    ),
    "a slowdown below one a job": (
        "searches only improve",
        "groups",
        lambda s: table(s, "improvements", slowdown=pl.col("slowdown") / 99),
    ),
    "improvements without a second level": (
        "searches only improve",
        "groups",
        lambda s: parameters(s, second_level=False),
    ),
    "orders not generated": ("searches fit their groups", "groups", lambda s: changed(s, "groups", "orders", -1)),
    "cuts without branch and bound": (
        "searches fit their groups",
        "groups",
        lambda s: parameters(s, branch_and_bound=False),
    ),
    "more cuts than nodes": ("searches fit their groups", "groups", lambda s: changed(s, "groups", "pruned", 9999)),
    "fewer nodes than jobs": (
        "searches fit their groups",
        "groups",
        lambda s: table(s, "groups", nodes=pl.lit(1, pl.Int64)),
    ),
    "a choice that nobody found": (
        "searches fit their groups",
        "groups",
        lambda s: changed(s, "groups", "slowdown", -1e-3),
    ),
    "not the least slowdown": ("searches fit their groups", "groups", lambda s: changed(s, "groups", "slowdown", 1e-3)),
    "another order than the heuristic's": (
        "searches fit their groups",
        "first level",
        lambda s: changed(s, "groups", "slowdown", 1e-3),
    ),
    "another heuristic's slowdown": (
        "searches fit their groups",
        "groups",
        lambda s: table(s, "groups", heuristic_slowdown=pl.col("heuristic_slowdown") + 1e-3),
    ),
    "medium groups not counted": ("groups are counted", "groups", lambda s: counters(s, groups_medium=-1)),
    "long groups not counted": ("groups are counted", "groups", lambda s: counters(s, groups_long=1)),
    "planned jobs elsewhere not counted": ("groups are counted", "groups", lambda s: counters(s, planned_elsewhere=1)),
    "members not counted": ("groups are counted", "groups", lambda s: counters(s, grouped=-1)),
    "orders not counted": ("groups are counted", "groups", lambda s: counters(s, orders=-1)),
    "nodes not counted": ("groups are counted", "groups", lambda s: counters(s, nodes=1)),
    "cuts not counted": ("groups are counted", "groups", lambda s: counters(s, pruned=1)),
    "cuts at leaves not counted": ("groups are counted", "groups", lambda s: counters(s, pruned_leaves=1)),
    "placements not counted": ("groups are counted", "groups", lambda s: counters(s, placements=1)),
}

ALONE = {  # mutations that break one rule and no other
    "work is lost",
    "a job is slower",
    "a tick lost here and won there",
    "processors only counted",
    "lending without permission",
    "slices not counted",
    "placed jobs not counted",
    "planned jobs elsewhere not counted",
    "more backfilled jobs than can be",
    "a promise is made twice",
    "a promised finish a tick early",
    "long-wide jobs there are not",
    "places that begin with nought",
    "orders not counted",
    "a group of less work than it needs",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_unbroken_schedules_are_legal(kind):
    certificate = check(*made(kind))
    assert certificate.legal, certificate.describe()
    assert {finding.rule for finding in certificate.findings} == set(SLICE_RULES)


def test_no_rule_is_idle():
    checked = {
        finding.rule for kind in ("groups", "easy") for finding in check(*made(kind)).findings if finding.checked
    }
    assert checked == set(SLICE_RULES)


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(name):
    rule, kind, mutate = MUTATIONS[name]
    workload, schedule = made(kind)
    found = broken_rules(workload, mutate(schedule))
    assert rule in found
    assert name not in ALONE or found == {rule}


def test_every_rule_has_a_mutation():
    assert {rule for rule, _, _ in MUTATIONS.values()} == set(SLICE_RULES)


@pytest.mark.parametrize("name", SLICE_TABLES)
def test_all_tables_are_needed(name):
    workload, schedule = made("own")
    tables = {other: rows for other, rows in schedule.tables.items() if other != name}
    with pytest.raises(ContractError, match=f"the table '{name}' is missing; found"):
        check(workload, dataclasses.replace(schedule, tables=tables))


@pytest.mark.parametrize("name", SLICE_TABLES)
def test_tables_without_a_column_or_a_value_are_refused(name):
    workload, schedule = made("groups")
    column = list(SLICE_TABLES[name])[-1]
    with pytest.raises(ContractError, match=f"{name} table: column '{column}' is missing"):
        check(workload, table(schedule, name, schedule.tables[name].drop(column)))
    with pytest.raises(ContractError, match=f"{name} table: column '{column}' has no value in 1 of"):
        check(workload, table(schedule, name, **{column: at_row(0, column, None)}))


def test_a_note_without_the_parameters_is_refused():
    workload, schedule = made("own")
    policy = {"name": "pect", "parameters": {}}
    with pytest.raises(ContractError, match="its note has no parameter 'short_below_s'"):
        check(workload, dataclasses.replace(schedule, run={**schedule.run, "policy": policy}))
