"""The three test cases of SCOJO's coscheduling by shares, and the worked example of its Table 5-1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from traces.models import Model, check_jobs, jobs_table
from traces.shape.slowdowns import published_slowdowns

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload


class Part(NamedTuple):
    """The jobs of one level: their number, shortest and longest run time (s), and applications in equal parts."""

    level: str
    jobs: int
    shortest_s: int
    longest_s: int
    applications: tuple[str, ...] = ()


class Job(NamedTuple):
    """A fixed or drawn job, times in seconds; ``wanted_s`` is the start it requests, if any."""

    level: str
    submit_s: int
    run_s: int
    share_low: float
    share_high: float
    application: str = ""
    wanted_s: int | None = None


PARTS: dict[int, tuple[Part, ...]] = {
    1: (
        Part("long", 4, 1800, 1800, ("Grid-2400",)),
        Part("medium", 4, 480, 600, ("Random", "Grid-300")),
        Part("short", 6, 180, 300, ("Grid-300", "Central")),
        Part("special", 22, 60, 90, ("Grid-1200", "Stream")),
    ),
    2: (Part("long", 6, 300, 300), Part("medium", 8, 60, 60), Part("short", 12, 30, 30), Part("special", 14, 10, 10)),
    3: (Part("long", 4, 300, 300), Part("medium", 8, 60, 60), Part("short", 8, 30, 30), Part("special", 20, 10, 10)),
}
"""Jobs of each case by level; the source prints percentages (11, 11, 16 and 60 % of 36 jobs, 98 % in total)."""

LONG_EVERY_S = {1: 2400, 2: 600, 3: 840}
"""Time from one long job to the next."""

SHARES = {1: (0.5, 0.5), 2: (0.5, 0.5), 3: (0.2, 0.4)}
"""Least and largest share that jobs of each case request: a half each, or 40, 40 and 20 % of three."""

CROSS_SITE = 2
"""Number of long jobs of case 1 that are cross-site jobs."""

TABLE: tuple[Job, ...] = (
    Job("long", 0, 300, 0.4, 0.4),
    Job("medium", 30, 60, 0.4, 0.4),
    Job("medium", 60, 60, 0.2, 0.4),
    Job("special", 90, 10, 0.2, 0.2),
    Job("special", 120, 10, 0.2, 0.2),
    Job("special", 150, 10, 0.4, 0.4),
    Job("short", 180, 30, 0.2, 0.4),
    Job("special", 210, 10, 0.2, 0.4),
    Job("short", 240, 30, 0.2, 0.4),
    Job("special", 270, 10, 0.2, 0.4),
    Job("long", 850, 300, 0.4, 0.4, wanted_s=861),
    Job("medium", 880, 60, 0.4, 0.4),
)
"""The jobs of Table 5-1; submissions since 11:42:39. Job 11 is a cross-site job that reserved 11:57:00."""

CYCLE, CYCLE_S, GAP_S = 10, 850, 30
"""Table 5-1: jobs from one long job to the next, the time between long jobs, and the time between the jobs within."""


@dataclass(frozen=True)
class ScojoCases(Model):
    """Jobs that all need the whole machine and request shares of it, in four levels of priority.

    **Cases** 1 to 3, with numbers of jobs and run times by level:

    ====  ================  ======================  ==================  ====================
    case  long              medium                  short               special (very short)
    ====  ================  ======================  ==================  ====================
    1     4, 30 min         4, 8 to 10 min          6, 3 to 5 min       22, 1 to 1.5 min
    2     6, 5 min          8, 1 min                12, 30 s            14, 10 s
    3     4, 5 min          8, 1 min                8, 30 s             20, 10 s
    ====  ================  ======================  ==================  ====================

    In case 1 jobs are programs, with the slowdowns of Table 5-2: long ones Grid-2400, medium ones Random and Grid-300, short
    ones Grid-300 and Central, special ones Grid-1200 and Stream, half of each; run times are uniform over whole seconds.

    **Submissions**, with ``arrivals="as_worded"``; the text leaves the rest open, and we draw it:

    1. A long job every 40 min; the others, in random order, equally spread, one every 5 min, the first drawn within these.
    2. A long job every 10 min, "followed by various mixtures": the others in random order, five or six after each long job, at
       whole seconds uniform over the time until the next.
    3. A long job "about every 14 min": gaps uniform from 13.5 to 14.5 min; "immediately followed by" two medium jobs, 1 s and 2 s
       later; short and special jobs "arbitrarily": at whole seconds uniform from the first long job to 14 min after the last.

    With ``arrivals="as_table"`` cases 2 and 3 are submitted as in Table 5-1, the only schedule that the chapter prints: after
    each long job the others arrive one every 30 s. For case 3 this is *inferred*; the source does not say it. Run times, shares
    and the number of jobs at once suggest that the table shows the start of that case's run with up to three jobs at once. Its
    first ten jobs are then the first of four cycles, 850 s long, of one long, two medium, two short and five special jobs. The
    second long job is a cross-site job that wants to start 11 s after its submission. The order of short and special jobs in
    later cycles is drawn. Case 2 only uses the same pattern.

    **Shares.** Every job of cases 1 and 2 requests one half, every job of case 3 requests 20 to 40 %.

    **Cross-site jobs** are two drawn long jobs of case 1, which want to start at once, and the one above. The source does not
    print what they request (``asks``). In the table job 11 reserves.

    **Table** (``case="table"``): the twelve jobs of Table 5-1, shares and reservation as printed; nothing is drawn.

    Estimates equal the run times. ``class`` counts special jobs as short. The table `behaviour` only serves to name
    applications; its fractions are all computing, because the source gives none.
    """

    name: ClassVar[str] = "scojo_cases"
    label: ClassVar[str] = "SCOJO test cases"
    source: ClassVar[str] = (
        "Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, section 5.6 and Table 5-1"
    )
    jobs_follow: ClassVar[bool] = True

    case: int | str = parameter(
        1, "test case, or the jobs of Table 5-1", choices=(1, 2, 3, "table"), minimum=1, maximum=3
    )
    processors: int = parameter(12, "processors of the machine; every job needs all", minimum=1, maximum=2**30)
    arrivals: str = parameter(
        "as_worded",
        "when jobs of cases 2 and 3 are submitted: by the words of the section, or in the manner of Table 5-1",
        choices=("as_worded", "as_table"),
    )
    asks: str = parameter(
        "reserves", "what cross-site jobs ask of the slots they are offered", choices=("reserves", "picks", "nothing")
    )

    def validate(self) -> None:
        """Raise :class:`ParameterError` for arrivals as in Table 5-1 in a case with its own submissions."""
        if self.arrivals == "as_table" and self.case not in (2, 3):
            raise ParameterError(f"{self.name}: arrivals=as_table is for cases 2 and 3; found case {self.case}")

    @property
    def published_jobs(self) -> int:
        """Number of jobs of the case."""
        return len(TABLE) if isinstance(self.case, str) else sum(part.jobs for part in PARTS[self.case])

    @property
    def companions(self) -> tuple[str, ...]:
        """Companion tables of its workloads; case 1 also has slowdowns of applications."""
        return ("behaviour", "slowdowns", "shares") if self.case == 1 else ("behaviour", "shares")

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Return the jobs; ``jobs`` must be the number of the case."""
        check_jobs(self, jobs)
        if isinstance(self.case, str):
            return self.workload(list(TABLE), jobs, generator)
        if self.case == 1:
            return self.workload(draw_case_1(generator), jobs, generator)
        draw = draw_case_2 if self.case == 2 else draw_case_3
        return self.workload(draw(self.arrivals, generator), jobs, generator)

    def workload(self, drawn: list[Job], jobs: int, generator: np.random.Generator) -> Workload:
        """Return the workload of some jobs, numbered in order of submission."""
        import polars as pl

        from scheduler_core.contracts import JobClass, Machine, Workload

        # jobs submitted at once keep the order in which they were drawn
        ordered = sorted(drawn, key=lambda job: job.submit_s)
        submit_us = [job.submit_s * MICROSECONDS for job in ordered]
        runtime_us = [job.run_s * MICROSECONDS for job in ordered]
        levels = ["short" if job.level == "special" else job.level for job in ordered]
        table = jobs_table(submit_us, runtime_us, self.processors, **{"class": pl.Series(levels, dtype=JobClass)})
        machine = Machine(self.processors, self.label)
        return Workload(table, machine, self.provenance(jobs, generator), self.tables(ordered))

    def tables(self, ordered: list[Job]) -> dict[str, pl.DataFrame]:
        """Return the companion tables of jobs in order of their numbers."""
        import polars as pl

        from scheduler_core.contracts.companions import BEHAVIOUR_COLUMNS, SHARES_COLUMNS

        measured = published_slowdowns("huang_2004")
        shares, behaviour = [], []
        for number, job in enumerate(ordered, 1):
            site, asks, wanted_s = "local", "nothing", job.submit_s
            if job.wanted_s is not None:
                site, asks = "cross_site", self.asks
                wanted_s = job.submit_s if asks == "nothing" else job.wanted_s
            shares.append((number, job.level, job.share_low, job.share_high, site, asks, wanted_s * MICROSECONDS))
            application = measured.number(job.application) if job.application else 0
            behaviour.append((number, "cpu", 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, application))
        tables = {
            "behaviour": pl.DataFrame(behaviour, schema=BEHAVIOUR_COLUMNS, orient="row"),
            "slowdowns": measured.companion(),
            "shares": pl.DataFrame(shares, schema=SHARES_COLUMNS, orient="row"),
        }
        return {name: tables[name] for name in self.companions}

    def provenance(self, jobs: int, generator: np.random.Generator) -> dict[str, Any]:
        """Return the origin of the jobs and what is inferred, without a seed if nothing is drawn."""
        note = super().provenance(jobs, generator)
        if self.case == "table":
            return {**note, "seed": None}
        if self.case == 3 and self.arrivals == "as_table":
            return {**note, "note": "that Table 5-1 shows the begin of case 3 is inferred; the source does not say so"}
        return note


def draw_case_1(generator: np.random.Generator) -> list[Job]:
    """Return the jobs of case 1; draws the cross-site jobs, the order of the others, run times and the first gap."""
    long, *rest = PARTS[1]
    cross_site = generator.permutation(long.jobs)[:CROSS_SITE]
    jobs = []
    for number in range(long.jobs):
        submit_s = number * LONG_EVERY_S[1]
        wanted_s = submit_s if number in cross_site else None
        jobs.append(Job(long.level, submit_s, long.longest_s, *SHARES[1], long.applications[0], wanted_s))
    others = [(part, part.applications[k % len(part.applications)]) for part in rest for k in range(part.jobs)]
    every_s = long.jobs * LONG_EVERY_S[1] // len(others)
    first_s = int(generator.integers(1, every_s))
    for place, number in enumerate(generator.permutation(len(others)).tolist()):
        part, application = others[number]
        run_s = int(generator.integers(part.shortest_s, part.longest_s, endpoint=True))
        jobs.append(Job(part.level, first_s + place * every_s, run_s, *SHARES[1], application))
    return jobs


def draw_case_2(arrivals: str, generator: np.random.Generator) -> list[Job]:
    """Return the jobs of case 2; draws the order of the others, how many follow each long job, and when."""
    import numpy as np

    long, *rest = PARTS[2]
    others = [part for part in rest for _ in range(part.jobs)]
    order = generator.permutation(len(others))
    cuts = generator.permutation([len(part) for part in np.array_split(order, long.jobs)]).cumsum()[:-1]
    jobs = []
    for cycle, numbers in enumerate(np.split(order, cuts)):
        begin_s = cycle * LONG_EVERY_S[2]
        jobs.append(Job(long.level, begin_s, long.longest_s, *SHARES[2]))
        drawn_s = np.sort(generator.integers(1, LONG_EVERY_S[2], size=len(numbers)))
        in_turn_s = GAP_S * np.arange(1, len(numbers) + 1)
        after_s = in_turn_s if arrivals == "as_table" else drawn_s
        for number, later_s in zip(numbers.tolist(), after_s.tolist(), strict=True):
            jobs.append(Job(others[number].level, begin_s + later_s, others[number].longest_s, *SHARES[2]))
    return jobs


def draw_case_3(arrivals: str, generator: np.random.Generator) -> list[Job]:
    """Return the jobs of case 3; draws gaps and the times of short and special jobs, or their order in each cycle."""
    import numpy as np

    long, medium, *rest = PARTS[3]
    others = [part for part in rest for _ in range(part.jobs)]
    if arrivals == "as_table":
        return inferred_cycles(generator)
    gaps_s = generator.integers(LONG_EVERY_S[3] - 30, LONG_EVERY_S[3] + 30, size=long.jobs - 1, endpoint=True)
    long_s = np.concatenate([np.zeros(1, np.int64), np.cumsum(gaps_s)]).tolist()
    jobs = [Job(long.level, begin_s, long.longest_s, *SHARES[3]) for begin_s in long_s]
    each = medium.jobs // long.jobs
    jobs += [
        Job(medium.level, begin_s + k, medium.longest_s, *SHARES[3]) for begin_s in long_s for k in range(1, each + 1)
    ]
    submit_s = generator.integers(0, long_s[-1] + LONG_EVERY_S[3], size=len(others)).tolist()
    jobs += [Job(part.level, when_s, part.longest_s, *SHARES[3]) for part, when_s in zip(others, submit_s, strict=True)]
    return jobs


def inferred_cycles(generator: np.random.Generator) -> list[Job]:
    """Return case 3 as four cycles like the first ten jobs of Table 5-1; later cycles shuffle short and special jobs."""
    jobs: list[Job] = []
    for cycle in range(PARTS[3][0].jobs):
        pattern = list(TABLE[:CYCLE])
        if cycle:
            fixed, shuffled = pattern[:3], pattern[3:]
            pattern = [*fixed, *(shuffled[number] for number in generator.permutation(len(shuffled)))]
        for place, like in enumerate(pattern):
            submit_s = cycle * CYCLE_S + place * GAP_S
            wanted_s = TABLE[CYCLE].wanted_s if (cycle, place) == (1, 0) else None
            jobs.append(Job(like.level, submit_s, like.run_s, *SHARES[3], wanted_s=wanted_s))
    return jobs
