"""What a policy is, and how policies are found.

A policy is a frozen dataclass of parameters (:mod:`scheduler_core.declarations.parameters`). Its docstring is its
specification and names its source. Each policy has a file in ``scheduler_core/<family>/policies/``; scanning those folders
finds it, so there is no list to edit.

This module imports no engine, so that listing policies and validating a study stay quick.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import types
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import MissingTableError, ParameterError, nearest
from scheduler_core.common.sources import closure, imported_by, module_file
from scheduler_core.declarations.parameters import Parameters, parse_call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scheduler_core.contracts import Schedule, Workload

    Progress = Callable[[int, int], None]
    """Called with jobs done and jobs in all, from time to time, while a long simulation runs."""

PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Policy(Parameters):
    """A scheduling policy: turns a workload into a schedule.

    Class attributes
    ----------------
    name
        The word by which studies, the command line and Python know it.
    label
        How figures and tables call it.
    source
        The publication and section it follows.
    presets
        Names of their own for settings of the parameters that the field knows by a name (``sjf``, ...): word ->
        (label, parameters).
    several_clusters
        Whether it schedules machines of several clusters, or of processors at another speed than 1.
    asked
        The word by which this policy was asked for, where :func:`get_policy` made it: its name or that of a preset.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    source: ClassVar[str]
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {}
    several_clusters: ClassVar[bool] = False
    asked: ClassVar[str] = ""

    @property
    def title(self) -> str:
        """The label and word by which the policy was asked for, and what was asked otherwise: ``EASY-SJBF (easy_sjbf)``."""
        word = self.asked or self.name
        label, preset = self.presets.get(word, (self.label, {}))
        as_named = {entry.name: entry.default for entry in dataclasses.fields(self)} | preset
        differing = [f"{key}={value}" for key, value in self.values().items() if value != as_named[key]]
        return f"{label} ({', '.join([word, *differing])})"

    def facts(self) -> Any:
        """State what the checker's rules must know of the policy beyond its family: plain facts, no engine.

        A family whose rules ask for facts says which (``scheduler_core/<family>/facts.py``).
        """
        return None

    @property
    def companions(self) -> tuple[str, ...] | None:
        """The companion tables of the workload that it needs, of those its family reads; None: all of them."""
        return None

    def require_companions(self, workload: Workload) -> None:
        """Raise :class:`MissingTableError` when a workload lacks a companion table that the policy needs."""
        from scheduler_core.declarations.families import family  # only a run needs the declarations

        needed = family(family_of(type(self))).companions if self.companions is None else self.companions
        missing = [name for name in needed if name not in workload.companions]
        if missing:
            found = ", ".join(workload.companions) or "none"
            tables = "table" if len(needed) == 1 else "tables"
            raise MissingTableError(
                f"{self.title} needs the workload's companion {tables} {', '.join(needed)}; missing: "
                f"{', '.join(missing)}; found {found}",
                missing,
            )

    def notes(self, workload: Workload) -> tuple[str, ...]:
        """Say what a run of a workload will lack that its parameters seem to ask for, as far as that is known before it."""
        return ()

    def simulate(self, workload: Workload, progress: Progress | None = None) -> Schedule:
        """Run the policy on a workload; the one way in is :func:`scheduler_core.simulate`."""
        raise NotImplementedError

    def measures(self) -> tuple[str, ...]:
        """Name what the store measures of runs of this policy beyond the metrics that all runs have.

        The words are those of its family (:attr:`scheduler_core.declarations.families.Family.measures`).
        """
        return ()

    def sample(self) -> Workload | None:
        """Return jobs that make the engine take every step, for its kernels to be compiled on.

        None where a dozen plain jobs do (:func:`scheduler_core.runs.simulation.sample_workload`); an engine that needs
        further columns or companion tables has jobs of its own.
        """
        return None

    @classmethod
    def source_files(cls) -> list[Path]:
        """List the files whose change may change this policy's runs: its own first, then all that a cell reaches from it.

        Beside the policy with its engine and their kernels these are the modules that check a schedule and write a run;
        other families' engines are not among them.
        """
        own = Path(importlib.import_module(cls.__module__).__file__ or "")
        rules = f"scheduler_core.checker.{family_of(cls)}.rules"  # found by name, so no import statement leads there
        return [own, *(file for file in closure(own, "scheduler_core.runs.simulation", rules) if file != own)]


@cache
def policies() -> dict[str, type[Policy]]:
    """Find every policy, by name: one a module in ``scheduler_core/<family>/policies/``.

    Raises
    ------
    ParameterError
        When two policies or presets carry the same name.
    """
    found: dict[str, type[Policy]] = {}
    taken: dict[str, str] = {}
    for folder in sorted(PACKAGE.glob("*/policies")):
        package = f"scheduler_core.{folder.parent.name}.policies"
        for module in pkgutil.iter_modules([str(folder)]):
            for kind in policies_in(importlib.import_module(f"{package}.{module.name}")):
                for word in (kind.name, *kind.presets):
                    if word in taken:
                        raise ParameterError(f"two policies are called '{word}': {taken[word]} and {kind.__module__}")
                    taken[word] = kind.__module__
                found[kind.name] = kind
    return dict(sorted(found.items()))


def family_of(kind: type[Policy]) -> str:
    """Return the name of a policy's family: the folder of ``scheduler_core`` that holds its module."""
    return kind.__module__.split(".")[1]


def policies_by_family() -> dict[str, list[str]]:
    """Return the names of the policies of each family, by the family's name."""
    found: dict[str, list[str]] = {}
    for name, kind in policies().items():
        found.setdefault(family_of(kind), []).append(name)
    return found


def kernel_modules(names: Iterable[str]) -> list[Path]:
    """List the modules with compiled functions that some policies reach: they import ``kernel/jit.py``, which compiles."""
    reached = closure(*(policies()[name].__module__ for name in names))
    compiler = module_file("scheduler_core.kernel.jit")
    return [path for path in reached if compiler in imported_by(str(path))]


def policies_in(module: types.ModuleType) -> list[type[Policy]]:
    """List the policies a module defines."""
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Policy)
        and kind.__module__ == module.__name__
        and "name" in vars(kind)
    ]


def policy_names() -> dict[str, tuple[type[Policy], dict[str, Any], str]]:
    """Return every word that names a policy, presets included: word -> (class, preset parameters, label)."""
    names: dict[str, tuple[type[Policy], dict[str, Any], str]] = {}
    for name, kind in policies().items():
        names[name] = (kind, {}, kind.label)
        for preset, (label, values) in kind.presets.items():
            names[preset] = (kind, values, label)
    return names


def policy_named(word: str) -> tuple[type[Policy], dict[str, Any], str]:
    """Return class, preset parameters and label of the policy that a word names.

    Raises
    ------
    ParameterError
        When no policy or preset is called so, with the nearest that is.
    """
    names = policy_names()
    if word not in names:
        raise ParameterError(f"there is no policy '{word}'; {nearest(word, names)}")
    return names[word]


def get_policy(name: str, /, **values: Any) -> Policy:
    """Make a policy from its name (or a preset's) and parameters.

    ``name`` may also be a call as a study writes it: ``'easy(backfill_order="shortest")'``.

    Raises
    ------
    ParameterError
        When there is no such policy or parameter, or a value is out of its range.
    """
    if "(" in name:
        name, written = parse_call(name)
        values = {**written, **values}
    kind, preset, _ = policy_named(name)
    policy = kind.build({**preset, **values})
    object.__setattr__(policy, "asked", name)  # not a parameter: policies of equal parameters are equal
    return policy


def rebuild(note: Mapping[str, Any]) -> Policy:
    """Make the policy that a run's note names: ``name``, and every one of its ``parameters``.

    Raises
    ------
    ParameterError
        When there is no policy of that name, a parameter is missing, unknown or out of its range.
    """
    name, values = note.get("name", ""), note.get("parameters", {})
    if name not in policies():
        if name in policy_names():
            raise ParameterError(
                f"'{name}' is a preset of the policy '{policy_named(name)[0].name}'; the note of a run names the policy "
                "itself, with every parameter"
            )
        raise ParameterError(f"there is no policy '{name}'; {nearest(str(name), policies())}")
    policy = policies()[name].build(values)
    missing = [entry for entry in policy.values() if entry not in values]
    if missing:
        raise ParameterError(f"the note of a run gives every parameter of {name}; missing: {', '.join(missing)}")
    return policy
