"""Worlds of the study of group optimisation from its worked examples, and about draws, machines and orders."""

from tests.reports.ledger.world import scene
from tests.scheduler_core.slices.thesis_examples import GROUP, SLICES

SECOND = 1_000_000
SOURCE = "Kanavallil 2007"
CLASSES = ("short", "medium", "long")
SLOWDOWN = "mean_bounded_slowdown_600"


def ran(world, example, policy, job, start, finish, submit=0):
    """Add a job of an example, times in seconds."""
    world.row(
        "jobs", workload=f"example-{example}", policy=policy, replication=0, job=job, submit_us=submit * SECOND,
        start_us=start * SECOND, finish_us=finish * SECOND, outcome="finished",
    )  # fmt: skip


def grouped(world, example, policy, jobs, formed, ended):
    """Add the only group of an example, times in seconds."""
    here = {"workload": f"example-{example}", "policy": policy, "replication": 0, "cluster": 0, "group_number": 1}
    world.row("groups", **here, formed_us=formed * SECOND, ended_us=ended * SECOND)
    for place, job in enumerate(jobs, start=1):
        world.row("members", **here, place=place, job=job)


@scene
def worked(world, example, submitted, group=None, late=0):
    """Make a world of an example as worked by hand; every job from 3 on starts so much later, and the last one the more."""
    for kind, begin, end in example.slices:
        here = {"workload": f"example-{example.name}", "policy": "worked", "replication": 0, "cluster": 0}
        world.row("slices", **here, begin_us=begin * SECOND, end_us=end * SECOND, **{"class": CLASSES[kind]})
    for job in sorted({run.job for run in example.runs}):
        own = [run for run in example.runs if run.job == job]
        more = late * job if job > 2 else 0
        start, finish = min(run.begin for run in own) + more, max(run.end for run in own) + more
        ran(world, example.name, "worked", job, start, finish, submitted.get(job, 0))
    if group:
        grouped(world, example.name, "worked", *group)


@scene
def group_of_five(world, ended):
    """Make a world in which four jobs of a group finish by 156, another at 290, and the group ends then."""
    for job, finish in ((2, 90), (3, 106), (4, 51), (5, 156), (6, 290)):
        ran(world, "finish", "example-finish", job, 1, finish)
    grouped(world, "finish", "example-finish", (2, 3, 4, 5, 6), 1, ended)


@scene
def backfilled(world, easy, conservative):
    """Make a world in which jobs 1 to 5 start at these times under EASY and conservative backfilling."""
    for policy, starts in (("example-easy", easy), ("example-conservative", conservative)):
        for job, start in enumerate(starts, start=1):
            ran(world, "backfilling", policy, job, start, start + 50)


@scene
def orders_printed(world, *printed):
    """Make a world in which so many discrepancies are printed for the first orders."""
    for number, value in enumerate(printed, start=1):
        world.printed("", "", "discrepancies", value, str(number), source=SOURCE, printed=value, printed_digits=0,
                      printed_scale=1, printed_draws=1)  # fmt: skip


def threshold(discrepancies):
    """Make a world in which orders are evaluated from so many discrepancies on."""
    return lambda world: world.policy("pect_o", parameters={"discrepancies_from": discrepancies})


@scene
def shares_of_a_log(world, policy, grouped_jobs):
    """Make a world in which a fifth of the jobs of LANL-CM5 is printed to be in groups, and so many of 40 in each batch are."""
    world.workload("lanl-cm5-first", processors=100)
    world.printed("lanl-cm5-first", policy, "grouped_share", 0.2, source=SOURCE, printed=20, printed_digits=0,
                  printed_scale=0.01, printed_draws=1)  # fmt: skip
    for batch, many in enumerate(grouped_jobs):
        for job in range(40):
            number = 100 * batch + job
            here = {"workload": "lanl-cm5-first", "policy": policy, "replication": 0, "job": number}
            hour = 3600 * SECOND
            world.row(
                "jobs", **here, batch=batch, size=1, submit_us=0, runtime_us=hour, estimate_us=hour, outcome="finished"
            )
            if job < many:
                world.row("members", **here, cluster=0, group_number=batch, place=job + 1)


@scene
def long_narrow_draws(world, gains):
    """Make a world of three seeds with a draw of many long-narrow jobs and one of few, which gain so many per cent."""
    for place, workload in enumerate(("seed-71", "seed-31", "seed-73")):
        for draw, (narrow, gain) in enumerate(zip((40, 20), gains, strict=True)):
            world.row(
                "characteristics",
                workload=workload,
                replication=draw,
                jobs=100,
                long_narrow=narrow,
                **{"class": "long"},
            )
            for scope in ("medium", "long"):
                at = {"scope": scope, "replication": draw}
                world.metric(workload, "pect", SLOWDOWN, 10, **at)
                world.metric(workload, "pect_o", SLOWDOWN, 10 * (1 - (gain + 0.2 * place * draw) / 100), **at)


@scene
def long_wide_draws(world, waits):
    """Make a world of three seeds with a draw of many long-wide jobs and one of few, in which others wait so long."""
    for place, workload in enumerate(("seed-71", "seed-31", "seed-73")):
        for draw, (wide, wait) in enumerate(zip((40, 20), waits, strict=True)):
            for scope, jobs in (("all", 1000), ("long wide", wide)):
                world.metric(workload, "pect", "jobs", jobs, scope=scope, replication=draw)
            for scope in ("short", "medium"):
                world.metric(workload, "pect", "mean_wait", wait + place * (1 + draw), scope=scope, replication=draw)


@scene
def machine(world, processors):
    """Make a world in which LANL-CM5 has so many processors and 1,024 are printed."""
    world.workload("lanl-cm5-first", processors=processors)
    world.printed("lanl-cm5-first", "", "processors", 1024, source=SOURCE, printed=1024, printed_digits=0, printed_scale=1,
                  printed_draws=1)  # fmt: skip


@scene
def run_times(world, *seconds):
    """Make a world with jobs of LANL-CM5 of these run times."""
    for job, runtime in enumerate(seconds):
        world.row("jobs", workload="lanl-cm5-first", policy="pect", replication=0, job=job, size=1, submit_us=0,
                  runtime_us=runtime * SECOND, estimate_us=SECOND, outcome="finished")  # fmt: skip


GROUPED = ((8, 9, 10, 11, 12), 68, 320)
AT_75 = {13: 75}

WORLDS = {
    "x1-example-of-slices": (worked(SLICES, {}), worked(SLICES, {}, late=100)),
    "x2-example-of-a-group": (
        worked(GROUP, AT_75, GROUPED), worked(GROUP, {}, ((8, 9, 10, 11), 68, 300), late=-6),
    ),
    "x3-end-of-a-group": (group_of_five(156), group_of_five(290)),
    "x4-easy-and-conservative": (
        backfilled((0, 100, 200, 0, 0), (0, 100, 150, 0, 200)), backfilled((0, 100, 150, 0, 200), (0, 100, 200, 0, 0)),
    ),
    "s4-order-of-discrepancies": (orders_printed(0, 1, 1, 2, 1, 2), orders_printed(1, 0, 2, 1, 2, 1)),
    "g17-threshold": (threshold(6), threshold(2)),
    "g3-shares-on-logs": (shares_of_a_log("pect_o", (8, 9, 7, 8)), shares_of_a_log("pect_o", (30, 31, 29, 30))),
    "g7-shares-on-logs": (shares_of_a_log("pect_o_ns", (8, 9, 7, 8)), shares_of_a_log("pect_o_ns", (30, 31, 29, 30))),
    "w8-long-narrow-jobs-cost": (long_narrow_draws((2, 12)), long_narrow_draws((12, 2))),
    "g12-long-wide-jobs-delay": (long_wide_draws((200, 100)), long_wide_draws((100, 200))),
    "w7-machines": (machine(1024), machine(128)),
    "w9-jobs-neglected": (run_times(5, 6), run_times(5, 0)),
}  # fmt: skip
