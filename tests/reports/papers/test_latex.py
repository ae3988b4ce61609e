"""Text as LaTeX prints as it was."""

import re

import yaml
from hypothesis import given
from hypothesis import strategies as st

from reports.papers.latex import LETTERS, SPECIAL, bibliography, escaped, keys_of, table
from tests.paths import PROJECT

PRINTED = {command: letter for letter, command in reversed(SPECIAL.items())} | {"{}": ""}
COMMANDS = re.compile("|".join(map(re.escape, sorted(PRINTED, key=len, reverse=True))))


def as_printed(latex):
    """Return what LaTeX prints: every command replaced by its character."""
    return COMMANDS.sub(lambda found: PRINTED[found[0]], latex)


KNOWN = sorted({*map(chr, range(32, 127)), *SPECIAL, *LETTERS} - {"μ"})


@given(st.text(st.sampled_from(KNOWN)))
def test_known_characters_print_as_themselves(text):
    assert as_printed(escaped(text)) == text


@given(st.text())
def test_nothing_is_left_that_latex_reads_as_a_command(text):
    rest = COMMANDS.sub("", escaped(text))
    assert not set(rest) & set('\\{}$&#%_^~<>|"`\n\0')
    assert all(letter in LETTERS or " " <= letter < "\x7f" for letter in rest)


def test_every_character_of_the_studies_prints():
    """No text that a paper may take from a study has a question mark where a letter was."""
    texts = [path.read_text(encoding="utf-8") for path in (PROJECT / "studies").rglob("*.yaml")]
    assert {letter for letter in set("".join(texts)) - {"?"} if escaped(letter) == "?"} == set()


@given(st.text(st.sampled_from("-',?!`")))
def test_no_two_characters_join(text):
    assert not re.search(r"--|''|,,|[?!]`", escaped(text))


def test_a_table_has_a_line_for_each_row():
    latex = table("ll", ("Claim", "Ours"), [("R&D", "5 %"), ("a_b", "–")])
    assert latex.splitlines()[2] == r"Claim & Ours \\"
    assert r"R\&D & 5 \% \\" in latex
    assert r"a\_b & \textendash{} \\" in latex


def test_sources_have_keys_of_name_and_year_that_differ():
    sources = ["Lifka, The ANL/IBM SP scheduling system, JSSPP 1995", "Lifka, Another text, 1995", "unknown"]
    keys = keys_of([*sources, sources[0]])
    assert list(keys.values()) == ["lifka1995", "lifka1995a", "source"]
    latex = bibliography(keys)
    assert latex.count("@misc{") == 1 + 3
    assert "  year = {1995}" in latex


def test_slotwise_is_cited_as_its_citation_file_says():
    stated = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    own = bibliography({}).replace("\n", " ")
    assert f"author = {{{{{stated['authors'][0]['name']}}}}}" in own
    assert f"title = {{{stated['title']}}}" in own
    assert f"note = {{Version {stated['version']}, {stated['license']} licence}}" in own
