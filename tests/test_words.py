"""Words that were retired stay so: GLOSSARY.md says which word belongs to which idea."""

import re
from pathlib import Path

import pytest

from tests.paths import PROJECT

ROOMS = ("scheduler_core", "traces", "reports", "workflow", "studies", "slotwise", "config", "docs", "tests")
PAGES = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "GLOSSARY.md", "Makefile", "Snakefile")
ENDINGS = {".py", ".sql", ".md", ".yaml", ".yml", ".smk", ".html", ".j2", ".js", ".css"}

RETIRED = {
    r"\bextra_nodes\b": "extra_processors",
    r"\bnode_processors\b": "processors_per_node",
    r"\b(short_max_s|short_below_s)\b": "short_limit_s",
    r"\b(medium_max_s|long_from_s)\b": "medium_limit_s",
    r"\btime[-_ ]shar(ing|ed) (rule|schedule|family)": "gang scheduling",
    r"\btrace_(diagram|page|layout|charts|windows)\b": "matrix diagram",
    r"\bdrawn_examples\b": "examples",
    r"\bpruned_nodes\b": "pruned_tree_nodes",
}
"""What is not written any more, and the word to use."""

EXCEPTIONS = {"tests/test_words.py"}
"""Files in which the words may stand."""


def texts() -> list[Path]:
    found = [
        path for room in ROOMS for path in (PROJECT / room).rglob("*") if path.suffix in ENDINGS and path.is_file()
    ]
    found += [PROJECT / name for name in PAGES]
    return sorted(path for path in found if "__pycache__" not in path.parts and "logs" not in path.parts)


def places(pattern: str) -> list[str]:
    """List file and line of every place where a pattern stands."""
    word = re.compile(pattern, flags=re.IGNORECASE)
    return [
        f"{path.relative_to(PROJECT)}:{number}: {line.strip()}"
        for path in texts()
        if path.relative_to(PROJECT).as_posix() not in EXCEPTIONS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if word.search(line)
    ]


def test_there_is_something_to_read():
    assert len(texts()) > 300


@pytest.mark.parametrize("pattern", RETIRED)
def test_a_retired_word_does_not_come_back(pattern):
    assert places(pattern) == [], f"write {RETIRED[pattern]}"


def test_the_glossary_names_columns_parameters_and_files_that_exist():
    rows = [
        line.split("|") for line in (PROJECT / "GLOSSARY.md").read_text(encoding="utf-8").splitlines() if "|" in line
    ]
    named = {name for row in rows for name in re.findall(r"`([\w./*<>-]+)`", row[3])}
    written = "\n".join(path.read_text(encoding="utf-8") for path in texts() if "GLOSSARY" not in path.name)
    missing = {name for name in named if "<" not in name and "*" not in name and name.removesuffix("/") not in written}
    assert len(named) > 60
    assert {name for name in missing if not name.endswith(".parquet")} == set()
    assert {name for name in missing if f'"{name.removesuffix(".parquet")}"' not in written} == set()
