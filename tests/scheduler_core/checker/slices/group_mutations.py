"""Broken groups and searches: by name the rule that must catch it, the kind of schedule, what is changed."""

from dataclasses import replace

import polars as pl

from scheduler_core.slices.policies.pect import Pect
from tests.scheduler_core.checker.broken_schedules import again, changed, counters, parameters, said, table, without
from tests.scheduler_core.checker.concurrent_gang.machine_in_slices import S


def without_groups(schedule):
    """Let the note name the policy that forms no groups, with the parameters it has."""
    policy = schedule.run["policy"]
    values = {name: policy["parameters"][name] for name in Pect().values()}
    return replace(schedule, run={**schedule.run, "policy": {"name": "pect", "parameters": values}})


GROUP_MUTATIONS = {
    ("groups form when enough jobs wait", "groups"): {
        "groups of a policy without groups": without_groups,
        "a group of fewer jobs than it needs": lambda s: parameters(
            s, **{f"group_{most}_{kind}": 7 for most in ("min", "max") for kind in ("medium", "long")}
        ),
        "a group of fewer processors than it needs": lambda s: parameters(s, group_size_factor_medium=9.0),
        "a group of less work than it needs": lambda s: parameters(
            s, group_work_factor_long=9.0, group_work_factor_medium=20.0
        ),
        "a group that could be larger": lambda s: parameters(s, group_max_medium=30, group_max_long=30),
        "a group formed in the slice of another class": lambda s: changed(s, "groups", "formed_us", -60 * S),
        "groups in another order": lambda s: table(s, "groups", group=pl.col("group").reverse()),
    },
    ("members are the first of the queue", "groups"): {
        "a member is missing": lambda s: without(s, "members"),
        "a member twice": lambda s: again(s, "members"),
        "a member from elsewhere": lambda s: said(s, "members", job=pl.col("job").last()),
        "places that begin with nought": lambda s: table(s, "members", place=pl.col("place") - 1),
    },
    ("groups end one before the next", "groups"): {
        "a group is formed before the last has ended": lambda s: changed(s, "groups", "ended_us", 60 * S),
        "a group ends before it is formed": lambda s: table(s, "groups", ended_us=pl.col("formed_us")),
        "a group ends for nothing": lambda s: changed(s, "groups", "ended_us", -1),
    },
    ("long-wide jobs are those of the group", "groups"): {
        "long-wide jobs there are not": lambda s: changed(s, "groups", "long_wide", 1),
        "jobs become long-wide": lambda s: parameters(
            s, long_wide_min=1, long_wide_max=8, long_wide_size_medium=0.0, long_wide_size_long=0.0
        ),
    },
    ("searches only improve", "groups"): {
        "an improvement that is none": lambda s: table(s, "improvements", slowdown=pl.col("slowdown").first()),
        "improvements found before": lambda s: table(s, "improvements", orders=pl.col("orders").reverse()),
        "more orders than allowed": lambda s: parameters(s, orders=1),
        "a part that was not searched": lambda s: table(
            s, "improvements", s.tables["improvements"].filter(pl.col("part") == 0)
        ),
        "a slowdown below one per job": lambda s: table(s, "improvements", slowdown=pl.col("slowdown") / 99),
        "improvements without a second level": lambda s: parameters(s, second_level=False),
    },
    ("searches fit their groups", "groups"): {
        "orders not generated": lambda s: changed(s, "groups", "orders", -1),
        "cuts without branch and bound": lambda s: parameters(s, branch_and_bound=False),
        "more cuts than tree nodes": lambda s: changed(s, "groups", "pruned", 9999),
        "fewer tree nodes than jobs": lambda s: table(s, "groups", tree_nodes=1),
        "a choice that no search found": lambda s: changed(s, "groups", "slowdown", -1e-3),
        "not the least slowdown": lambda s: changed(s, "groups", "slowdown", 1e-3),
        "another heuristic's slowdown": lambda s: table(
            s, "groups", heuristic_slowdown=pl.col("heuristic_slowdown") + 1e-3
        ),
    },
    ("searches fit their groups", "first level"): {
        "another order than the heuristic's": lambda s: changed(s, "groups", "slowdown", 1e-3)
    },
    ("groups are counted", "groups"): {
        "medium groups not counted": lambda s: counters(s, groups_medium=-1),
        "long groups not counted": lambda s: counters(s, groups_long=1),
        "planned jobs elsewhere not counted": lambda s: counters(s, planned_elsewhere=1),
        "members not counted": lambda s: counters(s, grouped=-1),
        "orders not counted": lambda s: counters(s, orders=-1),
        "tree nodes not counted": lambda s: counters(s, tree_nodes=1),
        "cuts not counted": lambda s: counters(s, pruned=1),
        "cuts at leaves not counted": lambda s: counters(s, pruned_leaves=1),
        "placements not counted": lambda s: counters(s, placements=1),
    },
}
