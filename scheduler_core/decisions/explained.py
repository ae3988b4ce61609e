"""What every explanation says of a wait: the facts that all families have, and their sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from scheduler_core.decisions.causes import ROOM, UNTOLD, Cause
from scheduler_core.decisions.words import SHOWN, instant, lasting, listed, named
from scheduler_core.declarations.words import counted

CAUSES = 3
"""The most causes that the answer names. It names one more rather than calling it another reason."""

LEAST_SHARE = 0.01
"""A smaller share of the wait is no cause that the answer names. A smaller share of the run time is no delay worth telling."""


class Detail(str):
    """A sentence that only the whole explanation has."""

    __slots__ = ()


@dataclass(frozen=True)
class Alternative:
    """What the job would have done if something had been different: the policy was run again on the changed jobs.

    ``start_us`` is None when the job would not have started.
    """

    change: str
    start_us: int | None


@dataclass(frozen=True, kw_only=True)
class Explanation(ABC):
    """Why a job started when it did. Times are in microseconds since the workload's zero; lists hold job numbers.

    ``running`` had started and not finished when the job was submitted. ``ahead`` waited then and were submitted before it.
    ``overtook`` were submitted later, or at the same instant and further down the workload, and started before the job.
    ``fitting_us`` is how long the job waited although enough processors were free, ``fitted_first_us`` when that was first so
    (None: never before its start). ``ended`` finished at the instant of the start. ``foreseen_us`` is when the job would have
    started by what was known at its submission; None where that was not computed. ``lacking`` are the companion tables without
    which the policy could not run again, ``unrepeated`` another reason for that. ``causes`` are the parts of its wait by the rule
    that kept it from starting, the longest first; together they last as long as the wait. ``finish_us`` is None if the run ended
    first.
    """

    WAITS_AFTER_START: ClassVar[bool] = False
    """Whether a job may take longer than alone once it has started, which the metric *wait* of the family counts."""

    PASSED: ClassVar[str] = "overtook it"
    """What the jobs of :attr:`passed` did, for the legend of a picture."""

    RULES: ClassVar[dict[str, tuple[str, str]]] = {
        ROOM: ("because {few} free", ""),
        UNTOLD: ("for a reason that the tables do not tell", "the tables do not tell why it did not start"),
    }
    """Each rule in words: after "waited 2 h", and, where the job had room, after "but". They may name ``jobs`` and ``found``."""

    job: int
    policy: str
    processors: int
    size: int
    runtime_us: int
    estimate_us: int
    submit_us: int
    start_us: int
    finish_us: int | None
    running: list[int]
    ahead: list[int]
    ahead_size: int
    overtook: list[int]
    ended: list[int]
    alternatives: list[Alternative]
    causes: list[Cause]
    fitting_us: int = 0
    fitted_first_us: int | None = None
    foreseen_us: int | None = None
    lacking: list[str] = field(default_factory=list)
    unrepeated: str = ""

    @property
    def wait_us(self) -> int:
        """How long it waited for its start."""
        return self.start_us - self.submit_us

    @property
    def shaded(self) -> list[tuple[int, int]]:
        """Begin and end of the times that a picture of the wait shades: the job could not start then."""
        return []

    @property
    def passed(self) -> list[int]:
        """The jobs to which a picture of the wait gives a colour: those that overtook it."""
        return self.overtook

    def pieces(self, finish_us: int) -> list[tuple[int, int, str]]:
        """Return begin, end and word of what the job does, from its submission until it finishes: it waits, then it runs."""
        return [(self.submit_us, self.start_us, "waits"), (self.start_us, finish_us, "runs")]

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data, with its sentences."""
        return {**asdict(self), "wait_us": self.wait_us, "sentences": list(self.sentences())}

    def answer(self) -> str:
        """Return who waited how long, and the main reasons, in one sentence."""
        if not self.wait_us:
            return f"Job {self.job} started at once."
        waited = f"Job {self.job} waited {lasting(self.wait_us)}"
        causes = [cause for cause in self.causes if cause.us >= LEAST_SHARE * self.wait_us]
        if len(causes) == 1:
            return f"{waited} {self.phrase(causes[0])}."
        shown = causes if len(causes) == CAUSES + 1 else causes[:CAUSES]
        told = [f"{lasting(cause.us)} {self.phrase(cause)}" for cause in shown]
        if rest := causes[len(shown) :]:
            told.append(f"{lasting(sum(cause.us for cause in rest))} for {counted(len(rest), 'other reason')}")
        return f"{waited}: {', '.join(told[:-1])}, and {told[-1]}."

    def phrase(self, cause: Cause) -> str:
        """Return why the job waited, to stand behind "waited 2 h"."""
        return self.worded(cause, 0)

    def reason(self, cause: Cause) -> str:
        """Return the rule by which a job with room did not start; empty for one that had no room."""
        return self.worded(cause, 1)

    def worded(self, cause: Cause, form: int) -> str:
        """Return one of the two forms in which :attr:`RULES` tells a cause."""
        words = {**Explanation.RULES, **self.RULES}[cause.rule][form]
        several = "s" if len(cause.jobs) > 1 else ""
        size = counted(self.size, "processor") if self.size > 1 else "processor"
        few = f"fewer than {size} were" if self.size > 1 else "no processor was"
        return words.format(jobs=numbered(cause.jobs), s=several, size=size, few=few, found=self)

    def sentences(self) -> Iterator[str]:
        """Yield why the job started when it did, a sentence each: first the answer, then all that is known."""
        yield self.answer()
        yield from self.stretched()
        yield asked(self)
        yield self.submission()
        if not self.wait_us:
            yield from self.start_at_once()
            return
        yield from self.wait()
        yield from self.start()
        yield from self.changed()
        if self.lacking:
            tables = f"table{'s' if len(self.lacking) > 1 else ''} {listed(self.lacking)}"
            yield f"The policy was not run on changed jobs: that needs the {tables} of the workload (--log WORKLOAD)."
        if self.unrepeated:
            yield f"The policy was not run on changed jobs: {self.unrepeated}."

    def stretched(self) -> Iterator[str]:
        """Yield how much longer the job took than alone once it had started; nothing where that is no part of its wait."""
        if not self.WAITS_AFTER_START or self.finish_us is None:
            return
        took, alone = self.finish_us - self.start_us, min(self.runtime_us, self.estimate_us)
        if took - alone > LEAST_SHARE * alone:
            yield (
                f"It finished {lasting(took)} after its start, although it runs for {lasting(alone)} alone. The metric wait "
                f"counts this, too: {lasting(self.wait_us + took - alone)} in all."
            )

    def brief(self) -> list[str]:
        """Return the answer and the sentences that matter most."""
        return [one for one in self.sentences() if not isinstance(one, Detail)]

    def changed(self) -> Iterator[str]:
        """Yield when the job would have started otherwise: changes that make a difference, then those that make none."""
        other = [one for one in self.alternatives if one.start_us not in (self.start_us, None)]
        if other:
            shifts: dict[str, list[str]] = {}
            for one in other:
                shifts.setdefault(earlier(self, one.start_us or 0), []).append(f"if {one.change}")
            told = [f"{shift} {series(changes, 'or')}" for shift, changes in shifts.items()]
            yield f"It would have started {', and '.join(filter(None, [', '.join(told[:-1]), told[-1]]))}."
        if never := [f"if {one.change}" for one in self.alternatives if one.start_us is None]:
            yield f"It would not have started {series(never, 'or')}."
        same = [f"if {one.change}" for one in self.alternatives if one.start_us == self.start_us]
        if same:
            yield Detail(f"It would have started at the same time {series(same, 'or')}.")

    @abstractmethod
    def submission(self) -> str:
        """Return what ran and waited when the job was submitted."""

    @abstractmethod
    def wait(self) -> Iterator[str]:
        """Yield what happened while the job waited."""

    @abstractmethod
    def start(self) -> Iterator[str]:
        """Yield how the job started."""

    def start_at_once(self) -> Iterator[str]:
        """Yield more about the start of a job that did not wait."""
        return iter(())

    def __str__(self) -> str:
        return "\n".join(self.brief())

    __repr__ = __str__


def asked(found: Explanation) -> str:
    """Return what a job asks for."""
    return (
        f"It asks for {counted(found.size, 'processor')} for {lasting(found.estimate_us)} (estimate) and runs for "
        f"{lasting(min(found.runtime_us, found.estimate_us))}; the policy is {found.policy}."
    )


def ahead_words(found: Explanation, kind: str = "", where: str = "ahead in the queue") -> str:
    """Return which earlier jobs waited at the submission; ``kind`` says of which class they are, ``where`` how they stand."""
    verb = "asks" if len(found.ahead) == 1 else "ask"
    asking = f", which {verb} for {counted(found.ahead_size, 'processor')}" if found.ahead else ""
    return f"{counted(len(found.ahead), f'{kind}job')} {where}{named(found.ahead)}{asking}"


def overtaken(found: Explanation) -> str:
    """Return how many jobs overtook."""
    if not found.overtook:
        return "No later job overtook it."
    return f"Meanwhile {counted(len(found.overtook), 'later job')} overtook it{named(found.overtook)}."


def standing_still(found: Explanation, standstills: list[tuple[int, int]]) -> Iterator[str]:
    """Yield the standstills of the wait."""
    if not standstills:
        return
    length = length_within(found, standstills)
    first = f"from {instant(standstills[0][0])} to {instant(standstills[0][1])}"
    if len(standstills) == 1:
        yield f"A standstill of the machine, {first}, takes {length} of it: no job starts then."
    else:
        yield f"{len(standstills)} standstills of the machine take {length} of it, the first {first}: no job starts then."


def length_within(found: Explanation, periods: list[tuple[int, int]]) -> str:
    """Return the length in all of periods within the wait, in words."""
    return lasting(sum(min(end, found.start_us) - max(begin, found.submit_us) for begin, end in periods))


def fitted(found: Explanation, where: str = "") -> Iterator[str]:
    """Yield for how long the job had room and by which rules it did not start; ``where`` names the place."""
    if found.fitted_first_us is None:
        yield Detail(f"At no time of its wait were enough processors free{where.rstrip(',')}.")
        return
    some = f"for {lasting(found.fitting_us)} of its wait, first on {instant(found.fitted_first_us)}"
    how_long = "for all of its wait" if found.fitting_us == found.wait_us else some
    yield f"Enough processors were free{where} {how_long}, but {rule_words(found)}."


def rule_words(found: Explanation) -> str:
    """Return the rules by which a job with room did not start, each with its time if there are several."""
    told = [(found.reason(cause), cause.us) for cause in found.causes if found.reason(cause)]
    if len(told) == 1:
        return told[0][0]
    return ", and ".join(f"{reason} ({lasting(us)})" for reason, us in told)


def foreseen_words(found: Explanation) -> Iterator[str]:
    """Yield when the job would have started by what was known at its submission; nothing where that was not computed."""
    if found.foreseen_us is not None:
        at = instant(found.foreseen_us)
        yield Detail(f"By what was known at its submission (estimates, no later job) it would have started on {at}.")


def ended_words(found: Explanation) -> str:
    """Return which jobs ended at the instant of the start; empty for none."""
    return f" when {counted(len(found.ended), 'job')} ended{named(found.ended)}" if found.ended else ""


def earlier(found: Explanation, start_us: int) -> str:
    """Return how far another start lies from that of the job."""
    return f"{lasting(abs(start_us - found.start_us))} {'earlier' if start_us < found.start_us else 'later'}"


def series(parts: list[str], word: str) -> str:
    """Return parts of a sentence as a list: ``a, b, or c``."""
    return f"{', '.join(parts[:-1])}{',' if len(parts) > 2 else ''} {word} {parts[-1]}" if len(parts) > 1 else parts[0]


def numbered(jobs: list[int]) -> str:
    """Return jobs by their numbers: ``job 9``, ``jobs 9 and 12``; of many the first, and without any ``another job``."""
    if not jobs:
        return "another job"
    more = [f"{len(jobs) - SHOWN:,} more"] if len(jobs) > SHOWN else []
    return f"job{'s' if len(jobs) > 1 else ''} {listed([*jobs[:SHOWN], *more])}"
