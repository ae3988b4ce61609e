"""The ledger in words: bands, findings, numbers."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reports.ledger.terms import CONTAINING, Terms
from reports.ledger.verdicts import Judged, Verdict
from reports.measure.verdict_words import NONE, NOT_TESTABLE, OPPOSITES
from scheduler_core.declarations.words import capitalised

FEW = 3
"""The most rows that a finding names one by one."""

MINIATURE = "a miniature, in which sizes mean nothing"


def expectation(terms: Terms) -> str:
    """Return in words when a row counts as reproduced."""
    if terms.quantifier == "sides":
        return f"at least one 95 % interval lies wholly below {terms.edges[0]:g} and at least one wholly above"
    return f"{'every' if terms.quantifier == 'all' else 'at least one'} {band(terms)}"


def band(terms: Terms) -> str:
    """Return a band in words."""
    edge = " to ".join(f"{number:g}" for number in terms.edges)
    mean = "mean of as many draws as the source had"
    excludes = terms.no_effect is not None and terms.kind in ("prints", "prints_between")
    own = "the printed number" if not terms.edges else f"the printed {edge}"
    return (
        {
            "above": f"95 % interval lies above {edge}",
            "below": f"95 % interval lies below {edge}",
            "between": f"95 % interval lies between {' and '.join(edge.split(' to '))}",
            "prints": f"95 % prediction interval of a {mean} holds {own}",
            "prints_over": f"95 % prediction interval of a {mean} lies above {edge}",
            "prints_under": f"95 % prediction interval of a {mean} lies below {edge}",
            "prints_between": f"95 % prediction interval of a {mean} meets {edge}",
            "near": f"90 % interval lies within {terms.beside:g} of {edge}",
            "is": f"value is {'as printed' if not terms.edges else edge}" + tolerance(terms.beside),
            "at_most": f"value is at most {edge}",
            "at_least": f"value is at least {edge}",
        }[terms.kind]
        + (f", without containing {terms.no_effect:g}" if excludes else "")
        + (", and covers at most half of the plausible values" if terms.kind in CONTAINING else "")
    )


def tolerance(beside: float) -> str:
    """Return the tolerance of an exact value in words."""
    return f", to within {beside:g}" if beside else ""


def finding(verdict: Verdict, terms: Terms, unit: str = "") -> str:
    """Return what was measured in words: the rows if they are few, else how many are reproduced, and their range of values."""
    told = [row for row in verdict.rows if row.value is not None]
    if terms.miniature:
        return MINIATURE
    if not told:
        return "nothing to measure it on"
    rows, reproduced, _, _, untestable = verdict.tally
    left = f"; {untestable} of {rows} not testable" if untestable and verdict.verdict != NOT_TESTABLE else ""
    if len(told) <= FEW:
        return "; ".join(written_row(row, unit) for row in told) + left
    values = [row.value for row in told if row.value is not None]
    limit = terms.limit if not terms.interval_kind else None

    def write(value: float) -> str:
        return written(value, digits=apart(value, limit))

    return f"{reproduced} of {rows}; values {span_of(min(values), max(values), unit, write)}{left}"


def unit_words(claim: dict[str, Any]) -> str:
    """Return the unit of a claim's values with what they count, as "% less"; a bare "66.9 %" would not say less or more.

    A comparison that names no change gives ratios. A difference of two changes counts how much more of the change there is: what
    saves 10 % and then 30 % saves 20 points more.
    """
    change = claim.get("change") or ("ratio" if claim.get("against") and not claim.get("measure") else "")
    unit, way = str(claim.get("unit", "")), str(change).rpartition(" ")[2]
    if not unit and way == "ratio":
        return "times"
    if unit and way in ("less", "more", "better") and claim.get("measure") == "difference_of_changes":
        return f"{unit} more {'saved' if way == 'less' else 'gained'}"
    return f"{unit} {way}" if unit and way in ("less", "more", "better") else unit


def reversed_unit(unit: str) -> str:
    """Return the unit of a value below 0 written without its sign, as "% more" for "% less"; empty if it needs the sign."""
    turned = " ".join(OPPOSITES.get(word, word) for word in unit.split())
    return turned if turned != unit else ""


def span_of(least: float, most: float, unit: str, write: Callable[[float], str]) -> str:
    """Return the range of some values, written by ``write``; if they go two ways, each end has its word."""
    other = reversed_unit(unit)
    if not other or least >= 0:
        return f"{write(least)} to {write(most)} {unit}".strip()
    return f"{write(-least)} {other} to {write(most)} {unit}" if most > 0 else span_of(-most, -least, other, write)


def said(texts: dict[str, str], verdict: Verdict, unit: str, headline: str = "") -> str:
    """Return the text for a verdict, or the text for all others, with its numbers filled in.

    If the first value is 0, a text for none comes before that for the verdict. A claim that is not testable says so unless it has
    a text for that, and what has no headline says nothing: another verdict's text would speak of data that do not exist.
    """
    if verdict.verdict == NOT_TESTABLE and NOT_TESTABLE not in texts:
        return f"{headline}: not testable here." if headline else ""
    first = next((row for row in verdict.rows if row.value is not None), None)
    said_of = NONE if NONE in texts and first is not None and first.value == 0 else verdict.verdict
    text = texts.get(said_of, texts.get("otherwise", ""))
    rows, reproduced, _, _, _ = verdict.tally
    below = first is not None and (first.value or 0) < 0 and any(f"{{{way}}}" in text for way in OPPOSITES)
    if first is not None and below:
        first = reversed_row(first)
    ways = {way: other if below else way for way, other in OPPOSITES.items()}
    value = written(first.value, unit, digits_of(first)) if first else written(None)
    label = first.label if first else ""
    words = {"value": value, "interval": interval(first, unit), "label": label, "rows": beside_printed(verdict, unit)}
    return tally_words(text.strip(), reproduced, rows).format(**words, k=reproduced, n=rows, **ways)


TALLY = re.compile(r"(^|\. )?\{k\} of \{n\}(?! *\))(?: (\w+?)(ies|(?<=ss)es|s)\b)?")
"""A tally: whether a sentence begins with it, and what is counted, a stem and the ending of its plural."""


def tally_words(text: str, reproduced: int, rows: int) -> str:
    """Return a text with a tally of none, of all or of one in words: "none of the 4 cases", "all 4 cases", "no case (of 1)"."""

    def in_words(found: re.Match[str]) -> str:
        begins, stem, ending = found.groups()
        if reproduced not in (0, rows) or (rows == 1 and not stem):
            return found[0]
        one = f"{stem}y" if ending == "ies" else stem
        words = (
            (f"the only {one}" if reproduced else f"no {one} (of 1)")
            if rows == 1
            else (("all {n}" if reproduced else "none of the {n}") + (f" {stem}{ending}" if stem else ""))
        )
        return words if begins is None else begins + capitalised(words)

    return TALLY.sub(in_words, text)


def beside_printed(verdict: Verdict, unit: str) -> str:
    """Return every value of a verdict with its row and the printed number, as "45 % (W1; printed: 48 %) and 74 % (W3)"."""
    told = [row for row in verdict.rows if row.value is not None]
    names = [row.label.split(", ") for row in told]
    while len(names) > 1 and min(map(len, names)) > 1 and len({name[-1] for name in names}) == 1:
        names = [name[:-1] for name in names]  # what all rows have in common
    texts = []
    for row, name in zip(told, names, strict=True):
        printed = "" if row.printed is None else f"; printed: {written(row.printed, unit)}"
        texts.append(f"{written(row.value, unit, digits_of(row))} ({', '.join(name)}{printed})")
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def reversed_row(row: Judged) -> Judged:
    """Return a row of evidence with the signs of its value and its interval turned."""
    value, low, high = (None if end is None else -end for end in (row.value, row.high, row.low))
    return replace(row, value=value, low=low, high=high)


def interval(row: Judged | None, unit: str) -> str:
    """Return the interval of a row in words, or that there is none; over several units, it then is unbounded."""
    if row is None or row.low is None or row.high is None:
        return "no interval: it is unbounded" if row is not None and row.units > 1 else "no interval"
    digits = digits_of(row)
    return f"{written(row.low, digits=digits)} to {written(row.high, unit, digits)}"


def written_row(row: Judged, unit: str) -> str:
    """Return a row of evidence in one line; of a value below 0, the word of its unit says the way."""
    if (row.value or 0) < 0 and (other := reversed_unit(unit)):
        row, unit = reversed_row(row), other
    bounds = "" if row.low is None or row.high is None else f" ({interval(row, '')})"
    return f"{row.label}: {written(row.value, unit, digits_of(row))}{bounds}"


def digits_of(row: Judged) -> int:
    """Return the digits of a row that tell what decides it, its interval or its exact value, from its limit."""
    ends = (row.value,) if row.low is None or row.high is None else (row.low, row.high)
    return max(apart(end, row.limit) for end in ends if end is not None)


def apart(value: float, limit: float | None) -> int:
    """Return the significant digits, three to seven, by which a value and a limit look different; signs do not count."""
    if limit is None or abs(value) == abs(limit):
        return 3
    return next((n for n in range(3, 7) if f"{abs(value):.{n}g}" != f"{abs(limit):.{n}g}"), 7)


def written(value: float | None, unit: str = "", digits: int = 3) -> str:
    """Return a number with so many significant digits (a whole number may have fewer), no exponent, and its unit."""
    if value is None:
        return "none"
    text = f"{value:.{digits}g}" if value == round(value) else f"{value:#.{digits}g}".rstrip(".")
    text = f"{value:,.0f}" if "e+" in text or abs(value) >= 1000 else text
    return f"{text.replace('-', '−')} {unit}".strip()
