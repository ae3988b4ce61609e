"""What an explanation of coscheduling says: its facts, and its sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.decisions.coscheduling.sharing import Sharing
from scheduler_core.decisions.explained import (
    Detail,
    Explanation,
    ahead_words,
    ended_words,
    fitted,
    foreseen_words,
    overtaken,
    rule_words,
    series,
)
from scheduler_core.decisions.words import SHOWN, free_of, instant, lasting, named
from scheduler_core.declarations.words import counted


@dataclass(frozen=True)
class Tested:
    """A job that might have shared processors with the job, and the first test that the pair fails; empty if it passes all."""

    job: int
    failed: str


@dataclass(frozen=True)
class Passed:
    """A pair that was formed while the job waited: ``partner`` was found for ``job``.

    ``failed`` is the first test that this job would have failed in the partner's place; empty if it would have passed all.
    """

    at_us: int
    job: int
    partner: int
    failed: str


@dataclass(frozen=True)
class Pairing:
    """The pair with which a job started: a row of ``matches``. ``searched`` says whether the search was for this job.

    ``left`` is how many jobs the search looked at, and how many were left after each test.
    """

    other: int
    searched: bool
    among: str
    backfilling: bool
    left: list[int]
    rank: int
    profit: float
    slowdown: float


@dataclass(frozen=True)
class Offered:
    """A start with a share of the processors that a cross-site job was offered, and whether its site took it."""

    start_us: int
    share: float
    taken: str


@dataclass(frozen=True, kw_only=True, repr=False)
class CoschedulingExplanation(Explanation):
    """Why a job under coscheduling started when it did.

    ``free_at_submission`` and ``free_at_start`` are processors that no job holds; the times it would have fitted are those on
    free processors, so alone. With ``shares`` jobs get shares of all processors, up to ``at_once`` of them; it would have
    fitted while fewer ran. ``sharings`` are the jobs beside which it ran. ``alone`` are the jobs that ran alone for some time
    of the wait, which it might have joined; ``pairs`` were formed meanwhile. Both are empty where ``tested`` is False: the
    policy makes no such tests, or the workload lacks the behaviour of jobs. ``pairing`` is the pair with which it started, None
    alone. ``joined`` maps jobs of ``overtook`` to the job that they joined, or that they got as a partner, as they started.
    ``share`` and ``slowdown`` are those of its first allocation.
    """

    WAITS_AFTER_START = True
    RULES: ClassVar[dict[str, tuple[str, str]]] = {
        "alone": ("because {few} free", ""),
        "unpaired": ("because {few} free and it got no partner", ""),
        "reservation": (
            "behind the reservation{s} of {jobs}",
            "a start would have delayed the reservation{s} of {jobs}",
        ),
        "at_once": ("because {found.at_once} jobs ran, as many as may at once", ""),
        "beside": (
            "because it might not join the jobs that ran",
            "a job joins others only if shares and slowdowns allow it, no reserved start is in danger, and its turn has come",
        ),
    }

    free_at_submission: int
    free_at_start: int
    shares: bool
    at_once: int
    tested: bool
    alone: list[Tested]
    pairs: list[Passed]
    pairing: Pairing | None
    joined: dict[int, int]
    sharings: list[Sharing]
    offers: list[Offered]
    share: float
    slowdown: float

    def submission(self) -> str:
        """Return what ran and waited when the job was submitted."""
        most = f" of at most {self.at_once}" if self.shares else ""
        free = "" if self.shares else f" {free_of(self.free_at_submission, self.processors)},"
        return (
            f"Submitted on {instant(self.submit_us)}:{free} {counted(len(self.running), 'job')}{most} running"
            f"{named(self.running)}, {ahead_words(self)}."
        )

    def wait(self) -> Iterator[str]:
        """Yield with whom it might have shared processors, and who overtook."""
        yield from foreseen_words(self)
        for one in self.offers[:SHOWN]:
            taken = {"no": "", "picked": ", which its site picked", "reserved": ", which its site reserved"}[one.taken]
            offered = f"a start on {instant(one.start_us)} with {one.share:.3g} of the processors' time"
            yield Detail(f"It was offered {offered}{taken}.")
        yield from self.test_words()
        yield overtaken(self)
        if self.overtook and self.joined:
            pairs = [f"job {job} with job {other}" for job, other in list(self.joined.items())[:SHOWN]]
            more = f" and {len(self.joined) - SHOWN:,} more" if len(self.joined) > SHOWN else ""
            yield Detail(
                f"{counted(len(self.joined), 'of them', 'of them')} started in a pair: {', '.join(pairs)}{more}."
            )
        if self.shares:
            yield from self.at_once_words()
        else:
            yield from fitted(self, " for it alone")

    def at_once_words(self) -> Iterator[str]:
        """Yield for how long fewer jobs ran than may run at once."""
        if self.fitted_first_us is None:
            yield Detail(f"{counted(self.at_once, 'job')}, as many as may run at once, ran for all of its wait.")
        else:
            yield (
                f"Fewer than {counted(self.at_once, 'job')} ran for {lasting(self.fitting_us)} of its wait, first on "
                f"{instant(self.fitted_first_us)}, but {rule_words(self)}."
            )

    def test_words(self) -> Iterator[str]:
        """Yield which jobs it could have joined, and for which pairs it was no partner."""
        if not self.tested:
            return
        if not self.alone:
            yield Detail("No job ran alone meanwhile, which it could have joined.")
        else:
            failed = Counter(one.failed for one in self.alone)
            passing = [one.job for one in self.alone if not one.failed]
            why = [(count, words[count > 1]) for name, words in FAILED.items() if (count := failed[name])]
            passed = [(len(passing), f"passed every test{named(passing)}")] if passing else []
            more = "; the policy must choose the pair, too, and it may delay no reservation" if passing else ""
            yield f"{fates([*why, *passed])}{more}."
        could = sum(not one.failed for one in self.pairs)
        if self.pairs:
            pairs = counted(len(self.pairs), "waiting job")
            yield (
                f"{pairs} got another waiting job as a partner; this job passed the tests for {could or 'none'} of them."
            )
        for one in self.pairs[:SHOWN]:
            yield Detail(
                f"On {instant(one.at_us)} job {one.job} started with job {one.partner} as its partner; {INSTEAD[one.failed]}."
            )
        if len(self.pairs) > SHOWN:
            yield Detail(f"({counted(len(self.pairs) - SHOWN, 'further pair')})")

    def start(self) -> Iterator[str]:
        """Yield with whom the job started."""
        apart = self.shares or self.pairing is not None
        free = "" if apart else f", with {counted(self.free_at_start, 'processor')} free"
        yield f"It started on {instant(self.start_us)}{ended_words(self)}{free}{self.pair_words}."
        yield from self.search_words()
        yield from self.beside()

    def start_at_once(self) -> Iterator[str]:
        """Yield with whom a job started that did not wait."""
        if self.pair_words:
            yield f"It started{self.pair_words}."
        yield from self.search_words()
        yield from self.beside()

    @property
    def pair_words(self) -> str:
        """With whom the job started, in words."""
        one = self.pairing
        if one is None:
            return f", with {self.share:.3g} of the processors' time" if self.shares else ""
        if one.among == "running":
            return f", on the processors of job {one.other}, which ran alone"
        if one.searched:
            return f", and job {one.other}, which waited too, joined it on its processors"
        return f", on the processors of job {one.other}, which started then"

    def search_words(self) -> Iterator[str]:
        """Yield how its partner was found."""
        one = self.pairing
        if one is None:
            return
        whose = "Its search" if one.searched else f"The search of job {one.other}"
        left = [f"{count:,} {word}" for count, word in zip(one.left[1:], LEFT, strict=True)]
        profit = f" with a profit of {one.profit:.3g} and" if one.profit else " with"
        yield Detail(
            f"{whose} for a partner looked at {counted(one.left[0], f'{one.among} job')}: {series(left, 'and')}. It took number "
            f"{one.rank:,} of these,{profit} a slowdown of {one.slowdown:.3g}."
        )

    def beside(self) -> Iterator[str]:
        """Yield beside whom the job ran."""
        for one in self.sharings[:SHOWN]:
            length = lasting(one.end_us - one.begin_us)
            yield Detail(f"It shared processors with job {one.job} for {length}, from {instant(one.begin_us)} on.")
        if len(self.sharings) > SHOWN:
            yield Detail(f"({counted(len(self.sharings) - SHOWN, 'further job')} beside it)")


def fates(counts: list[tuple[int, str]]) -> str:
    """Return what became of the jobs that ran alone, from how many did what."""
    jobs = sum(count for count, _ in counts)
    if jobs == 1:
        return f"The one job that ran alone meanwhile {counts[0][1]}"
    several = series([f"{count:,} {words}" for count, words in counts], "and")
    return f"Of {jobs:,} jobs that ran alone meanwhile {several}"


FAILED = {
    "medium_long": ("was short", "were short"),
    "size_fits": ("had fewer processors than it needs",) * 2,
    "memory_fits": ("left too little memory",) * 2,
    "types_match": tuple(
        f"{verb} of a kind (CPU, network or disk) that does not match its own" for verb in ("is", "are")
    ),
    "slowdown_fits": ("would have slowed the pair down too much",) * 2,
}
"""The test that jobs failed as hosts, as what one of them did, and several."""

INSTEAD = {
    "medium_long": "this job could not be, since it is short",
    "size_fits": "this job could not be, since it needs more processors",
    "memory_fits": "this job could not be, since their memory does not fit together",
    "types_match": "this job could not be, since their kinds (CPU, network or disk) do not match",
    "slowdown_fits": "this job could not be, since the pair would be slowed down too much",
    "": "this job passed the same tests, and was not chosen",
}
"""The test that the job failed as a partner."""

LEFT = (
    "medium or long",
    "of these of a size that fits",
    "with memory",
    "of a kind that matches",
    "not slowed down too much",
)
"""What is left after each test of a search."""
