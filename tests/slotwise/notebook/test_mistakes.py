"""Arguments of the wrong type: one sentence that says what was expected, not a traceback from inside."""

import numpy as np
import polars as pl
import pytest

import slotwise as sw
from scheduler_core.common.errors import SlotwiseError
from tests.slotwise.planning.small_jobs import jobs, workload

TABLE = pl.DataFrame({"job": [1]})


@pytest.fixture(scope="module")
def run():
    return sw.simulate(workload(jobs((0, 7200, 3), (0, 3600, 2)), 4), "easy")


def an_idle_policy(now, waiting, running, free):
    return []


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        (lambda run: sw.simulate(TABLE, "easy"), "expected a workload, .*; found an object of type DataFrame"),
        (lambda run: sw.simulate(None, "easy"), "expected a workload, .*; found None"),
        (lambda run: sw.validate(TABLE), "expected a workload, .*; found an object of type DataFrame"),
        (lambda run: sw.whatif(run.jobs), "expected a workload, .*; found an object of type DataFrame"),
        (lambda run: sw.read_log(TABLE), "expected the path or name of a log; found an object of type DataFrame"),
        (lambda run: sw.check(run, run.workload), "expected a workload, .*; found an object of type Run"),
        (lambda run: sw.check(run.workload, None), "expected a schedule, .*; found None"),
        (lambda run: run.compare("fcfs"), "expected a schedule, .*; found 'fcfs'"),
        (lambda run: run.compare(run.frame()), "expected a schedule, .*; found an object of type DataFrame"),
        (lambda run: run.gantt(window=24), r"window: expected its begin and end in hours, .*; found 24$"),
        (lambda run: run.gantt(window=("0", "24")), r"window: expected .*; found \('0', '24'\)$"),
        (lambda run: run.gantt(window=(0, float("nan"))), "window: expected .*; found"),
        (lambda run: run.gantt(window=(0, 1, 2)), "window: expected .*; found"),
        (lambda run: run.explain("1"), "expected the number of a job; found '1'"),
        (lambda run: run.explain([1]), "expected the number of a job; found an object of type list"),
        (lambda run: run.explain(True), "expected the number of a job; found True"),
        (lambda run: sw.whatif("drawn", [an_idle_policy]), "policies: expected .* give it as 'FILE.py:NAME'"),
        (lambda run: sw.whatif("drawn", "sjf"), r"policies: expected a list, such as \['sjf'\]; found 'sjf'"),
        (lambda run: sw.whatif("drawn", processors="+10%"), r"processors: expected a list, such as \['\+10%'\]; found"),
        (lambda run: sw.whatif("drawn", load=[1.2]), "load: expected a list of texts; found 1.2"),
        (lambda run: sw.compare(run, run, run), "expected two schedules .*; found an object of type Run"),
        (lambda run: run.write(None), "expected the path of a folder; found None"),
        (lambda run: sw.open_store(None), "expected the path of a store, .*; found None"),
        (lambda run: sw.simulate(run.workload, "mine.py"), "name the function or class .*: 'mine.py:NAME'"),
    ],
)
def test_an_argument_of_another_type_is_told(run, mistake, told):
    with pytest.raises(SlotwiseError, match=told):
        mistake(run)


def test_a_file_that_is_no_store_is_told(tmp_path):
    (tmp_path / "notes.txt").write_text("no store")
    with pytest.raises(SlotwiseError, match=r"notes\.txt: this store cannot be opened: "):
        sw.open_store(tmp_path / "notes.txt")


def test_numbers_of_numpy_are_numbers(run):
    drawn = sw.generate("lublin", jobs=np.int64(20), seed=np.int64(1), load=np.float64(0.8), processors=np.int32(16))
    assert drawn.digest == sw.generate("lublin", jobs=20, seed=1, load=0.8, processors=16).digest
    made = sw.simulate(drawn, "easy", reservations=np.int64(2))
    assert (made.digest, made.run) == ((plain := sw.simulate(drawn, "easy", reservations=2)).digest, plain.run)
    assert run.explain(np.int64(1)).sentences()
    assert sw.compare(run, run, np.int64(3)) == sw.compare(run, run, 3)
