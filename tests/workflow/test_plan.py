"""The plan of several studies: cells run once, and rules ask it what the scale of their job has."""

import re
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.common.errors import StudyError
from scheduler_core.declarations.policy import family_of, policies, policy_named
from tests.imported import imported_by
from tests.workflow.tiny_project import PROJECT, STUDY, plan_of, write_study
from workflow.plan import Plan


@pytest.fixture(autouse=True)
def _a_log_where_the_study_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder that will hold the log of the tiny study."""
    monkeypatch.chdir(tmp_path)


class TestSeveralStudies:
    OTHER = STUDY.replace("study: tiny", "study: two").replace("fcfs: {}", "sjf: {}")

    def test_cells_of_the_same_definition_run_once(self, tmp_path: Path) -> None:
        plan = plan_of(tmp_path, STUDY, self.OTHER)
        cells = plan.scales["results"].cells
        assert len(cells) == len(set(cells)) == 10
        assert cells.count(("model", "easy")) == 1

    @pytest.mark.parametrize(
        ("old", "new", "key"),
        [
            ("jobs: 60", "jobs: 61", "workloads.model"),
            ("seed: 7", "seed: 8", "workloads.by-hand"),
            ("easy: {}", "easy: {candidates: 3}", "policies.easy"),
            ("load: 0.8", "load: 0.8, quick: {jobs: 9}", "workloads.model"),
        ],
    )
    def test_different_things_under_one_id_are_refused(self, tmp_path: Path, old: str, new: str, key: str) -> None:
        assert old in self.OTHER
        with pytest.raises(StudyError) as error:
            list(plan_of(tmp_path, STUDY, self.OTHER.replace(old, new)).scales.values())
        assert str(error.value).startswith(f"{tmp_path / 'two' / 'study.yaml'}: {key}: ")
        assert str(tmp_path / "tiny" / "study.yaml") in str(error.value)

    def test_every_study_is_run_unless_some_are_selected(self, tmp_path: Path) -> None:
        assert plan_of(tmp_path, STUDY, self.OTHER).studies == Plan({}, PROJECT, tmp_path).studies

    @pytest.mark.parametrize(
        ("names", "told"),
        [
            (["tini"], "did you mean 'tiny'?"),
            (["tiny", "tiny"], "duplicate"),
            ([], "expected a list"),
            ("tiny", "expected a list"),
        ],
    )
    def test_a_wrong_list_of_studies_is_refused(self, tmp_path: Path, names: Any, told: str) -> None:
        write_study(tmp_path, STUDY)
        with pytest.raises(StudyError, match=re.escape(told)):
            Plan({"studies": names}, PROJECT, tmp_path)


class Wildcards(dict[str, str]):
    """Wildcards of a job, as Snakemake gives them: attributes and items."""

    __getattr__ = dict.__getitem__


def of_project(files: list[str]) -> list[str]:
    """Name files from the project's folder."""
    return [str(Path(file).relative_to(PROJECT)) for file in files]


class TestPlan:
    def test_a_rule_asks_what_the_scale_of_its_job_has(self, tmp_path: Path) -> None:
        plan = plan_of(tmp_path, STUDY)
        job = Wildcards(root="results/quick", batch="gang-1")
        assert plan.scale(job) is plan.scales["results/quick"]
        assert plan.cells(job).family == "gang"
        assert plan.scale(job).batches_of(plan.cells(job)) == ["log-tiny-1", "models-1"]
        assert "results/quick/stamps/runs/gang-1.json" in plan.scale(job).stamps

    def test_claims_are_tried_once_until_one_is_edited(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        tried: list[list[dict[str, Any]]] = []
        monkeypatch.setattr("reports.ledger.prepare.try_measures", tried.append)
        (tmp_path / "tiny" / "measures").mkdir(parents=True)
        (tmp_path / "tiny" / "measures" / "m.sql").write_text("-- One.\nSELECT 'a' AS label, 1 AS unit, 2 AS value")
        words = "kind: direction, headline: h, sentence: s, citation: t"
        claim = f"claims: [{{id: c, {words}, measure: m, expect: {{any: {{above: 1}}}}}}]\nworkloads:"
        for text, times in ((STUDY, 1), (STUDY, 1), (STUDY.replace("workloads:", claim), 2), (STUDY, 3)):
            plan_of(tmp_path, text).try_claims()
            assert len(tried) == times

    def test_sources_are_modules_with_all_they_reach_and_files_by_pattern(self, tmp_path: Path) -> None:
        plan = plan_of(tmp_path, STUDY)
        files = of_project(plan.sources("reports.build", "reports/measure/sql/*.sql", "traces/models/*.py"))
        assert {"reports/measure/store.py", "scheduler_core/common/errors.py", "traces/models/lublin.py"} <= set(files)
        assert {"reports/measure/sql/means.sql", "traces/models/kernels/lublin.py"} <= set(files)
        assert len(set(files)) == len(files)

    def test_bytecode_that_python_writes_meanwhile_is_no_source(self, tmp_path: Path) -> None:
        plan = plan_of(tmp_path, STUDY)
        plan.project = tmp_path / "project"
        for name in ("pages/page.html", "pages/__pycache__/page.cpython-311.pyc"):
            (plan.project / name).parent.mkdir(parents=True, exist_ok=True)
            (plan.project / name).touch()
        assert [Path(file).name for file in plan.sources("pages/*.*", "pages/*/*.*")] == ["page.html"]

    def test_machine_code_depends_on_kernels_and_what_they_reach(self, tmp_path: Path) -> None:
        plan = plan_of(tmp_path, STUDY)
        files = of_project(plan.kernels(Wildcards(root="results", family="space_sharing")))
        assert {"scheduler_core/kernel/heap.py", "scheduler_core/space_sharing/easy_pass.py"} <= set(files)
        assert not any("policies" in file or "gang" in file or "contracts" in file for file in files)

    def test_cells_run_beside_those_of_their_family_and_depend_on_their_policy_alone(self, tmp_path: Path) -> None:
        batches = plan_of(tmp_path, STUDY).scales["results"].cell_batches.values()
        assert sorted(batch.family for batch in batches) == ["gang", "space_sharing"]
        for batch in batches:
            assert {family_of(policy_named(cell["uses"])[0]) for cell in batch.cells} == {batch.family}
        sources = {cell["uses"]: cell["sources"] for batch in batches for cell in batch.cells}
        assert len(set(sources.values())) == len(sources) == 4
        files = policies()["easy"].source_files()
        assert {"easy.py", "easy_pass.py", "event_loop.py"} <= {file.name for file in files}
        assert [file.name for file in files if "policies" in file.parts and file.name != "__init__.py"] == ["easy.py"]
        assert not any("gang" in file.parts for file in files)

    def test_wildcards_are_the_known_ids(self, tmp_path: Path) -> None:
        wildcards = plan_of(tmp_path, STUDY).wildcards
        assert re.fullmatch(wildcards["root"], "results/quick")
        assert re.fullmatch(wildcards["log"], "tiny")
        assert not re.fullmatch(wildcards["study"], "tiny/easy")

    def test_planning_imports_nothing_heavy(self) -> None:
        code = "from workflow.plan import Plan\nPlan({'studies': ['baseline', 'easy_dialects']}, '.')"
        assert not imported_by(code) & {"numba", "polars", "scipy", "duckdb", "altair"}
