"""Worlds of the claims on SCOJO's shares: three draws each, with numbers from the thesis where it prints any."""

from collections.abc import Callable
from itertools import product

from tests.reports.ledger.world import Scene, World, scene

FCFS, PRI, C2, C3 = "scojo_fcfs_exclusive", "scojo_pri", "scojo_c2", "scojo_c3"

SECOND = 1_000_000
THESIS = "Huang 2004"


CLASSES = {
    "case-1": (FCFS, ((1800, 11), (540, 11), (240, 16), (75, 60), (5000, 2))),
    "case-2": (FCFS, ((300, 15), (60, 20), (30, 30), (10, 35))),
    "case-3": (C2, ((300, 10), (60, 20), (30, 20), (10, 50))),
}
"""Run times and how many of a hundred jobs have them, by case: in case 1 two jobs are of no class, as the printed shares ask."""


def in_whole_shares(world: World) -> None:
    """Make the world in which every class has the printed share."""
    world.quote(metric="job_share")
    for case, (policy, classes) in CLASSES.items():
        runtimes = [runtime for runtime, many in classes for _ in range(many)]
        for job, runtime in enumerate(runtimes):
            world.row("jobs", workload=case, policy=policy, replication=0, job=job, runtime_us=runtime * SECOND)


def of_no_class(world: World) -> None:
    """Make a world in which all jobs run for an hour."""
    world.quote(metric="job_share")
    for case, (policy, _) in CLASSES.items():
        for job in range(10):
            world.row("jobs", workload=case, policy=policy, replication=0, job=job, runtime_us=3600 * SECOND)


TABLE_5_1 = {1: (1, 868), 2: (31, 224), 3: (61, 443), 4: (224, 290), 5: (290, 355), 6: (443, 476), 7: (492, 603),
             8: (443, 492), 9: (517, 746), 10: (476, 517), 11: (868, 1817), 12: (881, 1075)}  # fmt: skip
"""Starts and finishes of the jobs of Table 5-1, in seconds after the first submission."""


@scene
def example(world: World, here: Callable[[int, int], tuple[float, float]]) -> None:
    """Make a world in which Table 5-1 is printed, and each job starts and finishes as said of what is printed of it."""
    for job, (start, finish) in TABLE_5_1.items():
        for metric, value in (("start", start), ("finish", finish), ("response", finish - (job - 1))):
            world.printed("table-5-1", C3, metric, value, f"job={job}", source=THESIS)
        begun, done = here(start, finish)
        world.row(
            "jobs", workload="table-5-1", policy=C3, replication=0, job=job, submit_us=(job - 1) * SECOND,
            start_us=round(begun * SECOND), finish_us=round(done * SECOND),
        )  # fmt: skip


@scene
def reserved(world: World, start_s: float) -> None:
    """Make a world in which job 11 starts so many seconds after the first submission, and has reserved 861."""
    world.row("offers", workload="table-5-1", policy=C3, replication=0, job=11, start_us=861 * SECOND, taken="reserved")
    world.row("jobs", workload="table-5-1", policy=C3, replication=0, job=11, start_us=round(start_s * SECOND))


@scene
def shared(world: World, further: float) -> None:
    """Make a world in which the jobs of Table 5-1 have the printed shares, or shares further away by so much."""
    least, most = (world.quote(workload="table-5-1", metric=metric) for metric in ("least_share", "largest_share"))
    for low, high in zip(least, most, strict=True):
        world.row(
            "assigned_shares", workload="table-5-1", policy=C3, replication=0, job=int(low["scope"].removeprefix("job=")),
            least_ppm=round(1e6 * (low["value"] - further)), most_ppm=round(1e6 * (high["value"] + further)),
        )  # fmt: skip


@scene
def largest(world: World, share: float) -> None:
    """Make a world in which a job of case 3 is assigned this share, and no job more."""
    for job, most in enumerate((0.4, share)):
        found = {"least_ppm": 400_000, "most_ppm": round(1e6 * most)}
        world.row("assigned_shares", workload="case-3", policy="scojo_c2_effective", replication=0, job=job, **found)


@scene
def waited(world: World, **longest: int) -> None:
    """Make a world in which the longest waits of medium and long jobs are of these seconds, by policy."""
    for case, (policy, seconds), name, draw in product(
        ("case-1", "case-2"), longest.items(), ("medium", "long"), range(3)
    ):
        start = {"submit_us": 0, "start_us": (seconds + draw) * SECOND}
        world.row("jobs", workload=case, policy=policy, replication=draw, job=1, **{"class": name}, **start)


@scene
def spaced(world: World, part: float) -> None:
    """Make a world in which long jobs come at so many times the printed gaps."""
    for row in world.quote(metric="long_gap"):
        policy = C2 if row["workload"] == "case-3" else FCFS
        for job in range(4):
            submit = round(job * part * row["value"] * SECOND)
            world.row(
                "jobs",
                workload=row["workload"],
                policy=policy,
                replication=0,
                job=job,
                submit_us=submit,
                **{"class": "long"},
            )


@scene
def in_parts(world: World, many: float, few: float) -> None:
    """Make a world in which C3 takes these parts of the times of C2 where ten, and where four, short jobs follow a long one."""
    for draw, (policy, parts) in product(range(3), ((C2, (1.0, 1.0)), (C3, (many, few)))):
        job = 0
        for place, (short, part) in enumerate(zip((10, 4), parts, strict=True)):
            for name in ("long", "medium", "medium", *["short"] * short):
                job += 1
                submit, response = (1000 * place + job) * SECOND, round((100 + job + draw) * part * SECOND)
                finish = submit + response
                world.row(
                    "jobs", workload="case-3", policy=policy, replication=draw, job=job, submit_us=submit,
                    start_us=finish - 10 * SECOND, finish_us=finish, **{"class": name},
                )  # fmt: skip


def combined(same: bool) -> Scene:
    """Make a world of the slowdowns of Table 5-2, or of one for all combinations."""

    def make(world: World) -> None:
        world.quote(lambda row: {**row, "value": 1.2} if same else row, metric="slowdown")

    return make


TWELVE_LATE = example(lambda start, finish: (start + 60, finish + 400))
BACKWARDS = example(lambda start, finish: (3000 - start, 3000 - start + (finish - start) * 2))

WORLDS: dict[str, tuple[Scene, Scene]] = {
    "s0-mixes": (in_whole_shares, of_no_class),
    "s7-starts": (example(lambda start, finish: (start + 0.5, finish)), TWELVE_LATE),
    "s7-elapsed": (example(lambda start, finish: (start, finish)), BACKWARDS),
    "s7-order": (example(lambda start, finish: (start * 1.1, finish)), BACKWARDS),
    "s7-responses": (
        example(lambda start, finish: (start, finish)),
        example(lambda start, finish: (start, 3 * finish)),
    ),
    "s7-shares": (shared(0), shared(0.05)),
    "s11-priorities-starve-long-jobs": (
        waited(scojo_pri=900, scojo_fcfs_exclusive=300),
        waited(scojo_pri=300, scojo_fcfs_exclusive=900),
    ),
    "s12-aging-helps-long-jobs": (waited(scojo_pri_aged=300, scojo_pri=900), waited(scojo_pri_aged=900, scojo_pri=300)),
    "s15-combinations-differ": (combined(same=False), combined(same=True)),
    "s17-effective-share": (largest(0.48), largest(0.4)),
    "s0-gaps-of-long-jobs": (spaced(1), spaced(2)),
    "s6-more-with-short-jobs": (in_parts(many=0.5, few=0.9), in_parts(many=0.9, few=0.5)),
    "s8-reserved-starts": (reserved(861), reserved(868)),
}

LOWER = {
    "s10-short-jobs-wait-less": "scojo_pri < scojo_fcfs_exclusive",
    "s13-reservation-costs": "case-1-unreserved < case-1",
    "s1-pricob-beats-fcfs": "scojo_pricob* < scojo_fcfs_exclusive",
    "s2-pricob-best": "scojo_pricob* < scojo_fcfs_exclusive, scojo_pri, scojo_prico, scojo_prico_measured",
    "s3-prico-worse-than-pri": "scojo_pri < scojo_prico_measured",
    "s3-backfilling-matters": "scojo_pricob* < scojo_prico, scojo_prico_measured",
    "s4-longer-execution": "scojo_fcfs_exclusive < scojo_pricob*",
    "s5-priorities-help": "scojo_pri < scojo_fcfs_exclusive",
    "s6-three-better-than-two": "scojo_c3 < scojo_c2",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
