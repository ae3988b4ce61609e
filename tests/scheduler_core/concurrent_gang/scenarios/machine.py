"""Disks, network, barriers and partitions of Concurrent Gang, worked by hand."""

from tests.oracles.job import Does
from tests.scheduler_core.concurrent_gang.ways import Worked
from tests.scheduler_core.scenario import Scenario, asked, scenario


def program(*tasks: tuple[tuple[str, int] | tuple[str], ...], seed: int = 1) -> Does:
    """Return a program by the statements of its tasks."""
    return Does("program", seed=seed, statements=tasks)


@scenario
def a_disk_serves_first_come_first_served() -> Scenario:
    """Job 1 computes for 1 ms, uses the disk for 4 and computes for 1; job 2 likewise, with 2 ms of disk.

    With a local scheduler job 2 computes from 1 to 2 ms while the disk serves job 1 until 5; its request is served from 5 to 7.
    From 2 to 5 the processor waits for its owner's disk; from 6, as the owner has ended, it is without owner. Without local
    scheduler a task that blocks leaves the rest of its slice, unless it is resumed.
    """
    one = program((("compute", 1000), ("disk", 4000), ("compute", 1000)))
    other = program((("compute", 1000), ("disk", 2000), ("compute", 1000)), seed=2)
    machine = "slice_ms=20, switch_us=0, trace_s=1"
    slots = "c1:1000 -:19000 c2:1000 -:19000 c1:1000 .:19000 c2:1000 .:19000"
    resumed = "c1:1000 -:4000 c1:1000 .:14000 c2:1000 -:2000 c2:1000 .:16000"
    return Scenario(
        processors=1,
        jobs=(asked(0, 0.006, 1, does=one), asked(0, 0.004, 1, does=other)),
        schedules={
            f"cg_rr({machine})": Worked(
                ((0, 0.006), (0, 0.008)),
                ("c1:1000 c2*:1000 -:3000 c1*:1000 .:1000 c2*:1000 .:12000",),
                {
                    "trace_disks": [
                        (0, 1, 0, 1_000_000, 1_000_000, 5_000_000),
                        (0, 2, 0, 2_000_000, 5_000_000, 7_000_000),
                    ]
                },
                {"requests": 2, "gang_runs": 1, "local_runs": 3},
            ),
            f"cg_gang({machine})": Worked(((0, 0.041), (0, 0.061)), (slots,)),
            f"cg_gang({machine}, resume_owner=True)": Worked(((0, 0.006), (0, 0.024)), (resumed,)),
        },
    )


@scenario
def a_request_and_its_response_take_the_baseline() -> Scenario:
    """Task 0 computes for 100 us, sends, and waits for the response: 8.75 + 10 + 8.75, and the same back, is 55 us.

    Eleven events: two dispatches; end of the work, the send, an arrival, the receive, and the same for the response but the
    work; a dispatch where each task has ended.
    """
    asks = (("compute", 100), ("send", 1), ("receive", 2))
    answers = (("receive", 1), ("send", 2))
    there = (1, 1, 0, 1, 108_750, 118_750, 127_500)
    back = (1, 2, 1, 0, 136_250, 146_250, 155_000)
    return Scenario(
        processors=2,
        jobs=(asked(0, 0.000155, 2, does=program(asks, answers)),),
        schedules={
            "cg_gang(slice_ms=10, switch_us=0, trace_s=1)": Worked(
                ((0, 0.000155),),
                ("c1:100 s1:8.75 w1:37.5 r1:8.75 .:9845", "w1:118.75 r1:8.75 s1:8.75 .:9863.75"),
                {"trace_messages": [there, back]},
                {"messages": 2, "blocked": 0, "events": 11},
            )
        },
    )


@scenario
def supersteps_of_equal_work_take_a_job_its_run_time() -> Scenario:
    """A superstep is 10 ms of work, a send, a receive and a barrier: 10 + 6 x 0.00875 + 2 x 0.01 = 10.0725 ms.

    Two fit into 25 ms; what is left, 4.855 ms, is computed. Tasks in step wait at their barriers alone.
    """
    does = Does("supersteps", seed=1, burst=10_000)
    step = "c1:5000 s1:8.75 c1:5000 r1:8.75 w1:55"
    alone = f"{step} {step} c1:4855 .:25000"
    work = asked(0, 0.025, 4, does=does)
    return Scenario(
        processors=4,
        jobs=(work,),
        schedules={
            "cg_gang(slice_ms=50, switch_us=0, trace_s=1)": Worked(
                ((0, 0.025),), (alone,) * 4, counters={"messages": 8, "barriers": 2, "blocked": 0}
            ),
            "gang_rt(slice_ms=50, switch_us=0, trace_s=1)": Worked(((0, 0.025),), (alone,) * 4),
            "cg_prio(slice_ms=50, switch_us=200, trace_s=1)": Worked(
                ((0, 0.0252),), (f"x1:200 {step} {step} c1:4855 .:24800",) * 4
            ),
        },
    )


@scenario
def variable_partitioning_waits_for_room() -> Scenario:
    """Four jobs that compute on four processors, in one row: the queue waits for the job at its head, or skips it.

    Job 3 needs three processors and gets them when job 1 ends, at 3 s; job 4 needs one, which is free at 2 s.
    """
    does = [Does("compute", seed=seed) for seed in range(4)]
    machine = "slice_ms=1000, switch_us=0"
    return Scenario(
        processors=4,
        jobs=(
            asked(0, 3, 2, does=does[0]),
            asked(0, 2, 2, does=does[1]),
            asked(1, 2, 3, does=does[2]),
            asked(1, 1, 1, does=does[3]),
        ),
        schedules={
            f"cg_partitioning({machine})": Worked(((0, 3), (0, 2), (3, 5), (3, 4))),
            f'cg_partitioning({machine}, queue="skip")': Worked(((0, 3), (0, 2), (3, 5), (2, 3))),
        },
    )
