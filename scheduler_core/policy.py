"""What a policy is, and how policies are found.

A policy is a frozen dataclass of parameters. Its docstring gives the algorithm and its source; each field is made by
:func:`parameter`, which carries the unit, the meaning and the allowed values. Policies live one per file in
``scheduler_core/<family>/policies/`` and are found by scanning those folders: there is no list to edit.

This module imports no engine, so that listing policies and validating a study stay quick.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import types
import typing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.errors import ParameterError, nearest
from scheduler_core.sources import closure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scheduler_core.contracts import Schedule, Workload

    Progress = Callable[[int, int], None]
    """Called with jobs done and jobs in all, from time to time, while a long simulation runs."""

PACKAGE = Path(__file__).parent


def parameter(
    default: Any,
    meaning: str,
    *,
    unit: str = "",
    choices: tuple[Any, ...] = (),
    minimum: float | None = None,
    maximum: float | None = None,
) -> Any:
    """Declare a parameter of a policy or a model: a dataclass field that knows its meaning, unit and allowed values.

    ``choices`` lists the allowed words, the default first; beside them a number is allowed when the field's type says so.
    """
    metadata = {"meaning": meaning, "unit": unit, "choices": choices, "minimum": minimum, "maximum": maximum}
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Parameters:
    """Base of every documented and validated set of parameters (policies, workload models, estimate models)."""

    def __post_init__(self) -> None:
        hints = field_types(type(self))
        for entry in dataclasses.fields(self):
            validate_value(describe(type(self)), entry, hints[entry.name], getattr(self, entry.name))
        self.validate()

    def validate(self) -> None:
        """Check what concerns several parameters at once; raise :class:`ParameterError` if they do not go together."""

    def values(self) -> dict[str, Any]:
        """Return the parameters by name, defaults included."""
        return dataclasses.asdict(self)

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> typing.Self:
        """Make an instance from names and values.

        Raises
        ------
        ParameterError
            For a name that is no parameter (with the nearest one that is), or a value out of its range.
        """
        known = [entry.name for entry in dataclasses.fields(cls)]
        for name in values:
            if name not in known:
                found = nearest(name, known) if known else "it has no parameters"
                raise ParameterError(f"{describe(cls)} has no parameter '{name}'; {found}")
        return cls(**values)

    @classmethod
    def describe_parameters(cls) -> list[dict[str, Any]]:
        """List the parameters: name, type, default, unit, meaning, choices, minimum and maximum."""
        hints = field_types(cls)
        return [
            {"name": f.name, "type": type_words(hints[f.name]), "default": f.default, **f.metadata}
            for f in dataclasses.fields(cls)
        ]


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
    cost_us
        What a job costs under it, roughly, in microseconds of a processor: to be simulated, checked and written.
    asked
        The word by which this policy was asked for, where :func:`get_policy` made it: its name or that of a preset.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    source: ClassVar[str]
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {}
    several_clusters: ClassVar[bool] = False
    cost_us: ClassVar[float] = 30.0
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

    def simulate(self, workload: Workload, progress: Progress | None = None) -> Schedule:
        """Run the policy on a workload; the one way in is :func:`scheduler_core.simulate`."""
        raise NotImplementedError

    def measures(self) -> tuple[str, ...]:
        """Name what the store measures of runs of this policy beyond the metrics of its family.

        ``packing``: slots against the fewest possible. ``memory``: memory in use against what could be. ``groups``: how
        groups form and how their orders are searched.
        """
        return ()

    @classmethod
    def source_files(cls) -> list[Path]:
        """List the files whose change may change this policy's runs: its own first, then all that a cell reaches from it.

        Beside the policy with its engine and their kernels these are the modules that check a schedule and write a run;
        other families' engines are not among them.
        """
        own = Path(importlib.import_module(cls.__module__).__file__ or "")
        rules = f"scheduler_core.checker.{family_of(cls)}"  # which the family declares; found by name, so named here
        return [own, *(file for file in closure(own, "scheduler_core.simulation", rules) if file != own)]


LARGEST_S = 10**10
"""Seconds a parameter may have, about 317 years: engines count microseconds in 64 bits."""

LARGEST = 2**42
"""The largest number of another unit, which is still within 64 bits when it counts in millionths."""


def validate_value(owner: str, entry: dataclasses.Field[Any], kind: Any, value: Any) -> None:
    """Raise :class:`ParameterError` when ``value`` is not allowed for the field ``entry`` of type ``kind``."""
    rule = entry.metadata
    choices, minimum, maximum = rule.get("choices", ()), rule.get("minimum"), rule.get("maximum")
    where = f"{owner}: {entry.name}"
    allowed = types_of(kind)
    if isinstance(value, str) and choices:
        if value not in choices:
            words = [str(choice) for choice in choices]
            number = "a number or " if {int, float} & set(allowed) else ""
            known = f"{number}one of {', '.join(words)}" if len(words) > 1 else f"{number}'{words[0]}'"
            close = nearest(value, words)
            hint = f"; {close}" if close.startswith("did you mean") else ""
            raise ParameterError(f"{where} must be {known}; found '{value}'{hint}")
        return
    fits = type(value) in allowed or (type(value) is int and float in allowed)
    if not fits:
        raise ParameterError(f"{where} must be {type_words(kind)}; found {value!r} ({type(value).__name__})")
    if choices and type(value) in (int, bool) and value in choices:
        return
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value != value or value in (float("inf"), float("-inf")):
            raise ParameterError(f"{where} must be a finite number; found {value}")
        furthest = LARGEST_S if rule.get("unit") == "s" else LARGEST
        if abs(value) > furthest:
            raise ParameterError(f"{where} must be a number within ±{furthest:,}; found {value:g}")
        if minimum is not None and value < minimum:
            raise ParameterError(f"{where} must be at least {minimum:g}; found {value}")
        if maximum is not None and value > maximum:
            raise ParameterError(f"{where} must be at most {maximum:g}; found {value}")


FIELD_TYPES: dict[str, dict[str, Any]] = {}


def field_types(kind: type) -> dict[str, Any]:
    """Return the annotated types of a class's fields; kept, for reading them costs more than a small simulation."""
    name = f"{kind.__module__}.{kind.__qualname__}"
    if name not in FIELD_TYPES:
        FIELD_TYPES[name] = typing.get_type_hints(kind)
    return FIELD_TYPES[name]


def types_of(kind: Any) -> tuple[type, ...]:
    """Return the plain types of an annotation: ``int | str`` -> (int, str)."""
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return tuple(part for member in typing.get_args(kind) for part in types_of(member))
    return (typing.get_origin(kind) or kind,)


def type_words(kind: Any) -> str:
    """Name an annotation's types for a message."""
    return " or ".join(part.__name__.replace("NoneType", "none") for part in types_of(kind))


def describe(kind: type) -> str:
    """Name a parameter class as a person would: its policy or model name, else its class."""
    return str(getattr(kind, "name", kind.__name__))


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
    """Return the name of a policy's family (:mod:`scheduler_core.family`): the folder of ``scheduler_core`` it stands in."""
    return kind.__module__.split(".")[1]


def policies_by_family() -> dict[str, list[str]]:
    """Return the names of the policies of each family, by the family's name."""
    found: dict[str, list[str]] = {}
    for name, kind in policies().items():
        found.setdefault(family_of(kind), []).append(name)
    return found


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
        raise ParameterError(f"there is no policy '{name}'; {nearest(str(name), policies())}")
    policy = policies()[name].build(values)
    missing = [parameter for parameter in policy.values() if parameter not in values]
    if missing:
        raise ParameterError(f"the note of a run gives every parameter of {name}; missing: {', '.join(missing)}")
    return policy


def parse_call(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``'name(key=value, ...)'`` into its name and values; values are Python literals."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        if any(keyword.arg is None for keyword in call.keywords):
            raise ValueError
        return call.func.id, {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ParameterError(f"expected a policy as name(key=value, ...); found {text!r}") from error


def parse_setting(text: str) -> tuple[str, Any]:
    """Read ``key=value`` as the command line writes it; the value is a number, true, false, none or a word.

    Raises
    ------
    ParameterError
        When there is no equals sign.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ParameterError(f"expected key=value; found {text!r}")
    words = {"true": True, "false": False, "none": None, "on": True, "off": False}
    word = value.strip()
    if word.lower() in words:
        return key.strip(), words[word.lower()]
    try:
        return key.strip(), ast.literal_eval(word)
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # brackets can nest too deep
        return key.strip(), word
