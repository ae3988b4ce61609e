"""Every command and every piece of Python that a page shows is run, and prints what the page shows."""

import re

import pytest

from docs import examples
from docs.examples import FILE, Example, agrees, blocks_of, examples_of, follow, pages, run_page, updated
from tests.forked import programs
from tests.paths import PROJECT

RUN = ("console", "pycon")
SHOWN = {
    "text": "an output, or a format",
    "sh": "commands that install, need a network, a cluster or a quarter of an hour",
    "sql": "queries, which tests/reports/test_store.py runs",
}
"""Blocks that are not run here, and why."""

NOT_RUN_HERE = ("make", "source", "sacct", "snakemake", "slotwise logs fetch")
"""How the commands begin that a page may show without running them."""


def names():
    return [page.relative_to(PROJECT).as_posix() for page in pages()]


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_page_shows_what_its_examples_print(name, monkeypatch):
    monkeypatch.setattr(examples, "PROGRAMS", (programs(), *examples.PROGRAMS))
    for example, printed in run_page(PROJECT / name):
        assert agrees(example.shown, printed), (
            f"{name}: {example.given}\nprints\n{printed}\nand not\n{example.shown}\n"
            f"If that is right: python -m docs.examples --update {name}"
        )


@pytest.mark.parametrize("name", names())
def test_blocks_are_run_or_said_why_not(name):
    for word, block in blocks_of((PROJECT / name).read_text(encoding="utf-8")):
        assert word in (*RUN, *SHOWN) or FILE.match(block), (
            f"{name}: a block of {word} is neither run nor written to a file:\n{block}"
        )
        if word == "sh":
            commands = re.sub(r"\\\n\s*", " ", block).splitlines()
            assert all(line.startswith(NOT_RUN_HERE) for line in commands if line), (
                f"{name}: run these commands:\n{block}"
            )


def test_blocks_become_files_commands_and_one_session(tmp_path):
    page = (
        "```python\n# one.py\nprint('one')\n```\n"
        "```python\n# one.py, at the end\nprint('two')\n```\n"
        "```console\n$ python one.py\none\ntwo\n\n$ echo a \\\n    b >&2; exit 3\na b\n[exit code 3]\n```\n"
        "```pycon\n>>> x = 4\n>>> for i in range(2):\n...     print(i * x)\n0\n4\n```\n"
        "```pycon\n>>> x\n4\n>>> y\n```\n"
    )
    ran = list(follow(page, tmp_path))
    assert [printed for _, printed in ran[:-1]] == ["one\ntwo", "a b\n[exit code 3]", "", "0\n4", "4"]
    assert all(agrees(example.shown, printed) for example, printed in ran[:-1])
    assert "NameError: name 'y' is not defined" in ran[-1][1]


def test_an_update_writes_what_is_printed_and_keeps_what_agrees():
    page = "```console\n$ a\nold\n\n$ b\n1 [...] 3\n```\n"
    ran = list(zip(examples_of("$ a\nold\n\n$ b\n1 [...] 3\n"), ("new", "1 2 3"), strict=True))
    assert updated(page, ran) == "```console\n$ a\nnew\n\n$ b\n1 [...] 3\n```\n"
    assert [example for example, _ in ran] == [Example("$ a", "old"), Example("$ b", "1 [...] 3")]
    assert not agrees("1 [...] 3", "1 2 4")
    assert not agrees("[...]", "1\n[exit code 2]")


def test_the_readme_is_short():
    assert len((PROJECT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
