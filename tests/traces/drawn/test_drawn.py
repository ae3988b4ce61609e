"""The drawn log: the same text again, a feasible schedule that EASY made, and every rule of the accounting."""

from collections import Counter

import polars as pl
import pytest

import slotwise as sw
from scheduler_core.contracts import Machine, Workload
from traces.accounting import REJECTIONS, REPAIRS
from traces.catalog import find_log, get_log
from traces.drawn.jobs import DAY, DAYS, OUTAGE, PARTITIONS, draw_jobs
from traces.drawn.schedule import give_waits
from traces.drawn.text import FILE, recorded_jobs, text_of
from traces.fetch import check, locate
from traces.ingest import ingest
from traces.models import jobs_table
from traces.swf_file import read_text


@pytest.fixture(scope="module")
def recorded():
    return recorded_jobs()


@pytest.fixture(scope="module")
def read():
    return ingest(FILE)


def test_the_generator_makes_the_same_text_again(recorded):
    assert text_of(recorded).encode() == read_text(FILE).data


def test_it_ships_and_is_in_the_catalogue(root):
    entry = get_log("drawn")
    assert entry.drawn
    assert locate("drawn")["path"] == str(find_log("Drawn log")) == str(FILE)
    check(entry, FILE)
    assert "no machine" in entry.acknowledgement


def test_it_says_that_it_is_no_real_log():
    text = read_text(FILE).data.decode()
    assert "DRAWN by slotwise" in text[:300]


@pytest.mark.parametrize("partition", PARTITIONS, ids=lambda partition: partition.name)
def test_recorded_waits_are_those_of_easy(partition):
    """Without cancellations and the outage, which the policy does not know."""
    jobs = draw_jobs(partition)
    for job in jobs:
        job.patience = None
    give_waits(jobs, partition.processors)
    table = jobs_table(*([value * 10**6 for value in values] for values in (
        [job.submit for job in jobs], [job.runtime for job in jobs])), [job.size for job in jobs])  # fmt: skip
    table = table.with_columns(estimate_us=pl.Series([job.limit * 10**6 for job in jobs]))
    schedule = sw.simulate(Workload(table, Machine(partition.processors)), "easy")
    found = schedule.jobs.sort("job")
    waits = ((found["start_us"] - found["submit_us"]) // 10**6).to_list()
    assert waits == [job.wait for job in jobs]
    assert sum(wait > 0 for wait in waits) > 30


def test_no_partition_is_ever_overfull_and_nothing_runs_in_the_outage(recorded):
    for partition in PARTITIONS:
        steps: Counter[int] = Counter()
        for job in recorded:
            if job.partition == partition and job.wait is not None:
                begin, end = job.submit + job.wait, job.submit + job.wait + job.runtime
                steps[begin] += job.size
                steps[end] -= job.size
                assert end <= OUTAGE[0] or begin >= OUTAGE[1]
        used = 0
        for instant in sorted(steps):
            used += steps[instant]
            assert 0 <= used <= partition.processors
    assert not [job for job in recorded if OUTAGE[0] <= job.submit < OUTAGE[1]]


def test_every_rule_that_applies_by_default_has_a_line(read):
    counts = read.accounting
    assert set(counts.rejected) == set(REJECTIONS)
    assert set(counts.repaired) == set(REPAIRS) - {"submit_from_previous", "one_second_runtime"}
    header = counts.to_dict()["header_lines"]
    assert (header["repaired"], header["rejected"]) == ({"words_after_number": 1}, {"repeated_key": 1})


def test_it_has_the_features_of_a_log(read):
    jobs = read.workload.jobs
    assert 9_000 < len(jobs) < 11_000
    assert set(jobs["partition"]) == {1, 2}
    assert set(jobs["queue"]) == {0, 1, 2, 3}
    assert set(jobs["status"]) == {0, 1, 5}
    assert jobs["user"].n_unique() == 64
    assert jobs["group"].n_unique() == 7
    day = jobs["submit_us"] // (DAY * 10**6)
    assert day.max() == DAYS - 1
    weekend = ((day % 7) >= 5).sum() / 2
    assert weekend < 0.6 * (len(jobs) - 2 * weekend) / 5
    hour = jobs["submit_us"] // (3600 * 10**6) % 24
    assert hour.is_between(9, 17).sum() > 2 * hour.is_between(0, 6).sum()
    assert jobs.filter(pl.col("recorded_wait_us") > 0).height > 1_000
    popular = jobs["estimate_us"].value_counts().sort("count", descending=True).head(20)
    assert popular["count"].sum() > 0.7 * len(jobs)
