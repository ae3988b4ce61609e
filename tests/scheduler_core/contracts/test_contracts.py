"""The tables keep their contract, and say in words when they do not."""

import polars as pl
import pytest

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import Machine, Workload, read_replications, write_replications


def test_a_workload_survives_its_file(small_workload, tmp_path):
    path = tmp_path / "folder" / "w.parquet"
    small_workload.write(path)
    again = Workload.read(path)
    assert again.jobs.equals(small_workload.jobs)
    assert (again.machine, again.provenance) == (small_workload.machine, small_workload.provenance)
    assert again.digest == small_workload.digest


def test_the_same_workload_gives_the_same_bytes(small_workload, tmp_path):
    for name in ("a", "b"):
        small_workload.write(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_replications_survive_their_file(small_workload, tmp_path):
    other = small_workload.first(3)
    write_replications(tmp_path / "w.parquet", [small_workload, other])
    again = read_replications(tmp_path / "w.parquet")
    assert [len(w) for w in again] == [6, 3]
    assert [w.digest for w in again] == [small_workload.digest, other.digest]
    assert again[1].provenance["transformations"] == [{"step": "first", "jobs": 3}]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"runtime_us": pl.lit(0, pl.Int64)}, "runtime_us is not positive in 6 of 6"),
        ({"size": pl.lit(0, pl.Int32)}, "size is below 1"),
        ({"submit_us": pl.col("submit_us").reverse()}, "not in the order of submission"),
        ({"submit_us": pl.col("submit_us") - 1}, "submit_us is negative in 1 of 6"),
        ({"estimate_us": pl.lit(None, pl.Int64)}, "null"),
        ({"size": pl.col("size").cast(pl.Int64)}, "column 'size' must be Int32, found Int64"),
        ({"job": pl.lit(1, pl.Int64), "submit_us": pl.lit(0, pl.Int64)}, "not in the order"),
        ({"user": pl.lit("me")}, "column 'user' must be Int32"),
    ],
)
def test_a_broken_invariant_is_named(small_workload, change, words):
    with pytest.raises(ContractError, match=words):
        Workload(small_workload.jobs.with_columns(**change), Machine(8))


def test_a_missing_column_is_named(small_workload):
    with pytest.raises(ContractError, match="column 'size' is missing"):
        Workload(small_workload.jobs.drop("size"), Machine(8))


def test_another_parquet_file_is_no_workload(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(ContractError, match="expected a workload"):
        Workload.read(tmp_path / "x.parquet")
    (tmp_path / "y.parquet").write_text("no parquet")
    with pytest.raises(ContractError, match="not a readable parquet file"):
        read_replications(tmp_path / "y.parquet")


def test_offered_load(small_workload):
    work = 100 * 5 + 50 * 8 + 30 * 3 + 200 * 3 + 5 + 20 * 2
    assert small_workload.offered_load == pytest.approx(work / (50 * 8))
