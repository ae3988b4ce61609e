"""The pipeline on a SLURM cluster of this machine."""

import sys
from pathlib import Path

import pytest

from tests.workflow.one_node_cluster import cluster, why_not
from tests.workflow.tiny_project import copy_project, digests, run, store_content

pytestmark = [pytest.mark.slow, pytest.mark.cluster]


IMPATIENT = Path(__file__).with_name("impatient_snakemake.py")


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is a cluster")
def test_a_run_on_slurm_gives_the_same_bytes(finished: Path, tmp_path: Path) -> None:
    folder = copy_project(tmp_path / "project")
    with cluster(tmp_path / "slurm"):
        done = run(
            folder,
            *("--workflow-profile", "profiles/slurm", "--jobs", "2", "--cores", "2", "--latency-wait", "5"),
            *("--slurm-no-account", "--slurm-status-command", "squeue"),
            *("--slurm-init-seconds-before-status-checks", "1"),
            start=lambda *arguments: [sys.executable, str(IMPATIENT), *arguments],
        )
    told = done.stdout + done.stderr
    assert "SLURM jobid" in told
    assert digests(folder) == digests(finished)
    assert store_content(folder) == store_content(finished)
