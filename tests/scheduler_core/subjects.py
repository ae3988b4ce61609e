"""What is held against its oracle: each family says how its oracle and its engine make a schedule, and what is drawn."""

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.common.errors import ParameterError
from scheduler_core.contracts import Schedule
from scheduler_core.declarations.policy import policies
from tests.scheduler_core.examples import Case, Chooser, HypothesisChooser


@dataclass(frozen=True)
class Ways:
    """How schedules of a family are made: by the oracle, and by the engine in the oracle's form."""

    oracle: Callable[[Case], Any]
    in_form: Callable[[Case, Schedule], Any]

    def engine(self, case: Case) -> Any:
        """Let the engine schedule an example; return its schedule in the oracle's form."""
        return self.in_form(case, simulate(case.workload, case.policy))


def assert_same(found: Any, expected: Any) -> None:
    """Hold two schedules against each other, table by table where they are made of tables."""
    for table in dataclasses.fields(expected) if dataclasses.is_dataclass(expected) else ():
        assert getattr(found, table.name) == getattr(expected, table.name), table.name
    assert found == expected


def assert_legal(case: Case) -> None:
    """Let the checker prove the engine's schedule."""
    certificate = check(case.workload, simulate(case.workload, case.policy))
    assert certificate.legal, certificate.describe()


@dataclass(frozen=True)
class Subject:
    """A policy, or parameters of it that go together: how examples are drawn, and what they must have shown.

    ``exercised`` are the features, by name and with how to see them, of which each must be in some schedule of the seeded
    examples. ``decides`` are the parameters that must decide some of these schedules, with what to set instead:
    parameters by name, or a function of the parameter's value; nothing where it is the parameter's default.
    """

    ways: Ways
    draw: Callable[[Chooser, bool], Case]
    exercised: Mapping[str, Callable[[Case, Any], bool]] = field(default_factory=dict)
    decides: Mapping[str, Any] = field(default_factory=dict)
    seeds: int = 300
    large_seeds: int = 8

    @property
    def strategy(self) -> st.SearchStrategy[Case]:
        """What hypothesis draws."""
        return st.composite(lambda draw: self.draw(HypothesisChooser(draw), False))()


DEFAULT = object()
"""Instead of another value of a parameter: its default."""


def with_defaults(parameters: Collection[str], others: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return what to set instead of each parameter: the default, but where something else is given."""
    return {name: (others or {}).get(name, DEFAULT) for name in sorted(parameters)}


def changed(case: Case, parameter: str, instead: Any) -> Case | None:
    """Return the example with one parameter at another value, None where that does not go together with the others."""
    if instead is DEFAULT:
        entries = policies()[case.policy.name].describe_parameters()
        values = {parameter: next(entry["default"] for entry in entries if entry["name"] == parameter)}
    elif callable(instead):
        values = {parameter: instead(getattr(case.policy, parameter))}
    else:
        values = instead
    try:
        return dataclasses.replace(case, policy=dataclasses.replace(case.policy, **values))
    except ParameterError:
        return None
