"""Typed values from YAML: one declaration gives parsing, messages, JSON schema and tables of keys.

A class of keys derives from :class:`Written`; :func:`key` makes each field, with its meaning. Messages name the dotted key,
what was found and what was expected; for a misspelt word they name the nearest known one.
"""

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
"""The default of a required key, in tables of keys."""

KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
}
"""A person's name for the expected kind, by pydantic's type of error."""

KEPT = ("complaint", "string_too_long", "too_long")
"""Types of errors whose own text is more precise than the expected kind."""


def complaint(message: object, at: str = "") -> PydanticCustomError:
    """Return a validator's error with this message; ``at`` names a key within the validated value."""
    return PydanticCustomError("complaint", "{message}", {"message": str(message), "at": at})


class Written(BaseModel):
    """Base of all written values: frozen, with declared keys only."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)

    whose: ClassVar[str] = ""
    """The owner of the keys, for messages: `` of a reading``."""

    _written: Mapping[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def written(self) -> dict[str, Any]:
        """The keys and values as they were written."""
        return dict(self._written)

    @classmethod
    def names(cls) -> list[str]:
        """List the keys by their written names."""
        return [entry.alias or name for name, entry in cls.model_fields.items()]

    @model_validator(mode="wrap")
    @classmethod
    def _keep_written(cls, value: Any, handler: Handler) -> Any:
        """Refuse an unknown key, and keep the written mapping beside the typed values."""
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
        """Return the message for an unknown key."""
        return f"there is no such key{cls.whose}; {nearest(name, cls.names())}"


def key(meaning: str, default: Any = ..., *, otherwise: str = "", **more: Any) -> Any:
    """Declare a key; ``otherwise`` describes its default in words."""
    words = MUST if default is ... and not otherwise else otherwise
    return Field(default, description=meaning, json_schema_extra={"otherwise": words} if words else None, **more)


@dataclass(frozen=True)
class Expected:
    """Annotates a type with a person's name for it, used in the error of the value as a whole."""

    words: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(self.check, handler(source))

    def check(self, value: Any, handler: Handler) -> Any:
        """Return the inner type's value."""
        try:
            return handler(value)
        except ValidationError as error:
            if all(entry["loc"] or entry["type"] in KEPT for entry in error.errors()):
                raise
            raise complaint(f"expected {self.words}; found {value!r}") from error


@dataclass(frozen=True)
class Read:
    """Annotates a type with its JSON schema and the function that reads it, which raises :class:`SlotwiseError`."""

    reader: Callable[[Any], Any]
    schema: Callable[[], dict[str, Any]]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        return self.schema()

    def read(self, value: Any) -> Any:
        """Return the value read."""
        try:
            return self.reader(value)
        except SlotwiseError as error:
            raise complaint(error) from error


def one_of(words: Iterable[str]) -> Read:
    """Annotate a type of text with its allowed words."""
    known = tuple(words)

    def reader(value: Any) -> Any:
        if value not in known:
            raise StudyError(f"there is no '{value}'; {nearest(str(value), known)}")
        return value

    return Read(reader, lambda: {"enum": list(known)})


def number(value: Any) -> float:
    """Return a finite number as written."""
    if type(value) not in (int, float) or not abs(value) < float("inf"):
        raise StudyError(f"expected a number; found {value!r}")
    return value


def parse(kind: type[Value] | TypeAdapter[Value], value: Any, where: str = "", at: str = "") -> Value:
    """Return the typed value of written data; ``kind`` derives from :class:`Written`, or is an adapter of another type.

    Raise :class:`StudyError` for the first error; its text names ``where`` (a file) and the dotted key, which begins with ``at``.
    """
    try:
        if isinstance(kind, TypeAdapter):
            return kind.validate_python(value)
        return kind.model_validate(value)  # type: ignore[attr-defined]
    except ValidationError as error:
        inside, message = first_complaint(error)
        raise located(where, ".".join(filter(None, (at, inside))), message) from error


def located(where: str, at: str, message: object) -> StudyError:
    """Return the error for a dotted key of a file; either may be empty."""
    return StudyError(": ".join(filter(None, (where, at, str(message)))))


def first_complaint(error: ValidationError) -> tuple[str, str]:
    """Return the dotted key and the message of the first error."""
    entry = error.errors(include_url=False)[0]
    given = entry.get("ctx", {})
    place = [str(part) for part in entry["loc"] if part != "[key]"] + ([given["at"]] if given.get("at") else [])
    return ".".join(place), words_for(entry["type"], entry["input"], given, entry["msg"])


def words_for(kind: str, found: Any, given: Mapping[str, Any], otherwise: str) -> str:
    """Return the message for pydantic's kind of error; ``given`` has the constraints on the value."""
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
