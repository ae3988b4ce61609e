"""Several clusters and workflows on the command line: drawn, brought to clusters from a log, told again for a check."""

import json
import re

import pytest

from scheduler_core.contracts import Workload
from tests.slotwise.cli.command import run

LINE = "{0} {1} -1 {2} {3} -1 -1 {3} 9000 -1 1 1 1 1 1 1 -1 -1\n"
SWF = "; MaxProcs: 64\n" + "".join(LINE.format(k + 1, 9000 * k, 7000 + k, 12 + k % 9) for k in range(40))


@pytest.fixture
def log_file(tmp_path):
    (tmp_path / "own.swf").write_text(SWF)
    return tmp_path / "own.swf"


def test_jobs_are_drawn_for_clusters_with_workflows(tmp_path, capsys):
    words = ("generate", "lublin", "--jobs", 1000, "--seed", 3, "--clusters", "2x128,64@2", "--load", 0.7)
    assert run(*words, "--workflows", "0.1", "--out", tmp_path / "g.parquet") == 0
    said = capsys.readouterr().out
    assert "jobs on 320 processors in 3 clusters, " in said
    assert "of them are tasks of 8 workflows, offered load" in said
    assert "from the first submission to the last on any cluster (0.7 on each while its own jobs come)" in said
    grid = Workload.read(tmp_path / "g.parquet")
    assert [cluster.name for cluster in grid.machine.clusters] == ["A", "B", "C"]
    assert len(grid.companions["tasks"]) == 40
    assert run(*words, "--workflows", "share=0.1", "--workflows", "split=proc", "--out", tmp_path / "p.parquet") == 0
    proc = Workload.read(tmp_path / "p.parquet")
    assert proc.companions["transfers"].equals(grid.companions["transfers"])
    assert run(*words, "--streams", "dealt", "--out", tmp_path / "d.parquet") == 0
    assert Workload.read(tmp_path / "d.parquet").homes().max() == 2


def test_a_log_is_ingested_for_clusters(log_file, tmp_path, capsys):
    out = tmp_path / "w.parquet"
    words = (log_file, "--clusters", "2x32", "--workflows", "0.2", "--out", out)
    assert run("ingest", *words) == 0
    said = capsys.readouterr()
    assert "48 jobs on 64 processors in 2 clusters, 10 of them are tasks of 2 workflows" in said.out
    assert run("ingest", log_file, "--clusters", "32,16", "--streams", "dealt", "--out", out, "--force") == 0
    assert "NOTE: " not in capsys.readouterr().err
    assert run("ingest", log_file, "--clusters", "16,16", "--out", out, "--force") == 0
    assert "jobs ask for more processors than their cluster has" in capsys.readouterr().err


def test_jobs_of_a_log_become_workflows_of_files_and_of_shapes(log_file, tmp_path, capsys):
    tasks = [{"name": "a", "runtime": 10, "children": ["b"]}, {"name": "b", "runtime": 30, "parents": ["a"]}]
    for name in "xy":
        (tmp_path / f"{name}.json").write_text(json.dumps({"name": name, "workflow": {"tasks": tasks}}))
    out = tmp_path / "w.parquet"
    files = f"files={tmp_path / 'x.json'},{tmp_path / 'y.json'}"
    assert run("ingest", log_file, "--clusters", "2x32", "--workflows", "0.2", "--workflows", files, "--out", out) == 0
    assert "45 jobs on 64 processors in 2 clusters, 10 of them are tasks of 5 workflows" in capsys.readouterr().out
    shaped = ("--workflows", "share=0.2", "--workflows", "shape=chain", "--workflows", "depth=10")
    assert run("ingest", log_file, "--clusters", "2x32", *shaped, "--out", out, "--force") == 0
    assert "10 of them are tasks of 1 workflow " in capsys.readouterr().out


def test_options_that_do_not_go_together_are_refused(log_file, tmp_path, capsys):
    out = ("--out", tmp_path / "w.parquet")
    refused = {
        ("--clusters", "many"): "--clusters: expected clusters as 4x128",
        ("--streams", "cut"): "--streams says how jobs reach the clusters; name these with --clusters",
        ("--clusters", "2x32", "--streams", "own"): "--streams: for jobs from a log expected cut or dealt; found 'own'",
        ("--workflows", "much"): "--workflows: workflows: share must be a number or none; found 'much'",
        ("--workflows", "0.1", "--workflows", "0.2"): "--workflows share is given twice",
        ("--workflows", "0.1", "--behaviour", "lomarc"): "--workflows: tasks of workflows have no behaviour",
        ("--workflows", "0.9"): "--workflows: a share of 0.9 is ",
    }
    for words, message in refused.items():
        assert run("ingest", log_file, *words, *out) == 2
        assert message in capsys.readouterr().err
        assert not (tmp_path / "w.parquet").exists()


def test_jobs_that_have_their_clusters_are_not_brought_to_others(tmp_path, capsys):
    path = tmp_path / "g.parquet"
    assert run("generate", "lublin", "--jobs", 100, "--seed", 3, "--clusters", "2x128", "--out", path) == 0
    assert run("simulate", path, "--clusters", "4x64", "--policy", "grid", "--out", tmp_path / "run") == 2
    assert "--clusters: the jobs are for clusters of their own already" in capsys.readouterr().err
    assert run("simulate", path, "--procs", 64, "--policy", "grid", "--out", tmp_path / "run") == 2
    assert (
        "--procs is the size of one cluster; the jobs are for 2 clusters of their own already"
        in capsys.readouterr().err
    )


def test_a_policy_of_one_cluster_says_which_are_for_several(log_file, tmp_path, capsys):
    assert run("simulate", log_file, "--clusters", "2x32", "--policy", "easy", "--out", tmp_path / "run") == 2
    assert "the machine has 2 clusters; policies for any clusters: grid" in capsys.readouterr().err


WIDE = {"name": "a", "runtime": 9, "cores": 99, "children": ["b"]}


def test_workflows_are_summed_up_and_those_that_no_cluster_holds_are_said(log_file, tmp_path, capsys):
    (tmp_path / "wide.json").write_text(
        json.dumps({"workflow": {"tasks": [WIDE, {"name": "b", "runtime": 9, "parents": ["a"]}]}})
    )
    brought = ("--clusters", "2x32", "--workflows", "0.2")
    files = (*brought, "--workflows", f"files={tmp_path / 'wide.json'}", "--workflows", "work=recorded")
    assert run("simulate", log_file, *files, "--policy", "grid_heft", "--out", tmp_path / "wide") == 0
    said = capsys.readouterr()
    assert "NOTE: 5 of 5 workflows have a task that asks for more processors than any cluster has" in said.err
    assert re.search(r"rejected workflows +5\n", said.out)
    for policy in ("grid_relaxed", "grid_rigid"):
        assert run("simulate", log_file, *brought, "--policy", policy, "--out", tmp_path / policy) == 0
        said = capsys.readouterr()
        assert "NOTE" not in said.err
        assert re.search(r"\nworkflows +2\nmean workflow makespan +s +[\d,.]+ .*\nmean workflow response ", said.out)
        assert re.search(r"rejected workflows +0\nlate tasks +\d\n", said.out)
    assert run("compare", tmp_path / "grid_relaxed", tmp_path / "grid_rigid") == 0
    assert re.search(r"\nworkflows +2 +2 +0\nmean workflow makespan +\d", capsys.readouterr().out)
