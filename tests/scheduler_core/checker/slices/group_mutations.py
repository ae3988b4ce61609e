"""Broken groups and searches: by name the rule that must catch it, the kind of schedule, what is changed."""

import dataclasses

import polars as pl

from scheduler_core.slices.policies.pect import Pect
from tests.scheduler_core.checker.broken_schedules import at_row, counters, parameters
from tests.scheduler_core.checker.concurrent_gang.machine_in_slices import S
from tests.scheduler_core.checker.slices.broken_slices import again, changed, table, without


def without_groups(schedule):
    """Let the note name the policy that forms no groups, with the parameters it has."""
    policy = schedule.run["policy"]
    values = {name: policy["parameters"][name] for name in Pect().values()}
    return dataclasses.replace(schedule, run={**schedule.run, "policy": {"name": "pect", "parameters": values}})


GROUP_MUTATIONS = {
    "groups of a policy without groups": (
        "groups form when enough jobs wait",
        "groups",
        without_groups,
    ),
    "a group of fewer jobs than it needs": (
        "groups form when enough jobs wait",
        "groups",
        lambda s: parameters(
            s, **{f"group_{most}_{kind}": 7 for most in ("min", "max") for kind in ("medium", "long")}
        ),
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
    "a slowdown below one per job": (
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
    "more cuts than tree nodes": (
        "searches fit their groups",
        "groups",
        lambda s: changed(s, "groups", "pruned", 9999),
    ),
    "fewer tree nodes than jobs": (
        "searches fit their groups",
        "groups",
        lambda s: table(s, "groups", tree_nodes=pl.lit(1, pl.Int64)),
    ),
    "a choice that no search found": (
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
    "tree nodes not counted": ("groups are counted", "groups", lambda s: counters(s, tree_nodes=1)),
    "cuts not counted": ("groups are counted", "groups", lambda s: counters(s, pruned=1)),
    "cuts at leaves not counted": ("groups are counted", "groups", lambda s: counters(s, pruned_leaves=1)),
    "placements not counted": ("groups are counted", "groups", lambda s: counters(s, placements=1)),
}
