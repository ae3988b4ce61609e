"""Typed values of what people write in YAML: one declaration gives parsing, messages, JSON schema and tables of keys.

A class of keys derives from :class:`Written`; each key is a field made by :func:`key`, which carries its meaning. Messages
name the dotted key, what was found and what was expected; a misspelt word comes with the nearest known one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic import ValidatorFunctionWrapHandler as Handler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from scheduler_core.common.errors import SlotwiseError, StudyError, nearest

Value = TypeVar("Value")

MUST = "must be given"
"""The default of a key that must be given, in tables of keys."""

KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
}
"""What a person calls the kind that was expected, by pydantic's type of error."""

KEPT = ("complaint", "string_too_long", "too_long")
"""Types of errors whose own words say more than what was expected."""


def complaint(message: object, at: str = "") -> PydanticCustomError:
    """Return the error of a validator with this message; ``at`` names a key within the value that is validated."""
    return PydanticCustomError("complaint", "{message}", {"message": str(message), "at": at})


class Written(BaseModel):
    """Base of everything that people write: frozen, and no key but those declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)

    whose: ClassVar[str] = ""
    """What the keys are of, for messages: `` of a reading``."""

    _written: Mapping[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def written(self) -> dict[str, Any]:
        """The keys and values as they were written."""
        return dict(self._written)

    @classmethod
    def names(cls) -> list[str]:
        """List the keys by the names that people write."""
        return [entry.alias or name for name, entry in cls.model_fields.items()]

    @model_validator(mode="wrap")
    @classmethod
    def _keep_written(cls, value: Any, handler: Handler) -> Any:
        """Refuse an unknown key, and keep what was written beside what is made of it."""
        if isinstance(value, dict) and cls.model_config["extra"] == "forbid":
            known = cls.names()
            for name in value:
                if name not in known:
                    raise complaint(cls.unknown(str(name)), str(name))
        made = handler(value)
        if isinstance(value, dict):
            made._written = value
        return made

    @classmethod
    def unknown(cls, name: str) -> str:
        """Return the message for a key that there is not."""
        return f"there is no such key{cls.whose}; {nearest(name, cls.names())}"


def key(meaning: str, default: Any = ..., *, otherwise: str = "", **more: Any) -> Any:
    """Declare a key; ``otherwise`` says in words what holds where it is left out."""
    words = MUST if default is ... and not otherwise else otherwise
    return Field(default, description=meaning, json_schema_extra={"otherwise": words} if words else None, **more)


@dataclass(frozen=True)
class Expected:
    """Annotates a type with what a person calls it: an error of the value as a whole names that."""

    words: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(self.check, handler(source))

    def check(self, value: Any, handler: Handler) -> Any:
        """Return what the inner type makes of a value."""
        try:
            return handler(value)
        except ValidationError as error:
            if all(entry["loc"] or entry["type"] in KEPT for entry in error.errors()):
                raise
            raise complaint(f"expected {self.words}; found {value!r}") from error


@dataclass(frozen=True)
class Read:
    """Annotates a type with the function that reads it, which raises :class:`SlotwiseError`, and with its JSON schema."""

    reader: Callable[[Any], Any]
    schema: Callable[[], dict[str, Any]]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        return self.schema()

    def read(self, value: Any) -> Any:
        """Return what is made of a value."""
        try:
            return self.reader(value)
        except SlotwiseError as error:
            raise complaint(error) from error


def one_of(words: Iterable[str]) -> Read:
    """Annotate a type of text with the words that it may be."""
    known = tuple(words)

    def reader(value: Any) -> Any:
        if value not in known:
            raise StudyError(f"there is no '{value}'; {nearest(str(value), known)}")
        return value

    return Read(reader, lambda: {"enum": list(known)})


def number(value: Any) -> float:
    """Return a finite number as it was written."""
    if type(value) not in (int, float) or not abs(value) < float("inf"):
        raise StudyError(f"expected a number; found {value!r}")
    return value


def parse(kind: type[Value] | TypeAdapter[Value], value: Any, where: str = "", at: str = "") -> Value:
    """Return the typed value of what was written.

    Parameters
    ----------
    kind
        A class derived from :class:`Written`, or an adapter of another type.
    where, at
        What a message begins with (a file), and the dotted key under which the value stands there.

    Raises
    ------
    StudyError
        For the first thing that is wrong; the text names ``where`` and the dotted key.
    """
    try:
        if isinstance(kind, TypeAdapter):
            return kind.validate_python(value)
        return kind.model_validate(value)  # type: ignore[attr-defined]
    except ValidationError as error:
        inside, message = first_complaint(error)
        raise located(where, ".".join(filter(None, (at, inside))), message) from error


def located(where: str, at: str, message: object) -> StudyError:
    """Return the error for a dotted key of a file, either of which may be empty."""
    return StudyError(": ".join(filter(None, (where, at, str(message)))))


def first_complaint(error: ValidationError) -> tuple[str, str]:
    """Return the dotted key and the message of the first thing that is wrong."""
    entry = error.errors(include_url=False)[0]
    given = entry.get("ctx", {})
    place = [str(part) for part in entry["loc"] if part != "[key]"] + ([given["at"]] if given.get("at") else [])
    return ".".join(place), words_for(entry["type"], entry["input"], given, entry["msg"])


def words_for(kind: str, found: Any, given: Mapping[str, Any], otherwise: str) -> str:
    """Return the message for a kind of error of pydantic; ``given`` is what was asked of the value."""
    if kind == "complaint":
        return str(given["message"])
    if kind == "missing":
        return "is missing; it must be given"
    if kind in KINDS:
        return f"expected {KINDS[kind]}; found {found!r}"
    if kind in ("too_long", "string_too_long"):
        unit = " characters" if isinstance(found, str) else ""
        return f"expected at most {given['max_length']}{unit}; found {len(found)}"
    if kind in ("too_short", "string_too_short"):
        return f"expected at least {given['min_length']}; found {found!r}"
    return f"{otherwise}; found {found!r}"
