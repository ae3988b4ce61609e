"""Scenarios: the jobs of a log under another policy, on another machine, at another load, or with better estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.checker import check
from scheduler_core.common.errors import IllegalScheduleError, naming_key
from scheduler_core.declarations.policy import OWN_MODULES, get_policy
from scheduler_core.declarations.words import counted
from scheduler_core.runs.simulation import simulate
from slotwise.planning.changes import processors_of
from slotwise.planning.fair_share import PRESET, keeping_rules, without_fair_share
from slotwise.planning.pools import BETWEEN, Pools, policies_in, together, united
from traces.shape.closing import closing_words
from traces.shape.selection import queues_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy, Progress
    from traces.shape.estimates import EstimateModel

Say = Callable[[str], None]
"""Tells the user what is being done."""

USUAL_POLICIES = ("easy", "conservative", "easy_sjbf", "easy(reservations=4)")
"""Policies tried when none is named."""

MORE_PROCESSORS = 1.1
MORE_LOAD = 1.2
"""Changes tried when none is named, as multiples."""


@dataclass(frozen=True)
class Scenario:
    """What differs from the log as it is: only what is stated.

    ``processors`` and ``load`` are multiples of the log's; ``size`` is the number of processors if it was asked for as one.
    ``closing`` has closed hours, by the jobs to which they are closed (:func:`~traces.shape.closing.closing_named`).
    """

    policy: str
    processors: float = 1.0
    load: float = 1.0
    estimates: EstimateModel | None = None
    closing: tuple[tuple[str, str], ...] = ()
    size: int | None = field(default=None, compare=False)

    def changes(self, baseline: Scenario) -> list[str]:
        """Return how it differs from the baseline, in words."""
        words = [] if self.policy == baseline.policy else [title_of_policy(self.policy)]
        if self.processors != baseline.processors:
            words.append(
                counted(self.size, "processor") if self.size else more_or_less(self.processors, "fewer", "processors")
            )
        if self.load != baseline.load:
            words.append(more_or_less(self.load, "less", "load"))
        if self.estimates != baseline.estimates:
            words.append(estimates_words(self.estimates))
        if self.closing != baseline.closing:
            words.append(closing_words(dict(self.closing)))
        return words

    def label(self, baseline: Scenario) -> str:
        """Return its name on the page."""
        return ", ".join(self.changes(baseline)) or title_of_policy(self.policy)


@dataclass(frozen=True)
class Outcome:
    """A scenario, its workload and its proved schedule."""

    scenario: Scenario
    workload: Workload
    schedule: Schedule
    certificate: str
    parts: tuple[Outcome, ...] = ()
    """The outcome of each pool, if there are several."""

    @property
    def pools(self) -> tuple[Outcome, ...]:
        """The outcome of each pool."""
        return self.parts or (self,)


def title_of_policy(policy: str) -> str:
    """Return the label of a policy and the parameters that differ from what its name implies: ``EASY (reservations: 4)``."""
    if BETWEEN in policy:
        return " / ".join(title_of_policy(one) for one in policy.split(BETWEEN))
    made = get_policy(policy)
    if made.name in OWN_MODULES:
        return made.title
    label, _, inner = made.title.removesuffix(")").rpartition(" (")
    _, _, parameters = inner.partition(", ")
    return f"{label} ({parameters.replace('=', ': ').replace('_', ' ')})" if parameters else label


def more_or_less(multiple: float, fewer: str, what: str) -> str:
    """Return a multiple as a change in words: ``10 % more processors``."""
    return f"{abs(100 * (multiple - 1)):.4g} % {'more' if multiple > 1 else fewer} {what}"


def estimates_words(model: EstimateModel | None) -> str:
    """Return in words what estimates are replaced by, with the parameters that are not at their defaults: ``f-model (f: 10)``."""
    if model is None:
        return "estimates of the log"
    defaults = type(model)().values()
    given = [f"{key.replace('_', ' ')}: {value}" for key, value in model.values().items() if value != defaults[key]]
    return f"{model.label} ({', '.join(given)})" if given else model.label


def changed(workload: Workload, scenario: Scenario) -> Workload:
    """Return the workload of a scenario. Jobs keep their numbers, so they can be compared one by one."""
    from traces.shape.closing import with_closing
    from traces.shape.estimates import with_estimates
    from traces.shape.load import multiply_load

    if scenario.closing:
        with naming_key("--close"):
            workload = with_closing(workload, dict(scenario.closing))
    if scenario.processors != 1:
        workload = workload.on_machine(processors_of(scenario.processors, workload.machine.processors))
    if scenario.load != 1:
        workload = multiply_load(workload, scenario.load)
    if scenario.estimates is not None:
        workload = with_estimates(workload, scenario.estimates, np.random.default_rng(0))
    return workload


def run_scenario(log: Workload, scenario: Scenario) -> Outcome:
    """Simulate a scenario and prove its schedule legal; raise :class:`IllegalScheduleError` otherwise."""
    workload = changed(log, scenario)
    return Outcome(scenario, workload, *proved(workload, get_policy(scenario.policy)))


def run_pools(pools: Pools, scenario: Scenario) -> Outcome:
    """Simulate a scenario in every pool, prove each schedule legal, and return the outcome of all jobs together.

    A machine that grows or shrinks does so in every pool by the same part.
    """
    policies = policies_in(scenario.policy, len(pools))
    parts = [
        run_scenario(jobs, replace(scenario, policy=policy, closing=closing))
        for jobs, policy, closing in zip(pools.values(), policies, closing_in(pools, scenario), strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    certificates = [f"{name}: {part.certificate}" for name, part in zip(pools, parts, strict=True)]
    workload, schedule = united([part.workload for part in parts]), together([part.schedule for part in parts])
    return Outcome(scenario, workload, schedule, "; ".join(certificates), tuple(parts))


def closing_in(pools: Pools, scenario: Scenario) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield the closed hours of a scenario for each pool, less queues of other pools. A queue of no pool stays, to be refused."""
    queues = [set(map(str, queues_of(jobs))) for jobs in pools.values()]
    for own in queues:
        elsewhere = set().union(*queues) - own
        yield tuple((whom, hours) for whom, hours in scenario.closing if whom not in elsewhere)


def proved(workload: Workload, policy: Policy, progress: Progress | None = None) -> tuple[Schedule, str]:
    """Return the schedule of a workload under a policy, and what its certificate says.

    Raise :class:`IllegalScheduleError` for a broken rule.
    """
    schedule = simulate(workload, policy, progress=progress)
    certificate = check(workload, schedule)
    if not certificate.legal:
        raise IllegalScheduleError(f"{policy.title}: {certificate.describe()}")
    return schedule, certificate.describe()


def usual(baseline: Scenario, users: bool = False, gaps: bool = True) -> list[Scenario]:
    """Return what is tried when nothing is asked for: one change at a time, and the growth with the best known remedy.

    Other policies keep the baseline's rules for users: ceilings and fair share. Where the log tells ``users`` apart, fair share
    is switched on, or off if the baseline has it. Without ``gaps`` between submissions there is no load to change.
    """
    from traces.shape.estimates import Exact

    alike = [keeping_rules(name, baseline.policy) for name in USUAL_POLICIES]
    if users:
        alike.append(switched(baseline.policy))
    return [
        *[replace(baseline, policy=name) for name in dict.fromkeys(alike) if not same(name, baseline.policy)],
        replace(baseline, estimates=Exact()),
        replace(baseline, processors=MORE_PROCESSORS),
        *([replace(baseline, load=MORE_LOAD), replace(baseline, load=MORE_LOAD, processors=MORE_LOAD)] if gaps else []),
    ]


def has_gaps(workload: Workload) -> bool:
    """Return whether jobs are submitted at more than one instant."""
    return workload.jobs["submit_us"].n_unique() > 1


def switched(policy: str) -> str:
    """Return a baseline without its fair share, or EASY with one if it has none."""
    without = without_fair_share(policy)
    return without if without != policy else keeping_rules(PRESET, policy)


def same(one: str, other: str) -> bool:
    """Return whether two names are of the same policies."""
    return [get_policy(name) for name in one.split(BETWEEN)] == [get_policy(name) for name in other.split(BETWEEN)]
