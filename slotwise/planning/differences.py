"""What a scenario changes, in the words that policies, parameters and models of estimates have of themselves."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from scheduler_core.declarations.policy import OWN_MODULES, get_policy
from slotwise.planning.ceilings import ceiling_words, ceilings_of
from slotwise.planning.fair_share import fair_share_of, fair_share_words
from slotwise.planning.pools import BETWEEN
from traces.shape.closing import closing_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.planning.scenarios import Scenario


def differences(scenario: Scenario, baseline: Scenario, processors: int, before: int) -> Iterator[str]:
    """Yield what a scenario changes: policy, machine, load, estimates, closed queues.

    The machine has so many ``processors``, and had so many ``before``.
    """
    if scenario.policy != baseline.policy:
        yield from policy_differences(scenario.policy, baseline.policy)
    if processors != before:
        yield f"the machine has {processors:,} instead of {before:,} processors"
    if scenario.load != baseline.load:
        yield f"the same jobs arrive in {100 * baseline.load / scenario.load:.0f} % of the time"
    if scenario.estimates is not None:
        yield as_clause(summary(scenario.estimates))
    if scenario.closing != baseline.closing:
        yield closing_words(dict(scenario.closing), clause=True)


def policy_differences(policy: str, baseline: str) -> list[str]:
    """Return how a policy differs from the baseline; where pools have policies of their own, the differences of all of them."""
    named, before = policy.split(BETWEEN), baseline.split(BETWEEN)
    pools = max(len(named), len(before))
    pairs = zip(named * (pools // len(named)), before * (pools // len(before)), strict=True)
    return list(dict.fromkeys(words for one, other in pairs for words in policy_words(one, other)))


def policy_words(named: str, baseline: str) -> Iterator[str]:
    """Yield what a policy does if the baseline is another one, its rules for users, and each further parameter that differs.

    A parameter that the baseline does not have is compared with its default.
    """
    policy, other = get_policy(named), get_policy(baseline)
    if policy.name in OWN_MODULES:
        yield f"{policy.title} chooses the jobs to start"
        return
    if policy.name != other.name:
        yield as_clause(summary(policy))
    before = type(policy)().values() | other.values()
    differing = {name: value for name, value in policy.values().items() if value != before[name]}
    rules = fair_share_of(named) | ceilings_of(named)
    if differing.keys() & fair_share_of(named).keys():
        yield from (
            f"jobs of users who have used much lately count as submitted later ({one})"
            for one in fair_share_words(named)
        )
    if differing.keys() & ceilings_of(named).keys():
        yield from ceiling_words(named)
    meanings = {entry["name"]: entry["meaning"] for entry in policy.describe_parameters()}
    for name, value in differing.items():
        if name not in rules:
            yield f"{meanings[name]}: {value_words(value)} instead of {value_words(before[name])}"


def summary(described: object) -> str:
    """Return the first line of the docstring of an object's class."""
    return (inspect.getdoc(type(described)) or "").partition("\n")[0]


def as_clause(text: str) -> str:
    """Return a summary as a part of a sentence, without the name in front of its colon: ``every job gets a reservation``."""
    clause = text.rpartition(": ")[2].rstrip(".")
    return clause[:1].lower() + clause[1:]


def value_words(value: Any) -> str:
    """Return the value of a parameter as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,g}" if isinstance(value, int | float) else str(value).replace("_", " ")
