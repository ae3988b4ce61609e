"""Figure 6.9 worked by hand: a task that runs alone blocks its job."""

from tests.oracles.job import Does
from tests.scheduler_core.concurrent_gang.ways import Worked
from tests.scheduler_core.scenario import Asked, Scenario, asked, scenario

MACHINE = "slice_ms=10, switch_us=0, latency_us=500, overhead_us=0"
"""Slices of 10 ms; the baseline, and with it the spin limit and what a barrier takes, is 1 ms."""

ALONE = "c1:2000 w1:1000 c1:2000 w1:1000 c1:2000 w1:1000 c1:1000"
"""The first slice of the job that synchronises: three barriers, and half of the work up to the fourth."""

TOGETHER = "c1:1000 w1:1000 c1:2000 w1:1000 c1:2000 w1:1000 c1:2000"
"""Its second slice where its tasks run together: three barriers more, and the work up to the next."""


def synchronous() -> Asked:
    """Return a job of a task on each of four processors, with a barrier after every 2 ms of work."""
    program = (("compute", 2000), ("barrier",)) * 20
    return asked(0, 0.06, 4, does=Does("program", seed=1, statements=(program,) * 4))


def computing(size: int, seed: int) -> Asked:
    """Return a job that comes in the first slice and computes."""
    return asked(0.005, 1, size, does=Does("compute", seed=seed))


def calls(until: float, *names: str) -> dict[str, str]:
    """Return presets with the machine's parameters, by name; ``+`` stands before ``resume_owner``."""
    extent = f"until_s={until}, trace_s={until}"
    resumed = {True: ", resume_owner=True", False: ""}
    return {name: f"{name.rstrip('+')}({MACHINE}, {extent}{resumed[name.endswith('+')]})" for name in names}


@scenario
def a_task_alone_loses_its_job_the_slice() -> Scenario:
    """Job 1 synchronises (J3 of the figure); job 2 computes on all processors (J1), job 3 on the first three (J2).

    Rows 0, 1 and 2 are theirs. In the slice of job 3, from 20 to 30 ms, processor 3 has no owner.

    Round robin takes task 3 of job 1 there, which ran before job 2 did. It comes to its barrier at 21, spins for 1 ms,
    blocks, and job 2 runs. In the slice of job 1, from 30 on, task 3 is still blocked and processor 3 goes on with job 2.
    The other tasks reach the barrier at 31, which releases all at 32; but at the next they wait for task 3 from 34, block
    at 35, and job 1 has lost the rest of its slice. With its owner resumed, processor 3 returns to task 3 at 32, and
    nothing is lost.

    With priorities job 2, which computes (0.9), goes before task 3, which has shown to communicate (0.6; 0.3 by formula 8.4).
    """
    names = calls(0.04, "cg_rr", "cg_rr+", "cg_gang", "cg_prio", "cg_prio_84")
    beside = f"{ALONE} c2:10000 c3:10000"
    kept = f"{beside} {TOGETHER}"
    lost = f"{beside} c1:1000 w1:1000 c1:2000 w1:1000 c2*:5000"
    started = f"{ALONE} c2:10000 c1*:1000 w1*:1000 c2*:8000"
    again = "c2*:2000 c1:2000 w1:1000 c1:2000 w1:1000 c1:2000"
    filled = f"{ALONE} c2:10000 c2*:10000 {TOGETHER}"
    times = ((0, None), (0.01, None), (0.01, None))
    return Scenario(
        processors=4,
        jobs=(synchronous(), computing(4, 2), computing(3, 3)),
        schedules={
            names["cg_rr"]: Worked(times, (lost, lost, lost, f"{started} c2*:10000"), counters={"blocked": 4}),
            names["cg_rr+"]: Worked(times, (kept, kept, kept, f"{started} {again}"), counters={"blocked": 1}),
            names["cg_gang"]: Worked(times, (kept, kept, kept, f"{ALONE} c2:10000 .:10000 {TOGETHER}")),
            names["cg_prio"]: Worked(times, (kept, kept, kept, filled), counters={"blocked": 0}),
            names["cg_prio_84"]: Worked(times, (kept, kept, kept, filled), counters={"blocked": 0}),
        },
    )


@scenario
def without_a_computing_task_only_the_floor_keeps_it_from_running() -> Scenario:
    """As before without the job that computes on all processors: processor 3 has none but task 3 of job 1.

    Without a floor it runs alone in the slice of job 2 all the same, and blocks. Its own slice finds it blocked, but as
    there is none else to run it goes on when the barrier releases it, at 22, chosen by the local scheduler. Under formula
    8.4 its priority is 0.3 exactly, which is not above the floor of 0.3: the processor idles.
    """
    names = calls(0.03, "cg_rr", "cg_prio", "cg_prio_84")
    beside = f"{ALONE} c2:10000 {TOGETHER}"
    alone = f"{ALONE} c1*:1000 w1*:1000 .:8000 -:2000 c1*:2000 w1*:1000 c1*:2000 w1*:1000 c1*:2000"
    times = ((0, None), (0.01, None))
    return Scenario(
        processors=4,
        jobs=(synchronous(), computing(3, 2)),
        schedules={
            names["cg_rr"]: Worked(times, (beside, beside, beside, alone), counters={"blocked": 1}),
            names["cg_prio"]: Worked(times, (beside, beside, beside, alone), counters={"blocked": 1}),
            names["cg_prio_84"]: Worked(
                times, (beside, beside, beside, f"{ALONE} .:10000 {TOGETHER}"), counters={"blocked": 0}
            ),
        },
    )
