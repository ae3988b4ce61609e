"""Claims of a study that stand in files beside it."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from scheduler_core.common.errors import StudyError
from tests.forked import programs
from tests.workflow.tiny_project import LOG, PROJECT, STUDY
from workflow.plan import Plan
from workflow.studies import read_study

WILDCARDS = SimpleNamespace(root="results")


@pytest.fixture(autouse=True)
def _a_log_where_the_study_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder that holds the log of the tiny study."""
    (tmp_path / "tiny.swf").write_text(LOG)
    monkeypatch.chdir(tmp_path)


def claim(name: str, **more: str) -> dict[str, object]:
    """Return a claim that is well-formed."""
    words = {"kind": "direction", "headline": f"It is {name}", "sentence": "It is.", "citation": "A book"}
    return {"id": name, **words, "measure": "jobs", "with": {"word": "a"}, "expect": {"any": {"above": 0}}, **more}


MEASURE = """\
-- Jobs of each run, called $word.
SELECT $word AS label, workload || '/' || replication AS unit, jobs AS value
FROM runs
"""


def written(folder: Path, own: tuple[str, ...] = (), **files: tuple[str, ...]) -> Path:
    """Write the tiny study with claims of its own and in files; claims are given by their ids."""
    (folder / "tiny" / "measures").mkdir(parents=True)
    (folder / "tiny" / "measures" / "jobs.sql").write_text(MEASURE)
    for name, ids in files.items():
        (folder / "tiny" / f"claims_{name}.yaml").write_text(yaml.safe_dump([claim(one) for one in ids]))
    keys = {"claims": [claim(one) for one in own], "claims_from": [f"claims_{name}.yaml" for name in files]}
    path = folder / "tiny" / "study.yaml"
    path.write_text(STUDY + yaml.safe_dump(keys))
    return path


def complaint(path: Path) -> str:
    """Return what is said of a study that is wrong."""
    with pytest.raises(StudyError) as error:
        read_study(path)
    return str(error.value)


def test_claims_are_those_of_the_study_then_those_of_its_files_in_the_order_named(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, own=("z", "c"), second=("y", "b"), first=("x", "a")))
    assert [one.id for one in study.claims] == ["z", "c", "y", "b", "x", "a"]
    assert study.data_files == [str(tmp_path / "tiny" / name) for name in ("claims_second.yaml", "claims_first.yaml")]


def test_a_file_may_hold_no_claim_yet(tmp_path: Path) -> None:
    path = written(tmp_path, first=("a",), second=())
    (tmp_path / "tiny" / "claims_second.yaml").write_text("# none yet\n")
    assert [one.id for one in read_study(path).claims] == ["a"]


def test_an_error_in_a_claim_names_its_file(tmp_path: Path) -> None:
    path, file = written(tmp_path, first=("a",), second=("b",)), tmp_path / "tiny" / "claims_second.yaml"
    file.write_text(yaml.safe_dump([claim("b", sentense="It is.")]))
    assert (
        complaint(path) == f"{file}: study 'tiny': claim 'b': sentense: there is no such key; did you mean 'sentence'?"
    )
    file.write_text("claims: []\n")
    assert complaint(path) == f"{file}: study 'tiny': claims must be a list; found dict"
    file.write_text("- id: b\n  kind: x\n  kind: y\n")
    assert complaint(path) == f"{file}: line 3: duplicate key 'kind', first written in line 2"
    file.write_text("- id: [b\n")
    assert complaint(path).startswith(f"{file}: line 2, column 1: no valid YAML")


def test_a_claim_named_twice_is_refused_across_files(tmp_path: Path) -> None:
    path, folder = written(tmp_path, own=("a",), first=("b",), second=("c", "b")), tmp_path / "tiny"
    assert (
        complaint(path)
        == f"{folder / 'claims_second.yaml'}: duplicate: the id 'b' is taken by a claim in {folder / 'claims_first.yaml'}"
    )
    (folder / "claims_second.yaml").write_text(yaml.safe_dump([claim("a")]))
    assert complaint(path) == f"{folder / 'claims_second.yaml'}: duplicate: the id 'a' is taken by a claim in {path}"
    (folder / "claims_second.yaml").write_text(yaml.safe_dump([claim("c", headline="It is a")]))
    assert (
        complaint(path)
        == f"{folder / 'claims_second.yaml'}: duplicate: the headline 'It is a' is taken by a claim in {path}"
    )


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("claims_first.yaml", "expected a list of files; found 'claims_first.yaml'"),
        ([3], "0: expected the name of a file; found 3"),
        (["claims_frist.yaml"], "there is no file 'claims_frist.yaml'; did you mean 'claims_first.yaml'?"),
        (["claims_first.yaml", "claims_first.yaml"], "duplicate: 'claims_first.yaml' is listed twice"),
    ],
)
def test_a_wrong_list_of_files_is_refused(tmp_path: Path, names: object, told: str) -> None:
    path = written(tmp_path, first=("a",))
    path.write_text(STUDY + yaml.safe_dump({"claims_from": names}))
    assert complaint(path).replace("claims_from.", "claims_from: ") == f"{path}: claims_from: {told}"


def test_the_plan_hands_on_the_claims_and_names_their_files(tmp_path: Path) -> None:
    path = written(tmp_path, first=("a",), second=("b",))
    plan = Plan({"studies": ["tiny"]}, PROJECT, tmp_path)
    (described,) = plan.scales["results"].described
    assert [one["id"] for one in described["claims"]] == ["a", "b"]
    assert plan.scale(WILDCARDS).study_files["tiny"] == [str(path), *read_study(path).data_files]
    file = tmp_path / "tiny" / "claims_second.yaml"
    file.write_text(re.sub("It is", "It is not", file.read_text()))
    assert Plan({"studies": ["tiny"]}, PROJECT, tmp_path).scales["results"].described != [described]


def test_a_change_of_a_measure_is_a_change_of_the_study(tmp_path: Path) -> None:
    written(tmp_path, first=("a",))
    described = Plan({"studies": ["tiny"]}, PROJECT, tmp_path).scales["results"].described
    measure = tmp_path / "tiny" / "measures" / "jobs.sql"
    assert described[0]["measures"] == {"jobs": {"path": str(measure), "sql": MEASURE}}
    measure.write_text(MEASURE.replace("runs", "runs WHERE killed = 0"))
    assert Plan({"studies": ["tiny"]}, PROJECT, tmp_path).scales["results"].described != described


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("jobs AS value", "jbos AS value", 'line 2: Binder Error: Referenced column "jbos" not found'),
        ("FROM runs", "FROM runs; DROP TABLE runs", "a measure is a single SELECT; found SELECT, DROP"),
        ("FROM runs", "FROM read_csv('/etc/passwd')", "file system operations are disabled"),
        ("AS unit", "AS draw", "expected the columns label, value"),
    ],
)
def test_sql_that_does_not_fit_the_store_ends_the_start_of_the_pipeline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: str
) -> None:
    written(tmp_path, first=("a",))
    monkeypatch.setattr(sys, "executable", str(programs() / "python"))
    measure = tmp_path / "tiny" / "measures" / "jobs.sql"
    Plan({"studies": ["tiny"]}, PROJECT, tmp_path).try_claims()
    measure.write_text(MEASURE.replace(old, new))
    with pytest.raises(StudyError, match=re.escape(f"study 'tiny': claim 'a': {measure}: ") + ".*" + re.escape(told)):
        Plan({"studies": ["tiny"]}, PROJECT, tmp_path).try_claims()
