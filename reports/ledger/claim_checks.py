"""The keys of a claim, its bands, and the words for kinds.

:mod:`reports.ledger.verdicts` judges by the bands. Snakemake reads this module at every start, so it imports nothing heavy.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, WithJsonSchema, model_validator
from pydantic.config import JsonDict

from reports.ledger.claim_completion import completed
from reports.measure.verdict_words import VERDICTS
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.declarations.written import Expected, Read, Written, complaint, key, number, one_of, parse

KINDS = {
    "identity": "holds by construction, or is exact arithmetic",
    "workload": "concerns the inputs",
    "direction": "names the larger of two, or a trend",
    "magnitude": "gives a size",
    "mechanism": "explains how the scheduler causes an effect",
    "expectation": "states an expectation, a goal or an assumption, not a result",
}
"""Kinds of claims, and what a claim of each kind does."""

ABSENT, REVERSED, OTHER_SIZE, TOO_FEW = "effect absent", "reversed", "size differs", "too few data"
CAUSES = ("lost input", "definition unclear", "source contradicts itself", ABSENT, REVERSED, OTHER_SIZE)
"""Causes of failure that a study may state; :func:`reports.ledger.claims.cause_of` computes others."""

CHANGES = dict.fromkeys(("ratio", "% of", "% more", "% less"), "comparison") | dict.fromkeys(
    ("difference", "points more", "points less", "mean % of", "mean % more", "mean % less", "mean % better"),
    "mean_change",
)
"""How policy A differs from policy B: the words of a claim, each with its shared measure."""

LESS = ("% less", "mean % less")
"""Changes that are never above 100 %, because nothing measured falls below zero."""

EXACT = ("is", "at_most", "at_least")
"""Bands for exact values, which have no units."""

BESIDE = {"near": "margin", "is": "tolerance"}
"""Bands with a required second key."""

HEADLINE_LENGTH = 90
"""Characters that a headline may have."""

BAND_RULES: JsonDict = {
    "minProperties": 1,
    "maxProperties": 2,
    "dependentRequired": {kind: [other] for pair in BESIDE.items() for kind, other in (pair, pair[::-1])},
}
"""Further rules for a band in the JSON schema."""

BAND_FORM = (
    "{above: x}, {below: x}, {between: [a, b]}, {prints: x}, {prints_over: x}, {prints_under: x}, {prints_between: [a, b]}, "
    "{near: x, margin: m}, {is: x, tolerance: t}, {at_most: x} or {at_least: x}"
)
FORM = f"{{all: BAND}}, {{any: BAND}} or {{sides: x}}; BAND: {BAND_FORM}"
WITH_FORM = "a mapping from a parameter of the measure to text, a number, a truth value or a list of them or of pairs"


def is_number(value: Any) -> bool:
    """Return whether ``value`` is a finite number and no truth value."""
    return type(value) in (int, float) and abs(value) < float("inf")


def number_or_null(value: Any) -> float | None:
    """Return a number, or null."""
    return None if value is None else number(value)


def number_or_each(value: Any) -> float | str:
    """Return a number, or ``each``: the printed number of each row."""
    if value != "each" and not is_number(value):
        raise StudyError(f"expected a number or 'each' (the column printed); found {value!r}")
    return value


def from_0(value: Any) -> float:
    """Return a number that is not negative."""
    if not is_number(value) or value < 0:
        raise StudyError(f"expected a number from 0; found {value!r}")
    return value


def ascending(value: Any) -> tuple[float, float]:
    """Return two numbers, the smaller first."""
    if not (isinstance(value, list) and len(value) == 2 and all(map(is_number, value)) and value[0] < value[1]):
        raise StudyError(f"expected two numbers, the smaller first; found {value!r}")
    return value[0], value[1]


def read_range(value: Any) -> tuple[float | None, float | None]:
    """Return the least and the largest value; null is no limit."""
    ends = value if isinstance(value, list) and len(value) == 2 else [None]
    known = [end for end in ends if end is not None]
    if not known or not all(map(is_number, known)) or sorted(known) != known:
        raise StudyError(f"expected the least and the largest possible value, null for none; found {value!r}")
    return ends[0], ends[1]


def read_explanation(value: Any) -> str | dict[str, str]:
    """Return a text, or texts by verdict; a text of several verdicts has these with commas between them."""
    if not isinstance(value, (str, dict)):
        raise StudyError(f"expected text, or text by verdict; found {value!r}")
    told: set[str] = set()
    for verdicts, text in value.items() if isinstance(value, dict) else ():
        for verdict in str(verdicts).split(", "):
            if verdict not in VERDICTS:
                raise StudyError(f"there is no verdict '{verdict}'; {nearest(verdict, VERDICTS)}")
            if verdict in told:
                raise StudyError(f"the verdict '{verdict}' has two texts; expected one")
            told.add(verdict)
        if not isinstance(text, str):
            raise complaint(f"expected text; found {text!r}", verdicts)
    return value


def is_pair(value: Any) -> bool:
    """Return whether ``value`` is a pair of names."""
    return isinstance(value, list) and len(value) == 2 and all(isinstance(name, str) for name in value)


def read_with(given: Any) -> dict[str, Any]:
    """Return the parameters of a measure: text, numbers, truth values, lists of one of these or of pairs."""
    if given is None:
        return {}
    if not isinstance(given, dict) or not all(isinstance(name, str) for name in given):
        raise StudyError(f"expected {WITH_FORM}; found {given!r}")
    for name, value in given.items():
        listed = value if isinstance(value, list) else [value]
        parts = [part for one in listed for part in (one if is_pair(one) else [one])]
        if not parts or not all(isinstance(part, str | bool) or is_number(part) for part in parts):
            raise complaint(f"expected {WITH_FORM}; found {value!r}", name)
    return given


def read_against(value: Any) -> list[Any]:
    """Return a list of pairs of policies; a single name stands for the same policy twice."""
    if not (isinstance(value, list) and value and all(is_pair(one) or isinstance(one, str) for one in value)):
        raise StudyError(f"expected a list of pairs of policies [A, B]; found {value!r}")
    return value


NUMBER_SCHEMA = {"type": "number"}
TWO_NUMBERS = {"type": "array", "items": NUMBER_SCHEMA, "minItems": 2, "maxItems": 2}
TEXT = {"type": "string"}


def with_schema() -> dict[str, Any]:
    """Return the schema of the parameters of a measure."""
    value = {"type": ["string", "number", "boolean"]}
    pair = {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2}
    given = {"anyOf": [value, {"type": "array", "items": {"anyOf": [value, pair]}, "minItems": 1}]}
    return {"type": ["object", "null"], "additionalProperties": given}


def against_schema() -> dict[str, Any]:
    """Return the schema of pairs of policies."""
    return {"type": "array", "items": {"type": ["string", "array"], "items": TEXT}, "minItems": 1}


def by_verdict() -> dict[str, Any]:
    """Return the schema of a text, or texts by verdict."""
    one = f"({'|'.join(VERDICTS)})"
    texts = {"type": "object", "propertyNames": {"pattern": f"^{one}(, {one})*$"}, "additionalProperties": TEXT}
    return {"anyOf": [TEXT, texts]}


Number = Annotated[float, Read(number, lambda: NUMBER_SCHEMA)]
Count = Annotated[int, Field(ge=1), Expected("a whole number of at least 1")]
Text = Annotated[str, Field(min_length=1), Expected("text")]
Edge = Annotated[float | None, Read(number, lambda: NUMBER_SCHEMA)]
EachEdge = Annotated[
    float | str | None, Read(number_or_each, lambda: {"type": ["number", "string"], "pattern": "^each$"})
]
PairEdge = Annotated[tuple[float, float] | None, Read(ascending, lambda: TWO_NUMBERS)]
Beside = Annotated[float | None, Read(from_0, lambda: {**NUMBER_SCHEMA, "minimum": 0})]


class Band(Written):
    """A band: one of its keys except the last two, which go with ``near`` and ``is``."""

    above: Edge = key("the 95 % confidence interval lies in the band; not reproduced: wholly outside", None)
    below: Edge = key("as `above`", None)
    between: PairEdge = key("as `above`", None)
    prints: EachEdge = key(
        "x lies in the 95 % prediction interval of a mean of `draws` draws, given ours, `no_effect` does not, and the interval "
        "covers at most half of the plausible values (`range`, or twice the distance from `no_effect` to x); not reproduced: x "
        "lies outside",
        None,
    )
    prints_over: Edge = key("the prediction interval lies above x; not reproduced: below", None)
    prints_under: Edge = key("the prediction interval lies below x; not reproduced: above", None)
    prints_between: PairEdge = key(
        "the prediction interval meets the range, leaves out `no_effect` and is as short as for `prints`; not reproduced: it "
        "does not meet the range",
        None,
    )
    near: Edge = key(
        "with `margin: m`: the 90 % interval lies within x ± m (equivalence, by two one-sided tests); not reproduced: the 95 % "
        "interval lies wholly outside",
        None,
    )
    is_: EachEdge = key("with `tolerance: t`: the exact value is x; not reproduced: it is not", None, alias="is")
    at_most: Edge = key("the exact value is at most x", None)
    at_least: Edge = key("the exact value is at least x", None)
    margin: Beside = key("goes with `near`", None)
    tolerance: Beside = key("goes with `is`", None)

    model_config = ConfigDict(json_schema_extra=BAND_RULES)

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        kinds = [name for name in self.written if name not in BESIDE.values()]
        if len(kinds) != 1:
            raise complaint(f"expected one band, {BAND_FORM}; found {self.written!r}")
        needed = BESIDE.get(kinds[0])
        for name in self.written:
            if name not in (kinds[0], needed):
                raise complaint(f"there is no such key beside '{kinds[0]}'", name)
        if needed and needed not in self.written:
            raise complaint("is missing; expected a number from 0", needed)
        return self


class Expect(Written):
    """What a claim expects of its rows."""

    all: Annotated[Band | None, Expected(BAND_FORM)] = key("every row lies in the band", None)
    any: Annotated[Band | None, Expected(BAND_FORM)] = key("at least one row lies in the band", None)
    sides: Edge = key("rows lie on both sides of x", None)

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if len(self.written) != 1:
            raise complaint(f"expected {FORM}; found {self.written!r}")
        return self


class Measured(Written):
    """What is measured: a measure with its parameters, or compared policies."""

    measure: Text | None = key(
        "a query, `<study>/measures/<name>.sql` or `reports/ledger/sql/<name>.sql` (shared); `reports/ledger/measures.py` "
        "explains its columns",
        None,
        otherwise="must be given without `against`",
    )
    against: Annotated[list[Any] | None, Read(read_against, against_schema)] = key(
        "pairs of policies `[[A, B]]` to compare; a single name stands for the same policy twice",
        None,
        otherwise="none",
    )
    change: Annotated[str | None, one_of(CHANGES)] = key(
        "how far A is from B: " + ", ".join(f"`{word}`" for word in CHANGES), None, otherwise="`ratio`"
    )
    parameters: Annotated[dict[str, Any], Read(read_with, with_schema)] = key(
        "parameters of the measure; comparisons take `workloads`, `metrics`, `scopes`, and `per`: `run`, a value per replication "
        "(the default), or `unit`, on a log a value per batch",
        {},
        otherwise="none",
        alias="with",
    )

    @model_validator(mode="after")
    def _check_measured(self) -> Self:
        if not self.measure and not self.against and getattr(self, "claim", None) is None:
            raise complaint("is missing; it must be given where there is no 'against'", "measure")
        return self


class Claim(Measured):
    """A claim of the literature, and what would reproduce it."""

    id: Text = key("a word that stays")
    kind: Annotated[str, one_of(KINDS)] = key("; ".join(f"`{name}`: {does}" for name, does in KINDS.items()))
    headline: Annotated[Text, Field(max_length=HEADLINE_LENGTH)] = key(
        f"the claim in a few words of ours, at most {HEADLINE_LENGTH} characters; unique in its study"
    )
    sentence: Text = key("the source's words")
    citation: Text = key("the source", "", otherwise="the `source` of `sentences.yaml`")
    section: str = key("the place in the source", "", otherwise="none")
    printed: str = key("what the source prints, as text", "", otherwise="none")
    expect: Annotated[Expect, Expected(FORM)] = key(
        "`{all: BAND}` or `{any: BAND}` of the rows, or `{sides: x}`: rows on both sides of x"
    )
    unit: str = key("unit of the values", "", otherwise="that of `change` where there is no `measure`; else none")
    range: Annotated[
        tuple[float | None, float | None] | None,
        Read(read_range, lambda: {**TWO_NUMBERS, "items": {"type": ["number", "null"]}}),
    ] = key("least and largest possible value, null for none", None, otherwise="none")
    no_effect: Annotated[float | None, Read(number_or_null, lambda: {"type": ["number", "null"]})] = key(
        "the value that means no effect: 0 for a difference, 1 for a ratio; null for none",
        None,
        otherwise="that of `change` where there is no `measure`; else none",
    )
    draws: Count = key("how many of its draws the source averaged for the printed number", 1, otherwise="1")
    digits: int | None = key(
        "decimals of the printed number (below 0: tens, hundreds)", None, otherwise="as it is written"
    )
    rows: Count | None = key(
        "how many rows there are when every run is present; missing ones count as not testable", None, otherwise="none"
    )
    cause: Annotated[str | None, one_of(CAUSES)] = key(
        "why it fails, where that is known: " + ", ".join(f"`{cause}`" for cause in CAUSES), None, otherwise="computed"
    )
    explanation: Annotated[str | dict[str, str], Read(read_explanation, by_verdict)] = key(
        "for the reader: a text, or texts by verdict (`not reproduced, cannot tell: TEXT`); the scale `quick` leaves it out, and "
        'a single text begins with "With all logs" where a log of the claim is missing',
        "",
        otherwise="none",
    )
    fitted: Annotated[str, WithJsonSchema({"type": ["string", "array"], "items": TEXT})] = key(
        "what was chosen after a result was seen: text, or names of choices under `fitted` of the study, or a list of these",
        "",
        otherwise="none",
    )
    figure: str | None = key("the figure of the study that shows it", None, otherwise="none")
    sensitivity: Annotated[Measured | None, Expected("{measure: NAME, with: {...}}")] = key(
        "a measure whose rows are shown beside the claim; no verdict rests on them", None, otherwise="none"
    )

    @model_validator(mode="after")
    def _check_citation(self) -> Self:
        if not self.citation:
            raise complaint("is missing; it must be given, here or as 'source' of sentences.yaml", "citation")
        return self

    @model_validator(mode="after")
    def _check_less(self) -> Self:
        ((quantifier, band),) = self.expect.written.items()
        bounds = (
            [band] if quantifier == "sides" else [edge for name, edge in band.items() if name not in BESIDE.values()]
        )
        for edge in [part for bound in bounds for part in (bound if isinstance(bound, list) else [bound])]:
            if self.change in LESS and not self.measure and is_number(edge) and edge > 100:
                raise complaint(f"'{self.change}' is never above 100; found the bound {edge:g}", "expect")
        return self


def validate_claims(
    study: str, claims: Any, source: str | None = None, choices: Mapping[str, str] | None = None
) -> list[Claim]:
    """Return the claims of a study, checked and completed.

    :func:`~reports.ledger.claim_completion.completed` explains ``source`` and ``choices``.

    Raises
    ------
    StudyError
        For the first error; the text names study, claim and key, what was found and what was expected.
    """
    if not isinstance(claims, list):
        raise StudyError(f"study '{study}': claims must be a list; found {type(claims).__name__}")
    read: dict[str, Claim] = {}
    headlines: dict[str, str] = {}
    for place, written in enumerate(claims):
        if not isinstance(written, Mapping) or not isinstance(written.get("id"), str):
            raise StudyError(f"study '{study}': claims.{place}: expected a mapping with the key 'id' (a word)")
        where = f"study '{study}': claim '{written['id']}'"
        if written["id"] in read:
            raise StudyError(f"{where}: the id is taken by an earlier claim; give one of the two another")
        try:
            whole = completed(written, source, choices or {})
        except StudyError as error:
            raise StudyError(f"{where}: {error}") from error
        claim = read[written["id"]] = parse(Claim, whole, where)
        other = headlines.setdefault(claim.headline, claim.id)
        if other != claim.id:
            raise StudyError(f"{where}: headline: claim '{other}' has the same; say in which they differ")
    return list(read.values())
