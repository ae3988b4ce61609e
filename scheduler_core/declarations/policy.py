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
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ContractError, MissingTableError, ParameterError, nearest
from scheduler_core.common.sources import closure, imported_by, module_file
from scheduler_core.declarations.families import SITE_TABLES, family, part_of
from scheduler_core.declarations.parameters import Parameters, kinds_in, parse_call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scheduler_core.contracts import Schedule, Workload

    Progress = Callable[[int, int], None]
    """Called from time to time during a long simulation, with the jobs done and all jobs."""

PACKAGE = Path(__file__).parents[1]

OWN = "own"
"""The name of policies that users write. They are made from a file and a function, so they are not in :func:`policies`."""

PREEMPTIVE = "own_preemptive"
"""The name of those of them that suspend jobs."""

OWN_CALL = re.compile(r"(.*\.py:([^\W\d]\w*))(\(.*\))?", re.DOTALL)
"""A policy of the user's own, with parameters if it has any."""

OWN_MODULES = {OWN: "scheduler_core.space_sharing.own_policy", PREEMPTIVE: "scheduler_core.preemptive.own_policy"}
"""The modules of policies that users write, by their names. They are found by name, so that no other runs depend on them."""


@dataclass(frozen=True)
class Policy(Parameters):
    """A scheduling policy, which turns a workload into a schedule.

    ``presets`` are settings that the field knows by their own names (``sjf``, ...): word -> (label, parameters).
    """

    name: ClassVar[str]  # in studies, on the command line and in Python
    label: ClassVar[str]  # in figures and tables
    source: ClassVar[str]  # the publication and section it follows
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {}
    engine: ClassVar[str] = "engine"  # the module of its family whose `run(policy, workload, progress)` simulates it
    several_clusters: ClassVar[bool] = False  # whether a machine may have several clusters, or another speed than 1
    asked: ClassVar[str] = ""  # the word that `get_policy` made this policy from: its name or that of a preset

    @property
    def title(self) -> str:
        """The label, then the word and the parameters that differ from it: ``EASY-SJBF (easy_sjbf)``."""
        word = self.asked or self.name
        label, preset = self.presets.get(word, (self.label, {}))
        as_named = {entry.name: entry.default for entry in dataclasses.fields(self)} | preset
        differing = [f"{key}={value}" for key, value in self.values().items() if value != as_named[key]]
        return f"{label} ({', '.join([word, *differing])})"

    def facts(self) -> Any:
        """The facts that the checker's rules need beyond the family: plain data, no engine.

        A family whose rules need facts declares them in ``scheduler_core/<family>/facts.py``.
        """
        return None

    @property
    def companions(self) -> tuple[str, ...] | None:
        """The companion tables of the workload that it needs, out of those its family reads; None: all of them."""
        return None

    def require_companions(self, workload: Workload) -> None:
        """Raise :class:`MissingTableError` when a workload lacks a companion table that the policy needs.

        Raise :class:`ParameterError` when it says when jobs may not start, which the policy would not keep.
        """
        kind = family(family_of(type(self)))
        for table, words in SITE_TABLES.items():
            if table in workload.companions and not kind.standstills:
                raise ParameterError(
                    f"{self.title} starts jobs at any time, but the workload has {words}, which it would not keep; take a policy "
                    "of space sharing, or leave them out"
                )
        needed = kind.companions if self.companions is None else self.companions
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
        """Return notes, before a run, on what it will lack although its parameters seem to ask for it."""
        return ()

    def simulate(self, workload: Workload, progress: Progress | None = None) -> Schedule:
        """Return the policy's schedule of a workload. Call it through :func:`scheduler_core.simulate` only.

        No policy imports an engine: the engine is found by name.
        """
        found = part_of("scheduler_core", family_of(type(self)), self.engine)
        if found is None:
            raise ContractError(f"{self.name}: there is no module '{self.engine_modules()[0]}' to simulate it")
        schedule: Schedule = found.run(self, workload, progress)
        return schedule

    @classmethod
    def engine_modules(cls) -> list[str]:
        """Return the dotted names of the modules that simulate the policy: its engine, then those that it finds by name."""
        return [f"scheduler_core.{family_of(cls)}.{cls.engine}"]

    def measures(self) -> tuple[str, ...]:
        """Return what the store measures for runs of this policy beyond the metrics that all runs have.

        The words are declared by its family (:attr:`scheduler_core.declarations.families.Family.measures`).
        """
        return ()

    def sample(self) -> Workload | None:
        """Return jobs that make the engine take every step, for compiling its kernels.

        None if a dozen plain jobs suffice (:func:`scheduler_core.runs.simulation.sample_workload`); an engine that needs further
        columns or companion tables has its own jobs.
        """
        return None

    def compiled_as(self) -> tuple[Policy, ...]:
        """Return the policies whose samples compile all kernels of this one: itself, unless parameters choose the kernels."""
        return (self,)

    @classmethod
    def source_files(cls) -> list[Path]:
        """List the files whose change may change this policy's runs: its own first, then all that a cell reaches from it.

        They include the engine, its kernels, and the modules that check a schedule and write a run, but no other family's engine.
        """
        own = Path(importlib.import_module(cls.__module__).__file__ or "")
        by_name = (
            *cls.engine_modules(),
            f"scheduler_core.checker.{family_of(cls)}.rules",
        )  # no import statement leads there
        return [own, *(file for file in closure(own, "scheduler_core.runs.simulation", *by_name) if file != own)]


@cache
def policies() -> dict[str, type[Policy]]:
    """Return every policy by name, from the modules in ``scheduler_core/<family>/policies/``.

    The values are the policies' classes, without presets; :func:`get_policy` makes a policy from a name and parameters. Raise
    :class:`ParameterError` when two policies or presets have the same name.
    """
    found: dict[str, type[Policy]] = {}
    taken: dict[str, str] = {}
    for folder in sorted(PACKAGE.glob("*/policies")):
        package = f"scheduler_core.{folder.parent.name}.policies"
        for module in pkgutil.iter_modules([str(folder)]):
            for kind in kinds_in(importlib.import_module(f"{package}.{module.name}"), Policy):
                for word in (kind.name, *kind.presets):
                    if word in taken:
                        raise ParameterError(f"two policies are called '{word}': {taken[word]} and {kind.__module__}")
                    taken[word] = kind.__module__
                found[kind.name] = kind
    return dict(sorted(found.items()))


def family_of(kind: type[Policy]) -> str:
    """Return the name of a policy's family: the folder of ``scheduler_core`` that contains its module."""
    return kind.__module__.split(".")[1]


def policies_by_family() -> dict[str, list[str]]:
    """Return the names of the policies of each family, by the family's name."""
    found: dict[str, list[str]] = {}
    for name, kind in policies().items():
        found.setdefault(family_of(kind), []).append(name)
    return found


def kernel_modules(names: Iterable[str]) -> list[Path]:
    """List the modules with compiled functions that some policies reach: those that import ``kernel/jit.py``."""
    reached = closure(*(module for name in names for module in policies()[name].engine_modules()))
    compiler = module_file("scheduler_core.kernel.jit")
    return [path for path in reached if compiler in imported_by(str(path))]


def families_within(family: str) -> list[str]:
    """List the other families all of whose kernels a family reaches, as a grid reaches those of its clusters.

    If they are compiled first, their machine code serves the family, too.
    """
    modules = {name: set(kernel_modules(names)) for name, names in policies_by_family().items()}
    return [name for name, reached in modules.items() if reached < modules[family]]


def policy_names() -> dict[str, tuple[type[Policy], dict[str, Any], str]]:
    """Return every name of a policy or preset: word -> (class, preset parameters, label)."""
    names: dict[str, tuple[type[Policy], dict[str, Any], str]] = {}
    for name, kind in policies().items():
        names[name] = (kind, {}, kind.label)
        for preset, (label, values) in kind.presets.items():
            names[preset] = (kind, values, label)
    return names


def policy_named(word: str) -> tuple[type[Policy], dict[str, Any], str]:
    """Return class, preset parameters and label of the policy with a name."""
    names = policy_names()
    if word.endswith(".py"):
        raise ParameterError(f"{word}: name the function or class in this file, too: '{word}:NAME'")
    if own_call(word):
        raise ParameterError(
            f"{word} is a policy of your own, which its file describes; expected one that comes with slotwise"
        )
    if word not in names:
        raise ParameterError(f"there is no policy '{word}'; {nearest(word, names)}")
    return names[word]


def get_policy(name: str, /, **values: Any) -> Policy:
    """Return the policy with a name (its own or a preset's) and parameters.

    ``name`` may also be a call as a study writes it: ``'easy(backfill_order="shortest")'``. Raise :class:`ParameterError` when
    there is no such policy or parameter, or a value is out of its range.
    """
    if (own := own_policy_of(name, **values)) is not None:
        return own
    if "(" in name:
        name, written = parse_call(name)
        values = {**written, **values}
    kind, preset, _ = policy_named(name)
    policy = kind.build({**preset, **values})
    object.__setattr__(policy, "asked", name)  # not a parameter: policies of equal parameters are equal
    return policy


def own_policy_of(name: str, /, **values: Any) -> Policy | None:
    """Return the user's own policy that ``FILE.py:NAME`` names, with parameters; None for another name."""
    called = own_call(name)
    return None if called is None else own_policy(called[0], **{**called[1], **values})


def own_call(name: str) -> tuple[str, dict[str, Any]] | None:
    """Return ``FILE.py:NAME`` and the parameters behind it, as in ``FILE.py:NAME(speed_up="amdahl")``; None for another name."""
    found = OWN_CALL.fullmatch(name)
    if found is None:
        return None
    word, function, written = found.groups()
    return word, parse_call(f"{function}{written}")[1] if written else {}


def own_policy(given: Callable[..., Any] | str, /, **values: Any) -> Policy:
    """Return the policy of a user's function or class, or of ``FILE.py:NAME``, with parameters."""
    made: Policy = importlib.import_module(OWN_MODULES[OWN]).own_policy(given, **values)
    return made


def kind_of(name: str) -> type[Policy] | None:
    """Return the class of a policy by its own name, which may be one of :data:`OWN_MODULES`; None when there is none."""
    if name in OWN_MODULES:
        return kinds_in(importlib.import_module(OWN_MODULES[name]), Policy)[0]
    return policies().get(name)


def rebuild(note: Mapping[str, Any]) -> Policy:
    """Return the policy of a run's note, from ``name`` and every one of its ``parameters``.

    Raise :class:`ParameterError` when there is no such policy, or a parameter is missing, unknown or out of its range.
    """
    name, values = note.get("name", ""), note.get("parameters", {})
    kind = kind_of(name)
    if kind is None:
        if name in policy_names():
            raise ParameterError(
                f"'{name}' is a preset of the policy '{policy_named(name)[0].name}'; the note of a run names the policy "
                "itself, with every parameter"
            )
        raise ParameterError(f"there is no policy '{name}'; {nearest(str(name), policies())}")
    policy = kind.build(values)
    missing = [entry for entry in policy.values() if entry not in values]
    if missing:
        raise ParameterError(
            f"the note of a run gives every parameter of {name}; missing: {', '.join(missing)}. If the policy had fewer "
            "parameters when the run was made, simulate it again"
        )
    return policy
