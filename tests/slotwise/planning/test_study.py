"""A what-if goes on as a study: the same jobs, policies and changes in the pipeline."""

import sys

import polars as pl
import pytest

from scheduler_core.runs.simulation import simulate
from slotwise.planning.waits import waits_of
from tests.forked import programs
from tests.slotwise.cli.command import refused, run
from traces.build import build_workload
from traces.catalog import find_log
from traces.ingest import read_log
from traces.shape.regimes import Usable
from traces.shape.selection import only, usable
from workflow.studies import SCALES, read_study

CHANGES = (
    *("--try", "easy(reservations=4)", "--processors", "+25%", "--load", "x1.2", "--estimates", "exact"),
    *("--close", "1=workdays:8-18,2=0-6"),
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Return a folder with the page of a what-if, and its study in the folder ``busier``."""
    folder = tmp_path_factory.mktemp("asked")
    words = ("--first", 800, "--partition", 1, "--where", "size > 1", *CHANGES, "--study", folder / "busier")
    assert run("whatif", "drawn", *words, "--out", folder / "page.html") == 0
    return folder


def test_the_study_simulates_what_the_page_shows(asked):
    """Every pair of a workload and a policy has the mean wait of its scenario on the page."""
    study = read_study(asked / "busier" / "study.yaml", "full")
    means = []
    for workload, policy in study.cells:
        (jobs,), _ = build_workload(study.workloads[workload], workload, study.file.seed, find_log("drawn"))
        means.append(waits_of(simulate(jobs, study.policies[policy].policy))["wait_h"].mean())
    page = pl.read_parquet(asked / "page_tables" / "scenarios.parquet")
    assert sorted(means) == pytest.approx(sorted(page["mean_wait_h"]), rel=1e-6)


def test_the_study_is_planned_at_every_scale(asked):
    for scale in SCALES:
        study = read_study(asked / "busier" / "study.yaml", scale)
        assert {policy for _, policy in study.cells} == {"easy", "easy-reservations-4"}
        assert len(study.workloads) == 6


@pytest.mark.thorough
@pytest.mark.slow
def test_the_study_runs_to_its_report(asked, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(programs() / "python"))
    monkeypatch.chdir(asked)
    assert run("study", "run", "busier", "--scale", "quick", "--cores", 1) == 0
    page = (asked / "results/quick/report/study-busier.html").read_text()
    assert "EASY (reservations: 4)" in page


def test_each_pool_has_workloads_of_its_own(tmp_path):
    """The page's mean wait of all pools is that of the study's workloads, by their jobs."""
    pools = ("--pool", "partition=1:120", "--pool", "partition=2:8:conservative")
    words = ("--first", 800, *pools, "--try", "fcfs", "--load", "x1.2", "--study", tmp_path / "pools")
    assert run("whatif", "drawn", *words, "--out", tmp_path / "page.html") == 0
    study = read_study(tmp_path / "pools" / "study.yaml", "full")
    assert "versus" not in (tmp_path / "pools" / "study.yaml").read_text()
    found = {}
    for workload, policy in study.cells:
        (jobs,), _ = build_workload(study.workloads[workload], workload, study.file.seed, find_log("drawn"))
        found[workload, policy] = waits_of(simulate(jobs, study.policies[policy].policy))
    page = dict(
        pl.read_parquet(tmp_path / "page_tables" / "scenarios.parquet").select("scenario", "mean_wait_h").rows()
    )
    more = [found[f"partition-{number}-20-more-load", policy] for number, policy in ((1, "easy"), (2, "conservative"))]
    assert pl.concat(more)["wait_h"].mean() == pytest.approx(page["20 % more load"], rel=1e-6)
    fcfs = pl.concat(found[f"partition-{number}", "fcfs"] for number in (1, 2))
    assert fcfs["wait_h"].mean() == pytest.approx(page["FCFS"])


def test_queues_are_credited_in_the_pools_that_have_them(tmp_path):
    """Credits change the order of the first pool only, on the page as in the study."""
    pools = ("--pool", "partition=1:120", "--pool", "partition=2:8", "--queue-credit", "3=48")
    words = ("--first", 2000, *pools, "--try", "conservative", "--study", tmp_path / "credits")
    assert run("whatif", "drawn", *words, "--out", tmp_path / "page.html") == 0
    study = read_study(tmp_path / "credits" / "study.yaml", "full")
    assert {key: one.queue_credit_h for key, one in study.workloads.items()} == {
        "partition-1": {3: 48},
        "partition-2": None,
    }
    waits = []
    for key, one in study.workloads.items():
        (jobs,), _ = build_workload(one, key, study.file.seed, find_log("drawn"))
        waits.append(waits_of(simulate(jobs, "easy")))
    page = pl.read_parquet(tmp_path / "page_tables" / "scenarios.parquet")
    assert pl.concat(waits)["wait_h"].mean() == pytest.approx(page["mean_wait_h"][0])
    plain = simulate(jobs_of_partition_1(2000), "easy")
    assert waits[0]["wait_h"].mean() != pytest.approx(waits_of(plain)["wait_h"].mean())
    assert "Jobs of queue 3 are credited with 48 h of waiting" in (tmp_path / "page.html").read_text().replace(
        "\N{NO-BREAK SPACE}", " "
    )


def jobs_of_partition_1(first):
    """Return the jobs of partition 1 among the first of the drawn log, on its 120 processors, without credits."""
    return usable(only(read_log("drawn").first(first), "partition", [1]), 120)


def test_an_older_study_is_not_replaced_unasked(asked, capsys):
    words = ("whatif", "drawn", "--first", 100, "--try", "fcfs", "--study", asked / "busier")
    said = refused(capsys, *words, "--out", asked / "other.html")
    assert "study.yaml: this file exists already; add --force" in said
    assert not (asked / "other.html").exists()


def test_a_site_is_written_too(tmp_path):
    """Usable processors and their changes, standstills and credits of queues are keys of the workload."""
    words = ("--usable", "100,90@1", "--standstills", 6, "--queue-credit", "1=24", "--procs", 127, "--try", "fcfs")
    assert (
        run("whatif", "drawn", "--first", 800, *words, "--study", tmp_path / "site", "--out", tmp_path / "a.html") == 0
    )
    (workload,) = read_study(tmp_path / "site" / "study.yaml", "full").workloads.values()
    assert (workload.usable, workload.standstills_h, workload.queue_credit_h) == (Usable(100, ((1, 90),)), 6, {1: 24})
    assert workload.processors == 127


def test_a_folder_that_names_no_study_is_refused(tmp_path, capsys):
    words = ("whatif", "drawn", "--first", 50, "--try", "fcfs", "--out", tmp_path / "page.html")
    assert "--study: an id has small letters and digits" in refused(capsys, *words, "--study", tmp_path / "Mine")
    assert not (tmp_path / "page.html").exists()


def test_a_policy_of_ones_own_is_named_by_its_file(tmp_path):
    assert run("new", "policy", "mine", "--out", tmp_path) == 0
    own = f"{tmp_path / 'mine.py'}:mine"
    words = ("--first", 50, "--try", own, "--study", tmp_path / "own", "--out", tmp_path / "page.html")
    assert run("whatif", "drawn", *words) == 0
    assert {policy for _, policy in read_study(tmp_path / "own" / "study.yaml", "full").cells} == {
        "easy",
        "mine-py-mine",
    }
