"""Generic modules of the reports name no policy and no study; a study that brings no code has its figures all the same."""

import json
import re

import pytest

from scheduler_core.declarations.policy import policy_names
from tests.paths import PROJECT, STUDIES
from tests.reports.small_study import make_small
from workflow.studies import read_study

REPORTS = PROJECT / "reports"
NAMES = {path.parent.name for path in STUDIES.glob("*/study.yaml")}


def generic_files():
    for path in sorted(REPORTS.rglob("*")):
        if path.suffix in (".py", ".sql", ".html", ".js") and not path.is_relative_to(REPORTS / "families"):
            yield path


@pytest.mark.parametrize("path", list(generic_files()), ids=lambda path: str(path.relative_to(REPORTS)))
def test_no_generic_module_names_a_policy_or_a_study(path):
    families = {"gang", "slices", "grid", "concurrent_gang"}  # words for a family, and for its tables and diagram
    names = (set(policy_names()) | NAMES) - families
    quoted = set(re.findall(r"""["']([a-z][a-z0-9_-]*)["']""", path.read_text(encoding="utf-8")))
    assert not quoted & names


def test_three_lines_on_an_own_log_have_eight_figures_without_code(tmp_path):
    log = tmp_path / "own.swf"
    head = "; MaxProcs: 8\n; UnixStartTime: 893466664\n"
    line = "{n} {at} -1 {run} {size} -1 -1 {size} {asked} -1 1 {user} -1 -1 -1 -1 -1 -1\n"
    jobs = (
        line.format(n=n, at=60 * n, run=30 + 37 * n % 900, size=1 + n % 8, asked=60 + 97 * n % 2000, user=n % 4)
        for n in range(1, 121)
    )
    log.write_text(head + "".join(jobs))
    study = tmp_path / "mine" / "study.yaml"
    study.parent.mkdir()
    study.write_text(
        "study: mine\ntitle: My log\nquestion: Which policy?\nseed: 1\n"
        f"workloads: {{own: {{log: {log}, label: My log}}}}\npolicies: {{fcfs: {{}}, easy: {{}}}}\nversus: easy\n"
    )
    make_small(tmp_path, read_study(study), {"own": {}}, log=log)
    entries = json.loads((tmp_path / "figures" / "figures.json").read_text())
    drawn = [entry for entry in entries if not entry.get("absent")]
    assert len(drawn) >= 8
    assert drawn == entries
    for entry in drawn:
        assert "{" not in entry["caption"]
        assert len(entry["caption"].split()) > 12
        assert json.loads((tmp_path / "figures" / f"{entry['name']}.json").read_text())["data"]["values"]
