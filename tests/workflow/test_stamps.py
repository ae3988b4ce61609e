"""A stamp holds while every file of its batch is there, and older than the stamp."""

import os
from pathlib import Path

import pytest

from workflow.stamps import withdraw_stamps, write_stamp


@pytest.fixture
def stamp(tmp_path: Path) -> Path:
    """The stamp of a batch of two files."""
    files = [tmp_path / name for name in ("jobs.parquet", "timing.json")]
    for file in files:
        file.write_text("whole")
    path = tmp_path / "stamps" / "runs" / "gang-1.json"
    write_stamp(path, dict.fromkeys(files))
    return path


def test_a_stamp_stays_while_its_files_do(stamp: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.txt").write_text("new")
    assert withdraw_stamps(tmp_path) == []
    assert stamp.is_file()


@pytest.mark.parametrize("change", ["lose", "edit", "damage the stamp"])
def test_a_stamp_goes_when_a_file_was_lost_or_changed(stamp: Path, tmp_path: Path, change: str) -> None:
    if change == "lose":
        (tmp_path / "timing.json").unlink()
    elif change == "edit":
        (tmp_path / "jobs.parquet").write_text("edited")
        later = stamp.stat().st_mtime_ns + 1_000_000
        os.utime(tmp_path / "jobs.parquet", ns=(later, later))
    else:
        stamp.write_text("{")
    assert withdraw_stamps(tmp_path) == [stamp]
    assert not stamp.exists()
