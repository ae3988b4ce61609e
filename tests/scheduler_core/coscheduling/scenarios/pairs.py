"""Hand-worked schedules of LOMARC: how a pair is slowed down, who may form one, and how it ends (specified by its docstring).

Two jobs use the resources for (CPU, network, disk) = (0.6, 0.25, 0.15) and (0.3, 0.5, 0.2) or (0.3, 0.2, 0.5) of their
times: the lesser of both are (0.3, 0.25, 0.15) or (0.3, 0.2, 0.15).
"""

from tests.oracles.job import Behaviour
from tests.scheduler_core.coscheduling.ways import Worked
from tests.scheduler_core.scenario import Scenario, asked, scenario

CPU = Behaviour("cpu", 0.6, 0.25, 0.15)
NETWORK = Behaviour("network", 0.3, 0.5, 0.2, application=1)
DISK = Behaviour("disk", 0.3, 0.2, 0.5)
POOR_DISK = Behaviour("disk", 0.3, 0.2, 0.5, cpu_phase=0.5)
"""Beside CPU its computing does not go well: 0 + 0.5 is not below 0.33."""

TOGETHER = ((0, 1, 2, "waiting"),)


def both(end: float) -> Worked:
    """Return the schedule of two jobs that run together from 0 on."""
    return Worked(((0, end), (0, end)), pairs=TOGETHER)


ONE_AFTER_THE_OTHER = Worked(((0, 1000), (1000, 2000)), pairs=())


@scenario
def slowdown_of_a_pair() -> Scenario:
    """Two jobs of 1000 s on all processors, one computes most, the other communicates.

    They are compatible (0 < 0.33), so c = 1.4: 1.4 x 0.3 + 2 x 0.25 + 2 x 0.15 = 1.22. With c = 1: 1.1; with c = 2, where
    no pair is compatible: 1.4. With the time in which only one uses a resource: 1 + 0.4 x 0.3 + 0.25 + 0.15 = 1.52.
    Measured: 1.1 and 1.25, the greater counts. With a limit of 1.2, or of 0.7 for the network (0.25 + 0.5), or on
    standard processors, which only jobs that compute and jobs that read and write share, they run one after the other.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 1000, 4, behaviour=CPU), asked(0, 1000, 4, behaviour=NETWORK)),
        schedules={
            'lomarc(match="first")': both(1220),
            'lomarc(match="none")': Worked(((0, 1000), (1000, 2000)), pairs=()),
            'lomarc(match="first", shared_compatible=1)': both(1100),
            'lomarc(match="first", compatible_share=0)': both(1400),
            'lomarc(match="first", slowdown="unshared_counted")': both(1520),
            'lomarc(match="first", slowdown="table")': both(1250),
            'lomarc(match="first", max_slowdown=1.2)': ONE_AFTER_THE_OTHER,
            'lomarc(match="first", network_limit=0.7)': ONE_AFTER_THE_OTHER,
            'lomarc(match="first", network_limit=0.75)': both(1220),
            'lomarc(match="first", cpu="standard")': ONE_AFTER_THE_OTHER,
        },
        slowdowns={(0, 0): 1.9, (0, 1): 1.1, (1, 0): 1.25, (1, 1): 1.9},
    )


@scenario
def jobs_that_hardly_meet() -> Scenario:
    """(0.8, 0.1, 0.1) and (0.2, 0.1, 0.7): 1.4 x 0.2 + 0.2 + 0.2 = 0.68, which as printed is 1."""
    one, other = Behaviour("cpu", 0.8, 0.1, 0.1), Behaviour("disk", 0.2, 0.1, 0.7)
    return Scenario(
        processors=4,
        jobs=(asked(0, 1000, 4, behaviour=one), asked(0, 1000, 4, behaviour=other)),
        schedules={'lomarc(match="first")': both(1000), 'lomarc(match="first", slowdown="printed_raw")': both(680)},
    )


@scenario
def two_resources_at_once() -> Scenario:
    """Half of its time job 1 computes and reads at once: that counts for both, (0.7, 0, 0.8); beside (0.3, 0.2, 0.5).

    1.4 x 0.3 + 2 x 0.5 = 1.42, where a job with 0.2 and 0.3 alone would have 1.4 x 0.2 + 2 x 0.3 = 0.88.
    """
    one = Behaviour("cpu", 0.2, 0.0, 0.3, cpu_disk=0.5)
    return Scenario(
        processors=4,
        jobs=(asked(0, 1000, 4, behaviour=one), asked(0, 1000, 4, behaviour=DISK)),
        schedules={'lomarc(match="first")': both(1420)},
    )


@scenario
def two_that_compute() -> Scenario:
    """(0.6, 0.25, 0.15) twice, with phases 0.4: frac(0.8) is not below 0.33, so they are not paired, whatever the slowdown.

    Were it below 0.9, 1.4 x 0.6 + 0.5 + 0.3 = 1.64, which is too much; with c = 1 it is 1.4.
    """
    compute = Behaviour("cpu", 0.6, 0.25, 0.15, cpu_phase=0.4)
    return Scenario(
        processors=4,
        jobs=(asked(0, 1000, 4, behaviour=compute), asked(0, 1000, 4, behaviour=compute)),
        schedules={
            'lomarc(match="first", shared_compatible=1, max_slowdown=2)': ONE_AFTER_THE_OTHER,
            'lomarc(match="first", shared_compatible=1, compatible_share=0.9)': both(1400),
            'lomarc(match="first", compatible_share=0.9)': ONE_AFTER_THE_OTHER,
        },
    )


@scenario
def memory_that_does_not_suffice() -> Scenario:
    """60 and 50 of 100 kB: no pair, unless always: then 1.22 + 2.5, or 2.5, or 1.22 + 1.5."""
    jobs = (asked(0, 1000, 4, behaviour=CPU, memory=60), asked(0, 1000, 4, behaviour=NETWORK, memory=50))
    return Scenario(
        processors=4,
        jobs=jobs,
        schedules={
            'lomarc(match="first")': ONE_AFTER_THE_OTHER,
            'lomarc(match="always")': both(3720),
            'lomarc(match="always", memory_conflict="replace")': both(2500),
            'lomarc(match="always", memory_conflict="excess")': both(2720),
        },
        memory=100,
    )


@scenario
def holder_ends_after_its_partner() -> Scenario:
    """Slowdown 1.4, as no pair is compatible: after 3600 x 1.4 = 5040 the partner is done, and 1800 s are left of the holder."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 5400, 4, behaviour=CPU), asked(0, 3600, 4, behaviour=NETWORK)),
        schedules={
            'lomarc(match="first", compatible_share=0, medium_limit_s=6000)': Worked(
                ((0, 6840), (0, 5040)),
                held={1: ((0, 5040, "0123", 0, 1, 1.4), (5040, 6840, "0123")), 2: ((0, 5040, "0123", 1, 1, 1.4),)},
            )
        },
    )


@scenario
def partner_ends_after_its_holder() -> Scenario:
    """Slowdown 1.4: after 3000 x 1.4 = 4200 the holder is done; its partner keeps four of the six processors, alone.

    4200 s are left of it, to 8400. On the two that are free job 3 starts at 4200. Job 4 needs four: at 5000 it joins job
    2, of which 3400 s are left, in place 0 and with slowdown 1.4: they would end at 5000 + 1.4 x 1000 = 6400, and job 2
    2400 s after that.
    """
    jobs = (
        asked(0, 3000, 6, behaviour=CPU),
        asked(0, 7200, 4, behaviour=NETWORK),
        asked(4000, 30, 2, behaviour=DISK),
        asked(5000, 1000, 4, behaviour=CPU),
    )
    return Scenario(
        processors=6,
        jobs=jobs,
        schedules={
            'lomarc(match="first", compatible_share=0)': Worked(
                ((0, 4200), (0, 8800), (4200, 4230), (5000, 6400)),
                held={
                    2: (
                        (0, 4200, "0123", 1, 1, 1.4),
                        (4200, 5000, "0123", 1),
                        (5000, 6400, "0123", 1, 1, 1.4),
                        (6400, 8800, "0123", 1),
                    ),
                    3: ((4200, 4230, "45"),),
                    4: ((5000, 6400, "0123", 0, 1, 1.4),),
                },
                pairs=((0, 1, 2, "waiting"), (5000, 4, 2, "running")),
            )
        },
    )


@scenario
def model_that_errs() -> Scenario:
    """Believed is 1.25; the phases 0.5 and 0.25 make 0.75, so x = 0.5 to both sides, or 0.75 to the slower.

    With an error of at most 0.4: 1.25 x 1.2 = 1.5, or 1.25 x 1.3 = 1.625. Job 3 is short and runs alone, when both are
    done. At its submission there is a pass: above 1.55 the partner is suspended. Then 500 / 1.625 = 307.692307 s are done
    of each, and 692.307693 s left: of the holder until 1192.307693, and then of its partner.
    """
    jobs = (
        asked(0, 1000, 4, behaviour=Behaviour("cpu", 0.6, 0.25, 0.15, error_phase=0.5)),
        asked(0, 1000, 4, behaviour=Behaviour("network", 0.3, 0.5, 0.2, error_phase=0.25)),
        asked(500, 50, 4, behaviour=CPU),
    )
    first = 'lomarc(match="first", slowdown="table"'
    return Scenario(
        processors=4,
        jobs=jobs,
        schedules={
            f"{first})": Worked(((0, 1250), (0, 1250), (1250, 1300))),
            f"{first}, model_error=0.4)": Worked(((0, 1500), (0, 1500), (1500, 1550))),
            f'{first}, model_error=0.4, error_side="slower")': Worked(((0, 1625), (0, 1625), (1625, 1675))),
            f'{first}, model_error=0.4, error_side="slower", preempt_above=1.55)': Worked(
                ((0, 1192.307693), (0, 1884.615386), (1884.615386, 1934.615386)),
                held={
                    1: ((0, 500, "0123", 0, 1, 1.625), (500, 1192.307693, "0123")),
                    2: ((0, 500, "0123", 1, 1, 1.625), (1192.307693, 1884.615386, "0123", 1)),
                },
                counters={"suspended": 1},
            ),
            f"{first}, model_error=0.4, preempt_above=1.55)": Worked(((0, 1500), (0, 1500), (1500, 1550))),
        },
        slowdowns={(0, 0): 1.25},
    )
