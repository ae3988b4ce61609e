"""Text as LaTeX: every character prints as itself, and sources become entries of BibTeX."""

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version

SOFTWARE_KEY = "slotwise"
"""The key of slotwise in BibTeX."""

SOFTWARE = {"author": "The slotwise developers", "title": "slotwise: deciding how a parallel machine should be shared"}
"""Author and title of slotwise, as ``CITATION.cff`` states them."""

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "\u00a0": "~",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
    "…": r"\ldots{}",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "±": r"\ensuremath{\pm}",
    "·": r"\ensuremath{\cdot}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "≈": r"\ensuremath{\approx}",
    "∞": r"\ensuremath{\infty}",
    "→": r"\ensuremath{\rightarrow}",
    "↓": r"\ensuremath{\downarrow}",
    "⌈": r"\ensuremath{\lceil}",
    "⌉": r"\ensuremath{\rceil}",
    "⌊": r"\ensuremath{\lfloor}",
    "⌋": r"\ensuremath{\rfloor}",
    "Σ": r"\ensuremath{\Sigma}",
    "α": r"\ensuremath{\alpha}",
    "β": r"\ensuremath{\beta}",
    "µ": r"\ensuremath{\mu}",
    "μ": r"\ensuremath{\mu}",
    "²": r"\ensuremath{^2}",
    "³": r"\ensuremath{^3}",
    "°": r"\ensuremath{^\circ}",
    "§": r"\S{}",
}
"""Characters that LaTeX reads as commands, or that fonts of pdfLaTeX lack, and what prints them."""

LIGATURE = re.compile(r"-(?=-)|'(?=')|,(?=,)|[?!](?=`)")
"""Characters that LaTeX would join with the next."""

LETTERS = frozenset("".join(map(chr, range(0xC0, 0x180)))) - {"×", "÷"}
"""Letters with accents that pdfLaTeX knows."""


def escaped(text: str) -> str:
    """Return a text as LaTeX that prints it, on one line; ``?`` stands for a character that pdfLaTeX does not have."""
    text = LIGATURE.sub(lambda found: f"{found[0]}\0", " ".join(text.split(" ")))
    return "".join(map(printed, text))


def printed(letter: str) -> str:
    """Return what prints one character."""
    if letter == "\0":
        return "{}"
    if letter in SPECIAL:
        return SPECIAL[letter]
    if letter.isspace():
        return " "
    return letter if " " < letter < "\x7f" or letter in LETTERS else "?"


def table(columns: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of ``booktabs``; texts of the rows are escaped here.

    Parameters
    ----------
    columns
        The columns as LaTeX declares them.
    """
    lines = [" & ".join(map(escaped, row)) + r" \\" for row in (header, *rows)]
    body = "\n".join(lines[1:])
    return (
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{lines[0]}\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"
    )


def keys_of(sources: Iterable[str]) -> dict[str, str]:
    """Return a key of BibTeX for each distinct source: its first name and its last year, and a letter if keys are equal."""
    found: dict[str, str] = {}
    for source in dict.fromkeys(sources):
        name = next(iter(re.findall(r"(?!The\b)[A-Z][A-Za-z]{2,}", source)), "source").lower()
        year = year_of(source)
        keys = [f"{name}{year}{letter}" for letter in ("", *"abcdefghijklmnopqrstuvwxyz")]
        found[source] = next((key for key in keys if key not in found.values()), f"{name}{year}-{len(found)}")
    return found


def bibliography(keys: dict[str, str]) -> str:
    """Return slotwise and then sources as entries of BibTeX: the text of each source, whose parts are not known, and its year."""
    own = {**SOFTWARE, "note": f"Version {version('slotwise')}, MIT licence"}
    entries = [entry(SOFTWARE_KEY, own)]
    entries += [entry(key, {"key": source, "note": source, "year": year_of(source)}) for source, key in keys.items()]
    return "\n".join(entries)


def year_of(source: str) -> str:
    """Return the last year that a source names; empty if it names none."""
    return next(iter(re.findall(r"\b(?:19|20)\d\d\b", source)[::-1]), "")


def entry(key: str, values: dict[str, str]) -> str:
    """Return an entry of BibTeX; fields without a value are left out. An author is a group, not a first and a last name."""
    texts = {name: escaped(value) for name, value in values.items() if value}
    lines = [f"  {name} = {{{f'{{{text}}}' if name == 'author' else text}}}" for name, text in texts.items()]
    return f"@misc{{{key},\n" + ",\n".join(lines) + "\n}\n"
