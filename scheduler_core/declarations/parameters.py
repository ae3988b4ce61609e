"""Documented and validated parameters of policies and models, and how they are read from text.

A class of parameters is a frozen dataclass; :func:`parameter` makes each field, with its unit, meaning and allowed values.
It checks studies, the command line and Python alike, with the same messages.
"""

import ast
import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from threading import RLock
from typing import Any

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.common.units import unboxed

Kind = typing.TypeVar("Kind", bound="Parameters")


def parameter(
    default: Any,
    meaning: str,
    *,
    unit: str = "",
    choices: tuple[Any, ...] = (),
    minimum: float | None = None,
    maximum: float | None = None,
) -> Any:
    """Declare a parameter of a policy or a model: a dataclass field with its meaning, unit and allowed values.

    ``choices`` lists the allowed words, the default first; a number is allowed too if the field's type says so.
    """
    metadata = {"meaning": meaning, "unit": unit, "choices": choices, "minimum": minimum, "maximum": maximum}
    return dataclasses.field(default=default, metadata=metadata)


def same_as(kind: type["Parameters"], name: str, default: Any = None, before: str = "") -> Any:
    """Declare a parameter as another class declares it, maybe with another default; ``before`` begins its meaning."""
    entry = kind.__dataclass_fields__[name]
    metadata = {**entry.metadata, "meaning": before + entry.metadata["meaning"]}
    return dataclasses.field(default=entry.default if default is None else default, metadata=metadata)


@dataclass(frozen=True)
class Parameters:
    """Base of every documented and validated set of parameters (policies, workload models, estimate models)."""

    def __post_init__(self) -> None:
        hints = field_types(type(self))
        for entry in dataclasses.fields(self):
            validate_value(describe(type(self)), entry, hints[entry.name], getattr(self, entry.name))
        self.validate()

    def validate(self) -> None:
        """Raise :class:`ParameterError` when several parameters do not go together."""

    def refuse_above(self, least: str, most: str) -> None:
        """Raise :class:`ParameterError` when one parameter exceeds another."""
        low, high = getattr(self, least), getattr(self, most)
        if low > high:
            raise ParameterError(f"{describe(type(self))}: {least} must not exceed {most}; found {low:g} and {high:g}")

    def values(self) -> dict[str, Any]:
        """Return the parameters by name, defaults included."""
        return dataclasses.asdict(self)

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> typing.Self:
        """Return an instance with the given values, and defaults for the rest.

        Raise :class:`ParameterError` for an unknown name, with the nearest known one, or a value out of its range.
        """
        known = [entry.name for entry in dataclasses.fields(cls)]
        for name in values:
            if name not in known:
                found = nearest(name, known) if known else "it has no parameters"
                raise ParameterError(f"{describe(cls)} has no parameter '{name}'; {found}")
        return cls(**{name: unboxed(value) for name, value in values.items()})

    @classmethod
    def describe_parameters(cls) -> list[dict[str, Any]]:
        """List the parameters: name, type, default, unit, meaning, choices, minimum and maximum."""
        hints = field_types(cls)
        return [
            {"name": f.name, "type": type_words(hints[f.name]), "default": f.default, **f.metadata}
            for f in dataclasses.fields(cls)
        ]


def kinds_in(module: types.ModuleType, base: type[Kind]) -> list[type[Kind]]:
    """List the policies or models that a module defines: the classes of a base that have a name of their own."""
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, base)
        and kind.__module__ == module.__name__
        and "name" in vars(kind)
    ]


LARGEST_S = 10**10
"""The most seconds of a parameter, about 317 years: engines count microseconds in 64 bits."""

LARGEST = 2**42
"""The largest number in another unit; counted in millionths it still fits into 64 bits."""

SHORTEST = {"s": 1e-6, "ms": 1e-3, "us": 1e-3}
"""The shortest time that engines count, by the unit in which it is given: a microsecond, and of network times a nanosecond."""


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
        raise ParameterError(f"{where} must be {expected_words(allowed, choices)}; found {value!r}")
    if choices and type(value) in (int, bool) and value in choices:
        return
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value != value or value in (float("inf"), float("-inf")):
            raise ParameterError(f"{where} must be a finite number; found {value}")
        furthest = LARGEST_S if rule.get("unit") == "s" else LARGEST
        if abs(value) > furthest:
            written = (
                value if isinstance(value, float) else Decimal(value).normalize()
            )  # no float holds an int of any size
            raise ParameterError(f"{where} must be a number within ±{furthest:,}; found {written:.6g}")
        least = SHORTEST.get(rule.get("unit", ""), 0)
        if 0 < abs(value) < least:
            raise ParameterError(
                f"{where} must be 0 or at least {least:g} {rule['unit']}, the shortest time that is counted; found {value:g}"
            )
        if minimum is not None and value < minimum:
            raise ParameterError(f"{where} must be at least {minimum:g}; found {value}")
        if maximum is not None and value > maximum:
            raise ParameterError(f"{where} must be at most {maximum:g}; found {value}")


FIELD_TYPES: dict[str, dict[str, Any]] = {}


def field_types(kind: type) -> dict[str, Any]:
    """Return the annotated types of a class's fields; cached, because reading them costs more than a small simulation."""
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
    """Return an annotation's types in words, for a message."""
    words = {"NoneType": "none", "tuple": "list"}
    return " or ".join(words.get(part.__name__, part.__name__) for part in types_of(kind))


EXPECTED = {
    int: "a whole number",
    float: "a number",
    str: "a word",
    bool: "true or false",
    tuple: "a list",
    type(None): "none",
}
"""The values of each type, as people call them."""


def expected_words(allowed: Sequence[type], choices: Sequence[Any]) -> str:
    """Return what a value may be, for a message: its types, with the words that may be chosen."""
    known = " or ".join(repr(choice) for choice in choices if isinstance(choice, str))
    words = [known if kind is str and known else EXPECTED.get(kind, kind.__name__) for kind in allowed]
    return " or ".join(dict.fromkeys(words))


def describe(kind: type) -> str:
    """Return a person's name for a parameter class: its policy or model name, else its class."""
    return str(getattr(kind, "name", kind.__name__))


PARSING = RLock()
"""Lets one thread parse at a time. Python 3.11 has one count of depth for all threads. If garbage is collected in one that parses
and another one parses meanwhile, the count is wrong, and Python raises an error.
"""


def parse_call(text: str, what: str = "a policy") -> tuple[str, dict[str, Any]]:
    """Return name and values of ``'name(key=value, ...)'``; values are Python literals. ``what`` names the text in errors."""
    try:
        with PARSING:
            call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        if any(keyword.arg is None for keyword in call.keywords):
            raise ValueError
        names = [str(keyword.arg) for keyword in call.keywords]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ParameterError(f"{twice} is given twice in {text!r}; give it once")
        return call.func.id, {str(keyword.arg): literal_of(keyword) for keyword in call.keywords}
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ParameterError(f"expected {what} as name(key=value, ...); found {text!r}") from error


def literal_of(keyword: ast.keyword) -> Any:
    """Return the value of a parameter of a call; raise :class:`ParameterError` for a word without quotes."""
    if isinstance(keyword.value, ast.Name):
        word = keyword.value.id
        raise ParameterError(
            f'{keyword.arg}: expected a number, or a word in quotes; found {word}. Write {keyword.arg}="{word}"'
        )
    return ast.literal_eval(keyword.value)


def parse_setting(text: str) -> tuple[str, Any]:
    """Return key and value of ``key=value`` from the command line: a number, true, false, none or a word."""
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
