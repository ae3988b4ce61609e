"""The cascade of Figure 6.9 as the study runs and draws it: what its panels and its caption say."""

import duckdb
import pytest

from reports.draw.drawing import specification, words_of
from scheduler_core.common.files import read_json
from scheduler_core.contracts import write_replications
from studies.concurrent_gang.figures_drawings import EXAMPLES, blocking_cascade
from tests.cells import run_cell
from tests.paths import study_file
from traces.build import build_workload
from workflow.studies import read_study

STUDY = study_file("concurrent_gang")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Run and check the examples as the pipeline does."""
    root = tmp_path_factory.mktemp("cascade")
    study = read_study(STUDY, "full")
    cells = [(workload, policy) for workload, policy in study.cells if workload.startswith("cascade")]
    assert set(cells) == set(EXAMPLES)
    for workload, policy in cells:
        file = root / f"{workload}.parquet"
        write_replications(file, build_workload(study.workloads[workload], workload, 1).workloads)
        chosen = study.policies[policy].policy
        run_cell(file, chosen.name, chosen.values(), root / "runs" / workload / policy)
    return root


@pytest.fixture(scope="module")
def drawn(root):
    with duckdb.connect(str(root / "slotwise.duckdb")) as connection:
        return specification(blocking_cascade(connection))


def test_every_example_is_legal(root):
    for workload, policy in EXAMPLES:
        assert read_json(root / "runs" / workload / policy / "certificate.json")["legal"]


def test_the_job_loses_its_slices_without_priorities_and_keeps_them_where_its_owner_is_resumed(drawn):
    said = [panel["title"]["subtitle"] for panel in drawn["concat"]]
    gang, rr, resumed, prio, unmeasured = (int(text.split()[3]) for text in said)
    assert gang == resumed == prio > rr > unmeasured
    caption = words_of(blocking_cascade, drawn["usermeta"]["caption"])[1]
    assert f"job 3 passes {gang} barriers in 90 ms" in caption
    assert f"it passes {rr} barriers" in caption
    assert "slices of 10 ms" in caption
    assert "every 1.8 ms of work" in caption


def test_remarks_stand_where_the_caption_speaks_of_them(drawn):
    marks = [(row["panel"], row["text"]) for row in drawn["data"]["values"] if row["part"] == "remark"]
    assert marks == [(1, "1"), (1, "2"), (1, "3"), (1, "4"), (1, "5"), (2, "6"), (3, "7"), (4, "8")]


def test_a_job_has_the_same_colour_in_every_panel(drawn):
    paints = {(row["job"], row["colour"]) for row in drawn["data"]["values"] if row["part"] == "compute"}
    assert len(paints) == 3
