"""Models of a cluster: pools with a machine, a policy and what their site does; and how well they explain recorded waits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler_core.declarations.policy import get_policy
from scheduler_core.declarations.words import counted
from scheduler_core.space_sharing.orders import AS_SUBMITTED, BY_SHARE
from scheduler_core.space_sharing.policy import SpaceSharingPolicy
from scheduler_core.space_sharing.rules import setup_of
from slotwise.planning.ceilings import ceiling_words, without_ceilings
from slotwise.planning.fair_share import fair_share_words, without_fair_share
from slotwise.planning.scenarios import title_of_policy
from slotwise.planning.validation import Agreement
from traces.shape.regimes import Usable

if TYPE_CHECKING:
    from slotwise.planning.recorded import Use
    from slotwise.planning.validation import Grade

EQUAL = 0.02
"""Models whose scores differ by no more count as equally good."""

HIGHEST = 2.0
"""The highest score there is, of waits that agree in everything."""

HOPELESS = Agreement(0, 0, 0.0, 0.0, None, None, 0.0, 0.0)
"""Stands for the waits of a model that can agree no better than one already found. They have no score."""

Credit = tuple[tuple[int, float], ...]
"""Queues and the hours of waiting with which their jobs are credited, in the order of their numbers."""

MOST_CREDITED = 4
"""The most queues with a credit."""

CREDITS_H = (1000.0, 24.0, 6.0, -6.0, -24.0)
"""Hours of waiting that are tried as the credit of a queue; the first serves it before all others."""


@dataclass(frozen=True)
class Pool:
    """A part of a machine: the jobs of some partitions or queues (all jobs, without a ``column``), its size and policy.

    No job starts in the log's standstills of at least ``standstills_h`` hours; 0 stands for none.
    If ``closed``, no job starts in the closed hours of the log. ``changes`` has weeks and how many processors it has from each
    week on.
    """

    policy: str
    processors: int
    column: str = ""
    numbers: tuple[int, ...] = ()
    standstills_h: float = 0.0
    closed: bool = False
    credit: Credit = ()
    changes: tuple[tuple[int, int], ...] = ()

    @property
    def usable(self) -> Usable:
        """Its size, and from which weeks on it is another one."""
        return Usable(self.processors, self.changes)

    def words(self) -> str:
        """Return what the pool is, in words."""
        whose = f"{self.column} {', '.join(map(str, self.numbers))}: " if self.column else ""
        plain = without_fair_share(without_ceilings(self.policy))
        words = [f"{whose}{title_of_policy(plain)} on {counted(self.processors, 'processor')}"]
        words += [f"{processors:,} from week {week} on" for week, processors in self.changes]
        words += [*ceiling_words(self.policy), *fair_share_words(self.policy)]
        words += [f"standstills of {self.standstills_h:g} h and more"] if self.standstills_h else []
        words += ["closed hours"] if self.closed else []
        words += [credit_words(queue, hours) for queue, hours in self.credit]
        return ", ".join(words)


def credit_words(queue: int, hours: float) -> str:
    """Return the credit of a queue in words."""
    return f"queue {queue} first" if hours == CREDITS_H[0] else f"queue {queue} {hours:+g} h".replace("-", "−")


@dataclass(frozen=True)
class Model:
    """A model of a cluster: its pools, and how its waits agree with the recorded ones on odd and on even weeks."""

    pools: tuple[Pool, ...]
    odd: Agreement
    even: Agreement

    @property
    def words(self) -> str:
        """What it is, in words."""
        return "; ".join(pool.words() for pool in self.pools)


@dataclass(frozen=True)
class Step:
    """A step of the ladder: what may differ, how many simulations that took, its best model on odd weeks, whether it is kept.

    A step is kept if its best model explains odd weeks better than the last model that was kept, by more than :data:`EQUAL`, and
    even weeks better, too; ceilings, fair share and a change of regime must be better by that much on both.
    """

    name: str
    tried: int
    model: Model
    kept: bool


@dataclass(frozen=True, repr=False)
class Fit:
    """What a fit found. ``equal`` are the models that explain odd weeks as well as the chosen one (:data:`EQUAL`).

    ``grade`` is that of the chosen model on even weeks. ``closing`` has the closed hours that odd weeks show, by the jobs they
    are closed to (:func:`~traces.shape.closing.closing_named`).
    """

    steps: list[Step]
    best: list[Model]
    equal: list[Model]
    use: Use
    grade: Grade
    certificates: list[str]
    closing: dict[str, str]

    @property
    def chosen(self) -> Model:
        """The model of the last step that was kept."""
        return [step for step in self.steps if step.kept][-1].model

    def __str__(self) -> str:
        return f"{self.chosen.words}: {self.grade.name} on even weeks. {self.grade.licence}.\n  {self.grade.reason}"

    __repr__ = __str__


def score(found: Agreement) -> float:
    """Return how well waits agree, as one number: both rank correlations, less the logarithm of the ratio of means.

    A ratio of 2 or one half costs 0.69. Minus infinity if a correlation cannot be told.
    """
    if found.weekly is None or found.by_job is None or not 0 < found.ratio < math.inf:
        return -math.inf
    return found.weekly + found.by_job - abs(math.log(found.ratio))


def takes_credits(policy: str) -> bool:
    """Return whether the order of a policy begins with submissions, to which credits of queues apply."""
    made = get_policy(policy)
    if not isinstance(made, SpaceSharingPolicy):
        return False
    return setup_of({**made.fixed, **made.values()}).order.code in (AS_SUBMITTED, BY_SHARE)


def more_credits(credit: Credit, queues: Sequence[int], hours: Sequence[float] = CREDITS_H) -> Iterator[Credit]:
    """Yield some credits of queues with each further one: of every queue that has none yet, each number of ``hours``."""
    for queue in queues:
        if queue not in dict(credit):
            yield from (tuple(sorted((*credit, (queue, more)))) for more in hours)
