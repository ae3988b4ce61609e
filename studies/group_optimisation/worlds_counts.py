"""Worlds of the study of group optimisation about counts: groups, tree nodes, what workloads are made of, and the logs."""

from tests.reports.ledger.world import scene

SOURCE = "Kanavallil 2007"
HOUR_US = 3600 * 10**6
SLOWDOWN = "mean_bounded_slowdown_600"
GROUPED = ("groups", "groups_medium", "groups_long", "grouped_share")


def quoted(world, metric, value, *, workload="seed-71", policy="pect_o", scope="all"):
    """Add a number that the thesis prints, shares in whole per cent."""
    scale = 0.01 if metric.endswith("share") and metric != "long_narrow_share" else 1
    world.printed(
        workload, policy, metric, value, scope, source=SOURCE, printed=value / scale, printed_digits=0, printed_scale=scale,
        printed_draws=1,
    )  # fmt: skip


@scene
def whole_row(world, factor, policy="pect_o"):
    """Make a world in which groups are this many times as many as printed in the mean of the seeds, of either class."""
    for metric, printed in zip(GROUPED, (60, 27, 33, 0.19), strict=True):
        quoted(world, metric, printed, policy=policy)
        world.metric("seed-71", policy, metric, [printed * factor * away for away in (0.97, 1.0, 1.02, 1.03)])


@scene
def implied_size(world, found):
    """Make a world in which Table 7 implies 12 jobs (20 % of 3,600 in 60 groups), and groups have so many."""
    quoted(world, "grouped_share", 0.2)
    quoted(world, "groups", 60)
    world.rows("characteristics", "class jobs", ("medium", 2000), ("long", 1600), workload="seed-71", replication=0)
    world.metric("seed-71", "pect_o", "mean_group_size", found)


@scene
def implied_nodes(world, found):
    """Make a world in which Tables 7 and 8 imply 40,000 tree nodes per group, and groups take so many."""
    quoted(world, "groups", 50)
    quoted(world, "tree_nodes", 2_000_000)
    world.metric("seed-71", "pect_o", "tree_nodes_per_group", found)


def job(world, number, workload, policy, batch, *, size=1, hours=1.0, response=2.0, group=None, place=1, kind="medium"):
    """Add a job, and if it is in a group its place there; the first member brings the group."""
    world.row(
        "jobs", workload=workload, policy=policy, replication=0, job=number, batch=batch, size=size, submit_us=0,
        runtime_us=round(hours * HOUR_US), estimate_us=round(hours * HOUR_US), finish_us=round(response * HOUR_US),
        outcome="finished",
    )  # fmt: skip
    if group is not None:
        here = {"workload": workload, "policy": policy, "replication": 0, "cluster": 0, "group_number": group}
        world.row("members", **here, place=place, job=number)
        if place == 1:
            world.row("groups", **here, **{"class": kind})


def formed(world, workload, policy, *, medium=(), long=()):
    """Let so many groups form in each batch of a workload."""
    number = group = 0
    for batch in range(max(len(medium), len(long))):
        job(world, number := number + 1, workload, policy, batch)
        for kind, counts in (("medium", medium), ("long", long)):
            for _ in range(counts[batch] if counts else 0):
                job(world, number := number + 1, workload, policy, batch, group=(group := group + 1), kind=kind)


@scene
def groups_on_lanl(world, medium, long, policy="pect_o"):
    """Make a world in which 120 groups of medium and 40 of long jobs are printed for LANL-CM5, and these form in four batches."""
    for metric, value in (("groups", 160), ("groups_medium", 120), ("groups_long", 40)):
        quoted(world, metric, value, workload="lanl-cm5-first", policy=policy)
    formed(world, "lanl-cm5-first", policy, medium=medium, long=long)


@scene
def sdsc_beside_seeds(world, groups):
    """Make a world in which seeds form 60 groups and SDSC-BLUE these in its batches."""
    world.metric("seed-71", "pect_o", "groups", [55, 60, 65])
    formed(world, "sdsc-blue-first", "pect_o", medium=groups)


@scene
def lending_or_not(world, with_it, without_it):
    """Make a world in which so many groups form in the batches of LANL-CM5 with and without smart backfilling."""
    formed(world, "lanl-cm5-first", "pect_o", medium=with_it)
    formed(world, "lanl-cm5-first", "pect_o_ns", medium=without_it)


@scene
def narrow_members(world, narrow, members):
    """Make a world in which so many of the members of groups of each batch are narrow, on a machine of 100 processors."""
    world.workload("lanl-cm5-first", processors=100)
    number = 0
    for batch, (few, all_of_them) in enumerate(zip(narrow, members, strict=True)):
        for place in range(1, all_of_them + 1):
            size = 10 if place <= few else 50
            job(world, number := number + 1, "lanl-cm5-first", "pect_o", batch, size=size, group=batch, place=place)


@scene
def narrow_jobs(world, factor):
    """Make a world in which narrow jobs of a log take this many times as long with ordered groups."""
    world.workload("lanl-cm5-first", processors=100)
    for batch, base in enumerate((10, 12, 11, 13)):
        for hours in (1.0, 5.0):
            number = 10 * batch + int(hours)
            at = {"size": 10, "hours": hours}
            job(world, number, "lanl-cm5-first", "pect", batch, response=base, **at)
            job(world, number, "lanl-cm5-first", "pect_o", batch, response=base * factor + 0.1 * batch, **at)


@scene
def log_beside_seeds(world, log_gain):
    """Make a world in which seeds gain 10 % and the jobs of a log so many per cent."""
    for scope in ("medium", "long"):
        world.metric("seed-71", "pect", SLOWDOWN, [10, 12, 11], scope)
        world.metric("seed-71", "pect_o", SLOWDOWN, [9, 10.8, 9.9], scope)
        for batch, base in enumerate((10, 12, 11, 13)):
            for policy, factor in (("pect", 1), ("pect_o", 1 - log_gain / 100 + 0.002 * batch)):
                at = {"unit": batch, "scope": scope}
                world.unit_metric("lanl-cm5-first", policy, SLOWDOWN, base * factor, **at)
                world.unit_metric("lanl-cm5-first", policy, "jobs", 100, **at)


@scene
def log_filled(world, log):
    """Make a world in which seeds fill about 80 % of the machine and a log so much."""
    world.metric("seed-71", "pect", "core_utilisation", [0.79, 0.80, 0.81])
    world.metric("lanl-cm5-first", "pect", "core_utilisation", log)


@scene
def made_of(world, metric, printed, found, workload="seed-71"):
    """Make a world in which Table 5 or 6 prints something of long jobs, and draws have these."""
    quoted(world, metric, printed, workload=workload, policy="", scope="long")
    for draw, value in enumerate(found):
        world.row("characteristics", workload=workload, replication=draw, **{"class": "long"}, **{metric: value})


@scene
def gaps(world, metric_of_seed, log):
    """Make a world in which the printed mean gap is 800 s, a seed has the one and a log the other."""
    quoted(world, "mean_gap", 800, policy="")
    world.row("characteristics", workload="seed-71", replication=0, mean_gap_s=metric_of_seed, **{"class": "long"})
    world.row("characteristics", workload="lanl-cm5-first", replication=0, mean_gap_s=log, **{"class": "long"})


@scene
def long_narrow(world, log, seeds):
    """Make a world in which so many of 100 long jobs of a log, and of a seed in its draws, are long-narrow."""
    quoted(world, "long_narrow_share", 0.52, workload="lanl-cm5-first", policy="", scope="long")
    world.row(
        "characteristics", workload="lanl-cm5-first", replication=0, jobs=100, long_narrow=log, **{"class": "long"}
    )
    for draw, share in enumerate(seeds):
        own = {"jobs": 100, "long_narrow": share, "class": "long"}
        world.row("characteristics", workload="seed-71", replication=draw, **own)


@scene
def checked(world, violations):
    """Make a world in which the checker found so many violations in a run with slices."""
    world.row("slices", workload="seed-71", policy="pect", replication=0)
    world.row("certificates", workload="seed-71", policy="pect", replication=0, rule="same processors",
              checked=9, violations=violations)  # fmt: skip


def jobs_of_a_seed(jobs):
    """Make a world in which a seed has so many jobs."""
    return lambda world: world.workload("seed-71", jobs=jobs, replications=1)


@scene
def other_sizes(world, factor):
    """Make a world in which groups of at most 40 and 40 jobs have slowdowns this many times as high."""
    for scope in ("medium", "long"):
        world.metric("one-71", "pect_o", SLOWDOWN, [10, 12, 11], scope)
        world.metric("one-71", "pect_o_m40_l40", SLOWDOWN, [10 * factor, 12.1 * factor, 10.9 * factor], scope)


@scene
def tree_of_4(world, paths, nodes):
    """Make a world in which so many paths and nodes are printed for the search tree of 4 jobs."""
    quoted(world, "tree_paths", paths, workload="", policy="", scope="4")
    quoted(world, "tree_nodes", nodes, workload="", policy="", scope="4")


WORLDS = {
    "g3-groups-in-the-mean": (whole_row(1), whole_row(2)),
    "g3-groups-on-logs": (groups_on_lanl((30, 29, 31, 30), (10, 10, 11, 9)), groups_on_lanl((90, 89, 90, 90), (50, 49, 50, 50))),
    "g4-size-of-groups": (implied_size([11.5, 12, 13]), implied_size([21, 22, 22.5])),
    "g5-sdsc-restricts-groups": (sdsc_beside_seeds((2, 3, 2, 2)), sdsc_beside_seeds((30, 31, 29, 30))),
    "g6-lanl-groups-medium-jobs": (
        groups_on_lanl((5, 6, 5, 6), (1, 1, 2, 1)), groups_on_lanl((1, 1, 2, 1), (5, 6, 5, 6)),
    ),
    "w4-narrow-jobs-in-groups": (
        narrow_members((73, 72, 73, 72), (100,) * 4), narrow_members((30, 32, 31, 30), (100,) * 4),
    ),
    "g7-more-groups-without-smart-backfilling": (
        lending_or_not((2, 3, 2, 2), (5, 6, 6, 5)), lending_or_not((5, 6, 6, 5), (2, 3, 2, 2)),
    ),
    "g7-groups-in-the-mean": (whole_row(1, "pect_o_ns"), whole_row(2, "pect_o_ns")),
    "g7-groups-on-logs": (
        groups_on_lanl((30, 29, 31, 30), (10, 10, 11, 9), "pect_o_ns"),
        groups_on_lanl((90, 89, 90, 90), (50, 49, 50, 50), "pect_o_ns"),
    ),
    "g25-best-group-sizes": (other_sizes(1.2), other_sizes(0.8)),
    "g15-traces-gain-less": (log_beside_seeds(0), log_beside_seeds(30)),
    "g15-poor-utilisation": (log_filled(0.6), log_filled(0.95)),
    "g15-narrow-jobs-in-traces": (narrow_jobs(1.5), narrow_jobs(0.7)),
    "g18-nodes-per-group": (implied_nodes([38e3, 41e3, 42e3]), implied_nodes([98e3, 101e3, 102e3])),
    "w1-shares-of-jobs": (made_of("job_share", 0.17, [0.16, 0.17, 0.18]), made_of("job_share", 0.17, [0.4, 0.41, 0.42])),
    "w1-shares-of-work": (
        made_of("work_share", 0.73, [0.72, 0.73, 0.75]), made_of("work_share", 0.73, [0.2, 0.21, 0.22]),
    ),
    "w1-sizes": (made_of("mean_size", 19, [18, 19, 20]), made_of("mean_size", 19, [40, 41, 42])),
    "w1-gaps": (gaps(800, 2000), gaps(900, 2000)),
    "w2-which-jobs": (jobs_of_a_seed(10_000), jobs_of_a_seed(5_000)),
    "w2-lanl": (
        made_of("mean_size", 244, [244.4], "lanl-cm5-first"), made_of("mean_size", 244, [200], "lanl-cm5-first"),
    ),
    "w2-sdsc-blue": (
        made_of("mean_size", 112, [112.4], "sdsc-blue-first"), made_of("mean_size", 112, [90], "sdsc-blue-first"),
    ),
    "w3-long-narrow-printed": (long_narrow(52, (15, 16)), long_narrow(10, (15, 16))),
    "w3-long-narrow-share": (long_narrow(52, (14.5, 15, 15.5)), long_narrow(52, (50, 51, 52))),
    "w6-gaps-of-logs": (gaps(800, 3000), gaps(800, 346)),
    "s2-sizes-of-trees": (tree_of_4(24, 64), tree_of_4(16, 30)),
    "s1-no-migration": (checked(0), checked(3)),
}  # fmt: skip
