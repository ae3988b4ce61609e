"""The recipes of CONTRIBUTING.md, followed in a copy of the project: blocks become files, and commands are run."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import PROJECT

ROOMS = ("scheduler_core", "traces", "reports", "workflow", "studies", "slotwise", "config", "profiles", "tests")
FILES = ("CONTRIBUTING.md", "GLOSSARY.md", "README.md", "Snakefile", "pyproject.toml")
FIRST_LINE = re.compile(r"(?:#|--|;) (?P<path>[\w./-]+\.\w+)(?P<appended>, at the end)?\n")
RUN = {"sh", "bash"}


def blocks(recipe: str) -> list[tuple[str, str]]:
    """Return the blocks of a recipe: the language after the fence, and the text."""
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {recipe}\n")[1].split("\n## ")[0]
    return re.findall(r"^```(\w+)\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project, with the environment it is run in."""
    folder = tmp_path / "project"
    for room in ROOMS:
        shutil.copytree(PROJECT / room, folder / room, ignore=shutil.ignore_patterns("logs"))
    for name in FILES:
        shutil.copy2(PROJECT / name, folder)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def environment(project: Path) -> dict[str, str]:
    """Return an environment in which the copy is imported, kernels are plain Python and few examples are drawn."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SLOTWISE", "PYTEST", "COV"))}
    return {**kept, "PYTHONPATH": str(project), "NUMBA_DISABLE_JIT": "1", "SLOTWISE_EXAMPLES": "20"}


def follow(recipe: str, project: Path) -> str:
    """Follow a recipe block by block; return the output of its commands."""
    said = []
    for language, text in blocks(recipe):
        if language in RUN:
            said.append(run(text, project))
            continue
        first = FIRST_LINE.match(text)
        assert first is not None, f"this block does not say which file it is:\n{text}"
        path = project / first["path"]
        old = path.read_text(encoding="utf-8") if first["appended"] else ""
        assert first["appended"] or not path.exists(), f"{path} exists"
        kept = text[first.end() :] if first["appended"] else text
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(old + kept, encoding="utf-8")
    return "\n".join(said)


def run(commands: str, project: Path) -> str:
    """Run commands as a contributor does; fail with everything they said."""
    done = subprocess.run(
        ["bash", "-euc", commands],
        cwd=project,
        env=environment(project),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    if done.returncode:
        pytest.fail(f"{commands}\n{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


@pytest.mark.slow
def test_adding_a_policy(project: Path) -> None:
    said = follow("Adding a policy", project)
    assert "Widest first" in said
    assert re.search(r"\b\d+ passed", said)
    schema = (project / "workflow" / "schemas" / "study.schema.json").read_text(encoding="utf-8")
    assert '"widest_first"' in schema


@pytest.mark.thorough
@pytest.mark.slow
def test_adding_a_queue_order(project: Path) -> None:
    said = follow("Adding a queue order", project)
    assert len(re.findall(r"\b\d+ passed", said)) == 4
    told = run(".venv/bin/slotwise policies easy", project)
    assert told.count("smallest_area") == 2  # order, backfill_order


@pytest.mark.thorough
@pytest.mark.slow
def test_adding_a_study_a_figure_and_a_claim(project: Path) -> None:
    results = project / "results"
    follow("Adding a study", project)
    runs = {str(path.parent.relative_to(results / "runs")) for path in results.glob("runs/*/*/certificate.json")}
    assert runs == {"wide-model/fcfs", "wide-model/easy", "wide-model/easy-shortest"}
    assert (results / "report" / "study-wide_jobs.html").is_file()
    follow("Adding a figure", project)
    folder = results / "figures" / "wide_jobs"
    entry = next(e for e in json.loads((folder / "figures.json").read_text()) if e["name"] == "wait_by_size")
    assert entry["title"] == "Wait by job size"
    assert re.search(r"; \d+ sizes occur", entry["caption"])
    assert (folder / "wait_by_size.csv").read_text().startswith("policy,policy_label,size,wait_min,jobs\n")
    assert (folder / "wait_by_size.svg").read_text().startswith("<svg")
    said = follow("Adding a claim", project)
    assert re.search(r"\b\d+ passed", said)
    page = (results / "report" / "study-wide_jobs.html").read_text()
    assert all(
        words in page
        for words in ("the mean wait", "Wait by job size", "Backfilling shortens waits", "Wide jobs bear most")
    )


@pytest.mark.slow
def test_adding_a_log(project: Path) -> None:
    said = follow("Adding a log", project)
    assert "passed" in said
    catalogue = (project / "traces" / "catalog.yaml").read_text(encoding="utf-8")
    digest = re.search(r"^([0-9a-f]{64}) ", said, flags=re.MULTILINE)
    assert digest is not None
    assert f"sha256: {digest[1]}" in catalogue


def test_adding_a_family_names_what_families_have() -> None:
    """Every file of the table is there for some family."""
    section = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Adding a family\n")[1]
    named = [path for row in re.findall(r"^\| `(.*?)` \|", section, flags=re.MULTILINE) for path in row.split("`, `")]
    assert len(named) > 7
    for path in named:
        pattern = path.replace("<family>", "*") if "/" in path else f"scheduler_core/*/{path}"
        assert next(PROJECT.glob(pattern), None), path
