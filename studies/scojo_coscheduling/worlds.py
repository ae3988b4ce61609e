"""Worlds of the claims on SCOJO's shares: three draws each, with numbers from the thesis where it prints any."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.reports.ledger.world import Scene, World

RESPONSE, RELATIVE, BUSY = "mean_response", "mean_response_over_elapsed", "busy_time"
FCFS, PRI, C2, C3 = "scojo_fcfs_exclusive", "scojo_pri", "scojo_c2", "scojo_c3"
SPREADS = ((0.999, 1.0, 1.001), (1.0, 0.9995, 1.0005), (1.0005, 1.0, 0.9995))
"""What draws are of their mean, so that ratios have a spread."""

SECOND = 1_000_000
THESIS = "Huang 2004"

Means = Mapping[tuple[str, str, str], float]
"""Means by workload, policy and metric."""


def own(case: str, policy: str) -> str:
    """Return the id under which a strategy that coschedules runs in a case."""
    return f"scojo_{policy}_measured" if case == "case-1" else f"scojo_{policy}"


def measured(means: Means) -> Scene:
    """Make a world in which strategies have these means."""

    def scene(world: World) -> None:
        for place, ((workload, policy, metric), mean) in enumerate(means.items()):
            world.metric(workload, policy, metric, [mean * part for part in SPREADS[place % len(SPREADS)]])

    return scene


def cases(metrics: tuple[str, ...] = (RESPONSE, RELATIVE), **means: float) -> Scene:
    """Make a world in which strategies have these means in cases 1 and 2, by all of the metrics."""

    def name(case: str, policy: str) -> str:
        return {"fcfs": FCFS, "pri": PRI}.get(policy) or own(case, policy)

    return measured(
        {
            (case, name(case, policy), metric): mean
            for case in ("case-1", "case-2")
            for metric in metrics
            for policy, mean in means.items()
        }
    )


MINUTE, HOUR = 60.0, 3600.0
PRINTED = {
    ("case-1", FCFS, RESPONSE): (42.08, MINUTE),
    ("case-1", "scojo_pricob_measured", RESPONSE): (25.57, MINUTE),
    ("case-1", FCFS, RELATIVE): (14.47, 1.0),
    ("case-1", "scojo_pricob_measured", RELATIVE): (3.22, 1.0),
    ("case-1", FCFS, BUSY): (3.57, HOUR),
    ("case-1", "scojo_pricob_measured", BUSY): (4.48, HOUR),
    ("case-2", FCFS, RESPONSE): (5.57, MINUTE),
    ("case-2", "scojo_pricob", RESPONSE): (3.27, MINUTE),
    ("case-2", FCFS, RELATIVE): (12.64, 1.0),
    ("case-2", "scojo_pricob", RELATIVE): (1.78, 1.0),
    ("case-2", FCFS, BUSY): (45, MINUTE),
    ("case-2", "scojo_pricob", BUSY): (55, MINUTE),
    ("case-3", C2, RESPONSE): (8.49, MINUTE),
    ("case-3", C3, RESPONSE): (6.07, MINUTE),
    ("case-3", C2, RELATIVE): (8.39, 1.0),
    ("case-3", C3, RELATIVE): (3.73, 1.0),
}
"""What the thesis prints, and what its unit is worth in the store."""


def quoted(factor: Callable[[str], float]) -> Scene:
    """Make a world in which the thesis prints its values, and strategies have so many times theirs, by policy."""

    def scene(world: World) -> None:
        for (workload, policy, metric), (printed, scale) in PRINTED.items():
            world.printed(
                workload, policy, metric, printed * scale, source=THESIS, place="section 5.6, page 30", printed=printed,
                printed_scale=scale, printed_digits=2, printed_draws=1, printed_unit="",
            )  # fmt: skip
        measured({key: printed * scale * factor(key[1]) for key, (printed, scale) in PRINTED.items()})(world)

    return scene


AS_PRINTED = quoted(lambda _: 1.0)
TWICE = quoted(lambda _: 2.0)
NO_GAIN = quoted(lambda policy: {FCFS: 0.5, C2: 0.5}.get(policy, 1.0))
"""Values of the strategies that are to be worse are half of what is printed."""

CLASSES = {
    "case-1": (FCFS, ((1800, 11), (540, 11), (240, 16), (75, 60), (5000, 2))),
    "case-2": (FCFS, ((300, 15), (60, 20), (30, 30), (10, 35))),
    "case-3": (C2, ((300, 10), (60, 20), (30, 20), (10, 50))),
}
"""Run times and how many of a hundred jobs have them, by case: in case 1 two jobs are of no class, as the printed shares ask."""


def in_whole_shares(world: World) -> None:
    """Make the world in which every class has the printed share."""
    for case, (policy, classes) in CLASSES.items():
        runtimes = [runtime for runtime, many in classes for _ in range(many)]
        for job, runtime in enumerate(runtimes):
            world.row("jobs", workload=case, policy=policy, replication=0, job=job, runtime_us=runtime * SECOND)


def of_no_class(world: World) -> None:
    """Make a world in which all jobs run for an hour."""
    for case, (policy, _) in CLASSES.items():
        for job in range(10):
            world.row("jobs", workload=case, policy=policy, replication=0, job=job, runtime_us=3600 * SECOND)


TABLE_5_1 = {1: (1, 868), 2: (31, 224), 3: (61, 443), 4: (224, 290), 5: (290, 355), 6: (443, 476), 7: (492, 603),
             8: (443, 492), 9: (517, 746), 10: (476, 517), 11: (868, 1817), 12: (881, 1075)}  # fmt: skip
"""Starts and finishes of the jobs of Table 5-1, in seconds after the first submission."""


def example(here: Callable[[int, int], tuple[float, float]]) -> Scene:
    """Make a world in which Table 5-1 is printed, and each job starts and finishes as said of what is printed of it."""

    def scene(world: World) -> None:
        for job, (start, finish) in TABLE_5_1.items():
            for metric, value in (("start", start), ("finish", finish)):
                world.printed("table-5-1", C3, metric, value, f"job={job}", source=THESIS)
            begun, done = here(start, finish)
            world.row(
                "jobs", workload="table-5-1", policy=C3, replication=0, job=job, submit_us=(job - 1) * SECOND,
                start_us=round(begun * SECOND), finish_us=round(done * SECOND),
            )  # fmt: skip

    return scene


def reserved(start_s: float) -> Scene:
    """Make a world in which job 11 starts so many seconds after the first submission, and has reserved 861."""

    def scene(world: World) -> None:
        world.row(
            "offers", workload="table-5-1", policy=C3, replication=0, job=11, start_us=861 * SECOND, taken="reserved"
        )
        world.row("jobs", workload="table-5-1", policy=C3, replication=0, job=11, start_us=round(start_s * SECOND))

    return scene


def certified(violations: int) -> Scene:
    """Make a world in which the checker found so many violations of the rules on shares."""

    def scene(world: World) -> None:
        for rule in SHARES_RULES:
            world.row(
                "certificates",
                workload="case-1",
                policy=PRI,
                replication=0,
                rule=rule,
                checked=9,
                violations=violations,
            )

    return scene


SHARES_RULES = (
    "shares needed fit together",
    "shares are assigned by the rule",
    "reserved starts and shares are kept",
)
TWELVE_LATE = example(lambda start, finish: (start + 60, finish + 400))
BACKWARDS = example(lambda start, finish: (3000 - start, 3000 - start + (finish - start) * 2))

WORLDS: dict[str, tuple[Scene, Scene]] = {
    "s0-mixes": (in_whole_shares, of_no_class),
    "s1-pricob-beats-fcfs": (cases(fcfs=10, pricob=6), cases(fcfs=6, pricob=10)),
    "s1-pricob-beats-fcfs-magnitude": (AS_PRINTED, NO_GAIN),
    "s1-values": (AS_PRINTED, TWICE),
    "s2-pricob-best": (cases(fcfs=10, pri=8, prico=9, pricob=6), cases(fcfs=5, pri=4, prico=5, pricob=6)),
    "s3-prico-worse-than-pri": (cases(pri=8, prico=9), cases(pri=9, prico=8)),
    "s3-backfilling-matters": (cases(prico=9, pricob=6), cases(prico=6, pricob=9)),
    "s4-longer-execution": (cases((BUSY,), fcfs=10, pricob=12), cases((BUSY,), fcfs=12, pricob=10)),
    "s4-longer-execution-magnitude": (AS_PRINTED, NO_GAIN),
    "s4-values": (AS_PRINTED, TWICE),
    "s5-priorities-help": (cases(fcfs=10, pri=7), cases(fcfs=7, pri=10)),
    "s6-three-better-than-two": (AS_PRINTED, quoted(lambda policy: {C3: 3.0}.get(policy, 1.0))),
    "s6-three-better-than-two-magnitude": (AS_PRINTED, NO_GAIN),
    "s6-values": (AS_PRINTED, TWICE),
    "s7-starts": (example(lambda start, finish: (start + 0.5, finish)), TWELVE_LATE),
    "s7-elapsed": (example(lambda start, finish: (start, finish)), BACKWARDS),
    "s7-order": (example(lambda start, finish: (start * 1.1, finish)), BACKWARDS),
    "s8-reserved-starts": (reserved(861), reserved(868)),
    "s9-shares-guaranteed": (certified(0), certified(2)),
}
