"""The pipeline on a SLURM cluster of this machine."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.one_node_cluster import cluster, why_not
from tests.workflow.tiny_project import copy_project, digests, run, store_content

pytestmark = [pytest.mark.slow, pytest.mark.cluster]


@contextmanager
def known_to_all(settings: Path) -> Iterator[None]:
    """Make a cluster that of the machine, for jobs from whose environment Snakemake removes ``SLURM_CONF``."""
    own = Path("/etc/slurm/slurm.conf")
    before = own.read_bytes() if own.exists() else None
    shutil.copy(settings, own)
    try:
        yield
    finally:
        own.unlink()
        if before is not None:
            own.write_bytes(before)


IMPATIENT = Path(__file__).with_name("impatient_snakemake.py")


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is a cluster")
def test_a_run_on_slurm_gives_the_same_bytes(finished: Path, tmp_path: Path) -> None:
    folder = copy_project(tmp_path / "project")
    with cluster() as settings, known_to_all(settings):
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
