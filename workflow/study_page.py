"""What a study says of its own page: the answer, two numbers, the figure on top, the curve, and the order of figures.

Texts stand a verdict, and their numbers are filled in from what was measured, so that no text can disagree with the data.
"""

from __future__ import annotations

import string
from collections.abc import Collection
from pathlib import Path
from typing import Any

from reports.figures.names import figure_names
from reports.ledger.claim_checks import VERDICTS
from reports.ledger.measures import SHARED, measure_of
from scheduler_core.common.errors import nearest
from workflow.checks import check_keys, expect, mapping_at, wrong

PAGE_KEYS = ("answer", "numbers", "hero", "curve", "sections")
"""Keys of a study file that its page follows; each may be left out."""

OTHERWISE = "otherwise"
"""Stands for the verdicts that a ``say`` does not name."""

PLACEHOLDERS = ("value", "interval", "k", "n")
"""What a text may speak of: value and interval of the first row, and how many of the rows were reproduced."""

MOST_SENTENCES = 4
MOST_NUMBERS = 2
MOST_TITLE = 120
"""Letters of a heading that stay on two lines."""


def read_page(path: Path, written: dict[str, Any], claims: Collection[str]) -> dict[str, Any]:
    """Check the keys of a study's page and return those that are written.

    Parameters
    ----------
    path
        The study file; measures are looked for beside it.
    written
        The study as read.
    claims
        Ids of the study's claims.

    Raises
    ------
    StudyError
        Naming file, key and what was expected.
    """
    page = {key: written[key] for key in PAGE_KEYS if written.get(key) is not None}
    for number, sentence in enumerate(listed(path, "answer", page, MOST_SENTENCES)):
        key = f"answer.{number}"
        check_sentence(path, key, mapping_at(path, key, sentence), claims)
    for number, entry in enumerate(listed(path, "numbers", page, MOST_NUMBERS)):
        check_number(path, f"numbers.{number}", entry)
    known = figure_names(path.parent)
    if "hero" in page:
        hero = dict(mapping_at(path, "hero", page["hero"]))
        check_figure(path, "hero.figure", hero.pop("figure", None), known)
        check_sentence(path, "hero", hero, claims, MOST_TITLE)
    if "curve" in page:
        check_claim(path, "curve", page["curve"], claims)
    check_sections(path, listed(path, "sections", page), known)
    return page


def listed(path: Path, key: str, page: dict[str, Any], most: int | None = None) -> list[Any]:
    """Return the list under a key of a page, which has at most so many entries."""
    found = page.get(key, [])
    expect(path, key, found, list, "a list")
    if most is not None and len(found) > most:
        raise wrong(path, key, f"expected at most {most}; found {len(found)}")
    return list(found)


def check_sentence(
    path: Path, key: str, mapping: dict[str, Any], claims: Collection[str], most: int | None = None
) -> None:
    """Check a sentence or a heading: it speaks of a claim, or of a measure with an expectation of its own."""
    if "claim" in mapping:
        check_keys(path, key, mapping, ("claim", "say"))
        check_claim(path, f"{key}.claim", mapping["claim"], claims)
    else:
        check_keys(path, key, mapping, ("measure", "against", "change", "with", "unit", "no_effect", "expect", "say"))
        check_measure(path, key, mapping)
        mapping_at(path, f"{key}.expect", mapping.get("expect"))
    check_say(path, f"{key}.say", mapping.get("say"), most)


def check_number(path: Path, key: str, entry: Any) -> None:
    """Check one of the numbers beside the answer."""
    mapping = mapping_at(path, key, entry)
    check_keys(path, key, mapping, ("label", "measure", "against", "change", "with", "unit"))
    expect(path, f"{key}.label", mapping.get("label"), str, "text")
    expect(path, f"{key}.unit", mapping.get("unit", ""), str, "text")
    check_measure(path, key, mapping)


def check_sections(path: Path, sections: list[Any], known: Collection[str]) -> None:
    """Check the sections in which the figures stand; a figure stands in one of them."""
    taken: dict[str, int] = {}
    for number, section in enumerate(sections):
        key = f"sections.{number}"
        mapping = mapping_at(path, key, section)
        check_keys(path, key, mapping, ("title", "figures"))
        expect(path, f"{key}.title", mapping.get("title"), str, "text")
        expect(path, f"{key}.figures", mapping.get("figures"), list, "a list of figures")
        for name in mapping["figures"]:
            check_figure(path, f"{key}.figures", name, known)
            if taken.setdefault(name, number) != number or mapping["figures"].count(name) > 1:
                raise wrong(path, f"{key}.figures", f"duplicate: '{name}' stands in a section already")


def check_claim(path: Path, key: str, claim: Any, claims: Collection[str]) -> None:
    """Check that a key names a claim of the study."""
    if claim not in claims:
        hint = nearest(str(claim), claims) if claims else "the study has no claims"
        raise wrong(path, key, f"there is no claim '{claim}' in this study; {hint}")


def check_figure(path: Path, key: str, name: Any, known: Collection[str]) -> None:
    """Check that a key names a figure of the study."""
    if name not in known:
        raise wrong(path, key, f"there is no figure '{name}' of this study; {nearest(str(name), known)}")


def check_measure(path: Path, key: str, mapping: dict[str, Any]) -> None:
    """Check the measure that an entry names: a file of the study or one that studies share."""
    name = measure_of(mapping)
    expect(path, f"{key}.measure", name, str, "the name of a measure")
    mapping_at(path, f"{key}.with", mapping.get("with", {}))
    folders = [path.parent / "measures", SHARED]
    if not any((folder / f"{name}.sql").is_file() for folder in folders):
        known = sorted({file.stem for folder in folders for file in folder.glob("*.sql")})
        hint = nearest(str(name), known) if known else f"measures are looked for in {folders[0]} and {folders[1]}"
        raise wrong(path, f"{key}.measure", f"there is no measure '{name}'; {hint}")


def check_say(path: Path, key: str, say: Any, most: int | None = None) -> None:
    """Check a text by verdict: each on data has one, of its own or under ``otherwise``; what is not testable says so itself."""
    mapping = mapping_at(path, key, say)
    check_keys(path, key, mapping, (*VERDICTS, OTHERWISE))
    missing = [verdict for verdict in VERDICTS[:-1] if verdict not in mapping and OTHERWISE not in mapping]
    if missing:
        raise wrong(path, key, f"says nothing when the verdict is '{missing[0]}'; give it a text, or add '{OTHERWISE}'")
    for verdict, text in mapping.items():
        expect(path, f"{key}.{verdict}", text, str, "text")
        if most is not None and len(text) > most:
            raise wrong(path, f"{key}.{verdict}", f"a heading has at most {most} letters; found {len(text)}")
        check_placeholders(path, f"{key}.{verdict}", text)


def check_placeholders(path: Path, key: str, text: str) -> None:
    """Check what a text says in braces."""
    try:
        names = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise wrong(path, key, f"{error}; write {{{{ or }}}} for a brace") from error
    for name in names:
        if name not in PLACEHOLDERS:
            raise wrong(path, key, f"there is no placeholder '{{{name}}}'; {nearest(name, PLACEHOLDERS)}")
