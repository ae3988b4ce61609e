"""`import slotwise as sw`: what a user of Python meets."""

import inspect

import pytest

import slotwise as sw
from scheduler_core.common.errors import ContractError, ParameterError, StudyError
from tests.imported import imported_by


def test_importing_loads_nothing_heavy():
    assert not imported_by("import slotwise") & {"numba", "polars", "duckdb", "altair"}


def test_every_name_is_there_and_says_what_it_returns():
    assert set(sw.__all__) <= set(dir(sw))
    for name in sw.__all__:
        assert len((inspect.getdoc(getattr(sw, name)) or "").splitlines()) > 3, name


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(
        AttributeError,
        match=r"no attribute 'simulated'; it has CallAgain, Promise, Run, SlotwiseError, Start, Suspend, check, .*simulate",
    ):
        _ = sw.simulated


def test_from_a_model_to_a_comparison():
    workload = sw.generate("lublin", jobs=30, seed=1, processors=16, load=0.8)
    assert (len(workload), workload.machine.processors) == (30, 16)
    assert workload.offered_load == pytest.approx(0.8)
    assert workload.digest == sw.generate("lublin", 30, seed=1, processors=16, load=0.8).digest
    easy, fcfs = sw.simulate(workload, "easy"), sw.simulate(workload, "fcfs")
    assert sw.check(workload, easy).legal
    found = sw.compare(fcfs, easy)
    assert found["jobs_in_both"] == 30
    assert found["sides"]["a"]["title"] == "FCFS (fcfs)"
    assert sw.compare(easy, easy)["first_differences"] == []
    with pytest.raises(ContractError, match="the runs are of different jobs"):
        sw.compare(easy, sw.simulate(workload.first(20), "easy"))


def test_policies_and_what_models_refuse(tmp_path):
    assert sw.policies()["easy"].name == "easy"
    with pytest.raises(ParameterError, match="did you mean 'lublin'"):
        sw.generate("lublim", jobs=3, seed=1)
    with pytest.raises(ParameterError, match="load must be a number above 0"):
        sw.generate("lublin", jobs=3, seed=1, load=0)
    with pytest.raises(StudyError, match=r"slotwise\.duckdb: there is no such store"):
        sw.open_store(tmp_path)


def test_a_store_opens_by_its_folder(store):
    with sw.open_store(store.parent) as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone()[0] > 0


def test_results_show_themselves_as_sentences():
    drawn = sw.read_log("drawn").first(500)
    run = sw.simulate(drawn, "easy")
    assert repr(run.check()).startswith("legal: ")
    validated = repr(sw.validate(drawn))
    assert validated.startswith("EASY (easy): No grade. ")
    assert "Agreement(" not in validated
    answer = sw.whatif(drawn, ["conservative"])
    assert repr(answer) == "\n".join([answer.grade, *answer.sentences])
