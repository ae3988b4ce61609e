"""Policies of the user's own in a study: an edit of their file runs their cells again, and errors say where."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from scheduler_core.common.errors import StudyError
from tests.workflow.tiny_project import STUDY, cells_run, copy_project, plan_of, run, write_study
from workflow.plan import Plan
from workflow.studies import read_study

MINE = """\
def narrowest_first(now, waiting, running, free):
    chosen = []
    for job in sorted(waiting, key=lambda job: job.size):
        if job.size <= free:
            chosen.append(job)
            free -= job.size
    return chosen


def strict(now, waiting, running, free):
    return [waiting[0]] if waiting[0].size <= free else []
"""

OWN_STUDY = STUDY.replace("fcfs: {}", "narrow: {uses: my_policy.py:narrowest_first}")
CELLS = {(workload, "narrow") for workload in ("by-hand", "model")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of studies in which the tiny study has a policy in a file of its own."""
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path, OWN_STUDY)
    (tmp_path / "tiny" / "my_policy.py").write_text(MINE)
    return tmp_path


def planned_cells(folder: Path) -> dict[tuple[str, str], dict[str, object]]:
    """Return what identifies each cell of the tiny study."""
    batches = plan_of(folder, OWN_STUDY).scales["results"].cell_batches.values()
    return {(cell["workload"], cell["policy"]): cell for batch in batches for cell in batch.cells}


def test_the_file_is_found_from_the_folder_of_the_study(folder: Path) -> None:
    study = read_study(folder / "tiny" / "study.yaml")
    policy = study.policies["narrow"]
    assert policy.label == "narrowest_first"
    assert policy.policy.title == "narrowest_first (my_policy.py)"
    assert Path(policy.policy.values()["file"]) == folder / "tiny" / "my_policy.py"


def test_an_edit_of_the_file_changes_its_cells_and_no_others(folder: Path) -> None:
    before = planned_cells(folder)
    (folder / "tiny" / "helper.py").write_text("edited = True\n")
    assert planned_cells(folder) == before
    (folder / "tiny" / "my_policy.py").write_text(MINE + "# edited\n")
    after = planned_cells(folder)
    assert {cell for cell in before if before[cell] != after[cell]} == CELLS


def test_preemptive_policies_are_cells_of_a_family_without_kernels(folder: Path) -> None:
    marked = MINE.replace("def strict", "@slotwise.preemptive\ndef strict")
    (folder / "tiny" / "my_policy.py").write_text(f"import slotwise\n\n\n{marked}")
    write_study(folder, OWN_STUDY, "my_policy.py:narrowest_first", "my_policy.py:strict")
    plan = Plan({"studies": ["tiny"]}, folder, folder)
    batches = {name: batch for name, batch in plan.scales["results"].cell_batches.items() if "preemptive" in name}
    assert {(cell["workload"], cell["policy"]) for batch in batches.values() for cell in batch.cells} == CELLS
    assert {cell["uses"] for batch in batches.values() for cell in batch.cells} == {"own_preemptive"}
    assert "space_sharing" in plan.scales["results"].drawn_families
    assert "preemptive" not in plan.scales["results"].drawn_families
    assert [plan.compiled(SimpleNamespace(root="results", batch=name)) for name in batches] == [[]]
    assert plan.compiled(SimpleNamespace(root="results", batch="space_sharing-1")) == [
        "results/kernels/space_sharing.json"
    ]


@pytest.mark.parametrize(
    ("uses", "key", "told"),
    [
        ("uses: no.py:first", "uses", "tiny/no.py: the file of the policy cannot be read (No such file or directory)"),
        ("uses: my_policy.py:narowest", "uses", "there is no 'narowest' in it; did you mean 'narrowest_first'?"),
        ("uses: my_policy.py", "uses", "a policy of your own is FILE.py:NAME"),
        ("uses: my_policy.py:strict, candidates: 3", None, "a policy of your own has no parameter 'candidates'"),
        (
            "uses: my_policy.py:strict, small: {candidates: 3}",
            "small",
            "a policy of your own has no parameter 'candidates'",
        ),
        ("uses: sized.py:fixed, speed_up: amdal", None, "did you mean 'amdahl'?"),
        ("uses: broken.py:first", "uses", "ZeroDivisionError: division by zero (line 2 of "),
        (
            "uses: broken_class.py:First",
            "uses",
            "no object can be made: ZeroDivisionError: division by zero (line 3 of ",
        ),
    ],
)
def test_errors_name_the_study_the_key_and_the_line(folder: Path, uses: str, key: str | None, told: str) -> None:
    sized = MINE.replace("def strict", "@slotwise.moldable\ndef fixed")
    (folder / "tiny" / "sized.py").write_text(f"import slotwise\n\n\n{sized}")
    (folder / "tiny" / "broken.py").write_text("first = None\nlast = 1 / 0\n")
    (folder / "tiny" / "broken_class.py").write_text("class First:\n    def __init__(self):\n        1 / 0\n")
    path = write_study(folder, OWN_STUDY, "uses: my_policy.py:narrowest_first", uses)
    with pytest.raises(StudyError) as error:
        Plan({"studies": ["tiny"]}, folder, folder).scales["results"]
    assert str(error.value).startswith(f"{path}: policies.narrow{f'.{key}' if key else ''}: ")
    assert told in str(error.value)


def test_a_moldable_policy_has_a_curve_for_each_entry_and_reading(folder: Path) -> None:
    sized = f"import slotwise\n\n\n{MINE}".replace("def strict", "@slotwise.moldable\ndef strict")
    (folder / "tiny" / "my_policy.py").write_text(sized)
    write_study(folder, OWN_STUDY, "my_policy.py:narrowest_first", "my_policy.py:strict, speed_up: amdahl, serial: 0.2")
    plan = Plan({"studies": ["tiny"]}, folder, folder)
    batches = {name: batch for name, batch in plan.scales["results"].cell_batches.items() if "preemptive" in name}
    found = [cell["parameters"] for batch in batches.values() for cell in batch.cells]
    assert [(one["speed_up"], one["serial"]) for one in found] == [("amdahl", 0.2)] * len(CELLS)


@pytest.mark.thorough
@pytest.mark.slow
def test_in_the_pipeline_an_edit_runs_exactly_its_cells_again(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project")
    mine = project / "studies" / "tiny" / "my_policy.py"
    mine.write_text(MINE)
    write_study(project / "studies", OWN_STUDY.replace("  conservative: {}\n  gang: {}\n", ""))
    until = ("--cores", "1", "--until", "simulate_cells")
    run(project, *until)
    assert cells_run(project) == CELLS | {(workload, "easy") for workload, _ in CELLS}
    mine.write_text(MINE.replace("job.size)", "-job.size)"))
    run(project, *until)
    assert cells_run(project) == CELLS
    mine.write_text(MINE.replace("chosen.append(job)", "chosen.append(job.length)"))
    failed = run(project, *until, check=False)
    told = failed.stdout + failed.stderr
    assert "by-hand under narrow: narrowest_first (my_policy.py), call 1 at 0 s: it raised AttributeError" in told
    assert "(line 5 of studies/tiny/my_policy.py)" in told
    assert "Traceback" not in told
