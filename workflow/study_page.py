"""A study's own page: the answer, two numbers, the figure on top, the curve, and the order of figures.

Each verdict has its text, and measured numbers are filled in, so text and data cannot disagree.
"""

import string
from collections.abc import Callable, Collection
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from reports.ledger.claim_checks import Expect, Measured, Number
from reports.measure.verdict_words import NONE, OPPOSITES, VERDICTS
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.declarations.written import Read, Written, complaint, key
from workflow.checks import Place

OTHERWISE = "otherwise"
"""Key of a ``say`` for all verdicts that it does not name."""

KEYS = (*VERDICTS, OTHERWISE, NONE)
"""Keys of a ``say``."""

PLACEHOLDERS = ("value", "interval", "label", "rows", "k", "n", *OPPOSITES)
"""Placeholders of a text: value, interval and label of the first row, all rows beside what is printed, how many of them were
reproduced, and words that turn for a value below 0, which is then written without its sign."""

MOST_TITLE = 120
"""The most letters of a heading, which fit on two lines."""


def texts(most: int | None = None) -> Read:
    """Annotate texts by verdict, each of at most so many letters."""

    def reader(written: Any) -> dict[str, str]:
        if not isinstance(written, dict):
            raise StudyError(f"expected a mapping of keys to values; found {written!r}")
        for verdict, text in written.items():
            if verdict not in KEYS:
                raise complaint(f"there is no such key; {nearest(str(verdict), KEYS)}", verdict)
            check_text(verdict, text, most)
        missing = [verdict for verdict in VERDICTS[:-1] if verdict not in written and OTHERWISE not in written]
        if missing:
            raise StudyError(f"says nothing when the verdict is '{missing[0]}'; give it a text, or add '{OTHERWISE}'")
        return written

    schema = {"type": "object", "propertyNames": {"enum": list(KEYS)}, "minProperties": 1}
    return Read(reader, lambda: {**schema, "additionalProperties": {"type": "string"}})


def check_text(verdict: str, text: Any, most: int | None) -> None:
    """Check a text, its length, and its placeholders."""
    if not isinstance(text, str):
        raise complaint(f"expected text; found {text!r}", verdict)
    if most is not None and len(text) > most:
        raise complaint(f"a heading has at most {most} letters; found {len(text)}", verdict)
    try:
        fields = [(name, spec, how) for _, name, spec, how in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise complaint(f"{error}; write {{{{ or }}}} for a brace", verdict) from error
    for name, spec, how in fields:
        if name not in PLACEHOLDERS:
            raise complaint(f"there is no placeholder '{{{name}}}'; {nearest(name, PLACEHOLDERS)}", verdict)
        if spec or how:
            raise complaint(f"a placeholder has no format: write {{{name}}} only", verdict)


TEXTS, TITLES = texts(), texts(MOST_TITLE)


class Sentence(Measured):
    """A sentence of the answer: about a claim, or about a measure with its own expectation."""

    claim: str | None = key("the claim it is about", None, otherwise="a measure")
    unit: str = key("unit of the values of the measure", "", otherwise="none")
    no_effect: Annotated[float | None, Number] = key("the value that means no effect", None, otherwise="none")
    expect: Expect | None = key(
        "what the measure is expected to be, as in a claim", None, otherwise="that of the claim"
    )
    say: Annotated[dict[str, str], TEXTS] = key("a text for each verdict")

    @model_validator(mode="after")
    def _check_subject(self) -> Self:
        if self.claim is None and self.expect is None:
            raise complaint("is missing; it must be given where there is no claim", "expect")
        for name in self.written if self.claim is not None else ():
            if name not in ("claim", "say", "figure"):
                raise complaint("the claim says that already; leave one of the two out", name)
        return self


class Hero(Sentence):
    """The figure on top of the page, with its finding as title."""

    figure: str = key("the figure")
    say: Annotated[dict[str, str], TITLES] = key("a title for each verdict")


class PageNumber(Measured):
    """A number beside the answer."""

    label: str = key("what it is")
    unit: str = key("its unit", "", otherwise="none")


class Section(Written):
    """A section of figures."""

    title: str = key("its heading")
    figures: list[str] = key("names of general figures, or of functions in the `figures*.py` of the study")


class Page(Written):
    """The keys of a study that control its page."""

    answer: Annotated[list[Sentence], Field(max_length=4)] | None = key(
        "what was found, in at most four sentences with a text for each verdict", None, otherwise="none"
    )
    numbers: Annotated[list[PageNumber], Field(max_length=2)] | None = key(
        "at most two numbers beside the answer, each shown with its interval", None, otherwise="none"
    )
    hero: Hero | None = key("the figure on top of the page; its title is its finding", None, otherwise="none")
    curve: str | None = key("the claim whose effect is drawn under every reading", None, otherwise="none")
    sections: list[Section] | None = key(
        "headings with their figures; figures left out follow in a last section", None, otherwise="one section"
    )

    @property
    def page(self) -> dict[str, Any]:
        """The keys of the page as written."""
        return {name: self.written[name] for name in Page.model_fields if self.written.get(name) is not None}


def check_page(place: Place, page: Page, claims: Collection[str], figures: Callable[[], Collection[str]]) -> None:
    """Check that a page names only known claims and figures, and each figure in one section."""
    for number, sentence in enumerate(page.answer or []):
        if sentence.claim is not None:
            (place / f"answer.{number}.claim").check_known(sentence.claim, claims, "claim")
    if page.hero is not None:
        check_figure(place / "hero.figure", page.hero.figure, figures())
        if page.hero.claim is not None:
            (place / "hero.claim").check_known(page.hero.claim, claims, "claim")
    if page.curve is not None:
        (place / "curve").check_known(page.curve, claims, "claim")
    taken: set[str] = set()
    for number, section in enumerate(page.sections or []):
        where = place / f"sections.{number}.figures"
        for name in section.figures:
            check_figure(where, name, figures())
            if name in taken:
                raise where.wrong(f"duplicate: '{name}' is in a section already")
            taken.add(name)


def check_figure(place: Place, name: str, known: Collection[str]) -> None:
    """Check that a key names a figure of the study."""
    if name not in known:
        raise place.wrong(f"there is no figure '{name}' of this study; {nearest(name, known)}")
