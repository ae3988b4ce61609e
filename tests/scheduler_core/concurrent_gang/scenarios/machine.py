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
def between_barriers_tasks_compute_for_the_same_time() -> Scenario:
    """A step is 10 ms of work and a barrier, which takes 2 x 0.01 + 4 x 0.00875 = 0.055 ms: 10.055 ms.

    Two fit into 25 ms; what is left, 4.89 ms, is computed. The second job has one task, which only computes. Where tasks spin for
    50 us at most, all block 5 us before each barrier releases them, and the local scheduler runs them on.
    """
    does, alone = Does("barriers", seed=1, burst=10_000), Does("barriers", seed=2, burst=10_000)
    step, rest = "c1:10000 w1:55", "c1:4890 .:25000"
    machine = "slice_ms=50, switch_us=0, trace_s=1"
    return Scenario(
        processors=4,
        jobs=(asked(0, 0.025, 3, does=does), asked(0, 0.025, 1, does=alone)),
        schedules={
            f"cg_gang({machine})": Worked(
                ((0, 0.025), (0, 0.025)),
                (f"{step} {step} {rest}",) * 3 + ("c2:25000 .:25000",),
                counters={"messages": 0, "barriers": 2, "blocked": 0},
            ),
            "cg_prio(slice_ms=50, switch_us=200, trace_s=1)": Worked(
                ((0, 0.0252), (0, 0.0252)),
                (f"x1:200 {step} {step} c1:4890 .:24800",) * 3 + ("x2:200 c2:25000 .:24800",),
            ),
            f"cg_rr({machine}, spin_us=50)": Worked(
                ((0, 0.025), (0, 0.025)),
                ("c1:10000 w1:50 -:5 c1*:10000 w1*:50 -:5 c1*:4890 .:25000",) * 3 + ("c2:25000 .:25000",),
                counters={"blocked": 6},
            ),
        },
    )


@scenario
def without_gangs_each_processor_takes_turns_by_itself() -> Scenario:
    """Job 1 computes for 6 ms on processor 0; job 2 has two tasks, which meet at two barriers after 1 ms of work each.

    Under local schedulers alone its task on processor 1 comes to the barrier at 1 ms, spins for the baseline, 55 us, and blocks
    until the other has had its turn: at 4 ms, by round robin. In a gang both begin at 4 ms, and job 1 has the slice before.
    """
    meets = (("compute", 1000), ("barrier",)) * 2
    machine = "slice_ms=4, switch_us=0, trace_s=1"
    both = "c2:1000 w2:55 c2:1000 w2:55"
    local = both.replace("2:", "2*:")
    return Scenario(
        processors=2,
        jobs=(asked(0, 0.006, 1, does=Does("compute", seed=1)), asked(0, 0.002, 2, does=program(meets, meets, seed=2))),
        schedules={
            f"cg_local({machine})": Worked(
                ((0, 0.00811), (0, 0.00611)),
                (
                    f"c1*:4000 {local} c1*:1890 c1*:110 .:3890",
                    "c2*:1000 w2*:55 .:2945 .:1055 c2*:1000 w2*:55 .:1890 .:4000",
                ),
                counters={"gang_runs": 0, "local_runs": 6, "blocked": 1},
            ),
            f"cg_rr({machine})": Worked(
                ((0, 0.00811), (0, 0.00611)),
                (
                    f"c1:4000 {both} c1*:1890 c1:110 .:3890",
                    "c2*:1000 w2*:55 .:2945 -:1055 c2*:1000 w2*:55 .:1890 .:4000",
                ),
                counters={"gang_runs": 3, "local_runs": 3, "blocked": 1},
            ),
            f"cg_gang({machine})": Worked(
                ((0, 0.01), (0, 0.00611)), (f"c1:4000 {both} .:1890 c1:2000 .:2000", f".:4000 {both} .:1890 .:4000")
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
