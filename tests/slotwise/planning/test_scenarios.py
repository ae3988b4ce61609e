"""What scenarios change, and how changes are written."""

from dataclasses import replace

import pytest

from scheduler_core.common.errors import ContractError, ParameterError
from slotwise.planning.answers import scenarios_of
from slotwise.planning.changes import a_multiple, a_size
from slotwise.planning.scenarios import Scenario, changed, title_of_policy, usual
from slotwise.planning.simulations import crossing, what_if
from traces.generate import generate
from traces.shape.estimates import Exact, FModel


@pytest.mark.parametrize(
    ("text", "value"), [("+25%", 1.25), ("-10%", 0.9), ("x1.2", 1.2), ("x0.5", 0.5), ("+0.5%", 1.005)]
)
def test_changes_are_multiples(text, value):
    assert a_multiple(text, "--load") == pytest.approx(value)


def test_a_change_of_nothing_is_refused():
    for text in ("+0%", "x1", "-0%"):
        with pytest.raises(ParameterError, match="changes nothing"):
            a_multiple(text, "--load")


@pytest.mark.parametrize("text", ["25%", "1.2", "", "%", "x", "+%", "-100%", "x-1", "xnan", "+1e9%", "25", "+25"])
def test_anything_else_is_refused(text):
    with pytest.raises(ParameterError, match="--load: expected a change such as"):
        a_multiple(text, "--load")


def test_jobs_keep_their_numbers():
    log = generate("lublin", jobs=200, seed=1, processors=32, load=0.8)
    for scenario in (
        Scenario("easy", processors=1.25),
        Scenario("easy", load=1.2),
        Scenario("easy", estimates=Exact()),
    ):
        assert changed(log, scenario).jobs["job"].to_list() == log.jobs["job"].to_list()
    assert changed(log, Scenario("easy", processors=1.25)).machine.processors == 40
    assert changed(log, Scenario("easy", load=1.2)).offered_load == pytest.approx(1.2 * log.offered_load, rel=1e-3)
    assert changed(log, Scenario("easy")) is log


def test_labels_say_what_differs():
    base = Scenario("easy")
    assert base.label(base) == "EASY"
    assert replace(base, processors=0.9, load=1.25).label(base) == "10 % fewer processors, 25 % more load"
    assert replace(base, policy="easy(reservations=4)").label(base) == "EASY (reservations: 4)"
    assert replace(base, estimates=Exact()).label(base) == "exact estimates"
    night = (("2", "workdays:8-18"),)
    assert replace(base, closing=night).label(base) == "queue 2 closed from 8 to 18 on workdays"
    assert replace(base, estimates=FModel(f=10.0)).label(base) == "f-model (f: 10.0)"
    assert title_of_policy("easy_sjbf") == "EASY-SJBF"


def test_usual_scenarios_differ_from_one_another_and_from_the_baseline():
    base = Scenario("easy")
    scenarios = [base, *usual(base, users=True)]
    assert len(set(scenarios)) == len(scenarios)


def test_a_scenario_asked_for_twice_is_refused():
    log = generate("lublin", jobs=50, seed=1, processors=32, load=0.8)
    with pytest.raises(ParameterError, match="Conservative is the baseline, or is asked for twice"):
        what_if(log, "log", Scenario("easy"), [Scenario("conservative")] * 2, lambda text: None)


def test_a_log_without_jobs_is_refused():
    log = generate("lublin", jobs=50, seed=1, processors=32, load=0.8)
    with pytest.raises(ContractError, match="there are no jobs"):
        what_if(log.transformed(log.jobs.head(0), {"step": "none"}), "log", Scenario("easy"), [], lambda text: None)


def test_a_line_is_crossed_where_it_reaches_a_level():
    """Logarithms of waits are interpolated: 4 is half-way from 2 to 8."""
    points = [(1.0, 2.0), (1.2, 8.0), (1.4, 8.0)]
    assert crossing(points, 4.0) == pytest.approx(1.1)
    assert crossing(points, 10.0) is None
    assert crossing([(1.0, 8.0), (1.2, 2.0)], 4.0) == pytest.approx(1.1)
    assert crossing([(1.0, 0.0), (1.2, 2.0)], 1.0) is not None


def test_the_answer_in_python_has_sentences_tables_charts_and_a_page(tmp_path):
    import slotwise as sw

    answer = sw.whatif("drawn", ["conservative"], processors=["+25%"])
    assert str(answer).startswith("Read differences between simulations, not hours")
    assert {"scenarios", "growth", "weeks", "groups", "recorded"} == answer.tables.keys()
    assert {"ratios", "growth", "users", "use", "queue"} <= answer.charts.keys()
    answer.save(tmp_path / "page.html")
    assert "<h1>drawn.swf.gz" in (tmp_path / "page.html").read_text()
    assert sw.validate("drawn").grade.letter == "B"  # on one percent fewer processors waits are too long


def test_the_names_of_a_site_are_shown_in_python(tmp_path):
    import slotwise as sw

    names = tmp_path / "names.csv"
    names.write_text("kind,number,name\n" + "".join(f"user,{number},person-{number}\n" for number in range(1, 400)))
    answer = sw.whatif(sw.read_log("drawn").first(300), ["fcfs"], names=names)
    users = answer.tables["groups"].filter(kind="user")["group"]
    assert users.str.starts_with("person-").all()


def test_a_machine_is_a_number_of_processors_or_a_change():
    assert (a_size("256", "--processors"), a_size("x2", "--processors")) == (256, 2.0)
    base = Scenario("easy")
    larger, changed_size = scenarios_of(base, 131, [], [256, "+25%"], [], [], [])
    assert [one.label(base) for one in (larger, changed_size)] == ["256 processors", "25 % more processors"]
    log = generate("lublin", jobs=20, seed=1, processors=131, load=0.8)
    assert changed(log, larger).machine.processors == 256
    *_, both = scenarios_of(base, 131, [], [256], ["x1.2"], [], [])
    assert both.label(base) == "256 processors, 20 % more load"


def test_the_same_machine_in_two_words_is_asked_for_twice():
    log = generate("lublin", jobs=50, seed=1, processors=32, load=0.8)
    twice = scenarios_of(Scenario("easy"), 32, [], ["64", "x2"], [], [], [])
    with pytest.raises(ParameterError, match="asked for twice"):
        what_if(log, "log", Scenario("easy"), twice, lambda text: None)
    with pytest.raises(ParameterError, match="--processors: 32 changes nothing; the machine has 32 processors"):
        scenarios_of(Scenario("easy"), 32, [], ["32"], [], [], [])
