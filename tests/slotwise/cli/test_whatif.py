"""`slotwise whatif`, `validate` and `fit`: what an operator gets."""

import json
import re

import polars as pl
import pytest

from tests.slotwise.cli.command import refused, run
from tests.traces.swf_lines import line
from traces.ingest import read_log

FEW = ("--first", 3000)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Return the page of the drawn log under two policies and a larger machine, and what the command printed."""
    out = tmp_path_factory.mktemp("whatif") / "page.html"
    words = (
        "whatif",
        "drawn",
        *FEW,
        "--try",
        "conservative",
        "--try",
        "easy_sjbf",
        "--processors",
        "+25%",
        "--load",
        "x1.2",
    )
    assert run(*words, "--out", out) == 0
    return out


def log_of(tmp_path, count, **columns):
    """Return a log of small jobs, a minute apart."""
    path = tmp_path / "small.swf"
    rows = [line(job=number, submit=60 * number, **columns) for number in range(1, count + 1)]
    path.write_text("; MaxProcs: 64\n" + "\n".join(rows) + "\n")
    return path


def test_a_page_is_one_small_file_that_needs_no_network(page):
    text = page.read_text()
    assert len(text) < 2_000_000
    assert "<script" not in text
    assert not re.search(r"(src|href)=\"(?!data:|#)", re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL))
    assert set(re.findall(r"https?://[^\s\"<]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_the_grade_comes_before_the_answer_and_the_answer_before_the_scenarios(page):
    text = page.read_text()
    order = [
        text.index(part) for part in ('class="grade', 'class="answer"', 'id="trust"', 'id="scenarios"', 'id="how"')
    ]
    assert order == sorted(order)


def test_all_scenarios_asked_for_and_their_combination_are_there(page):
    table = pl.read_parquet(page.parent / "page_tables" / "scenarios.parquet")
    assert table["scenario"].to_list() == [
        "EASY",
        "Conservative",
        "EASY-SJBF",
        "25 % more processors",
        "20 % more load",
        "25 % more processors, 20 % more load",
    ]
    assert table["processors"].to_list() == [128, 128, 128, 160, 128, 160]
    ratios = dict(zip(table["scenario"], table["wait_h_ratio"], strict=True))
    assert ratios["25 % more processors"] < 1 < ratios["20 % more load"]
    assert all(text.startswith("legal") for text in table["certificate"])
    for name in ("scenarios", "growth", "weeks", "groups", "recorded"):
        assert (page.parent / "page_tables" / f"{name}.csv").read_text().count("\n") > 1


def test_the_same_command_writes_the_same_bytes(tmp_path):
    out = tmp_path / "page.html"
    made = []
    for _ in range(2):
        assert run("whatif", "drawn", *FEW, "--try", "conservative", "--out", out, "--force") == 0
        made.append([path.read_bytes() for path in (out, *sorted((tmp_path / "page_tables").iterdir()))])
    assert made[0] == made[1]


def test_an_older_page_is_not_replaced_unasked(page, capsys):
    before = page.read_bytes()
    assert "page.html: this file exists already; add --force" in refused(capsys, "whatif", "drawn", *FEW, "--out", page)
    assert page.read_bytes() == before


def test_a_log_without_waits_gets_a_page_that_says_so(tmp_path, capsys):
    log = log_of(tmp_path, 200, wait=-1)
    assert run("whatif", log, "--try", "fcfs", "--out", tmp_path / "page.html") == 0
    assert "Not graded" in (tmp_path / "page.html").read_text()
    assert "Nothing shows whether this simulation describes your cluster" in capsys.readouterr().out
    for command in ("validate", "fit"):
        assert "the log records no waits" in refused(capsys, command, log)


@pytest.mark.parametrize("count", [2, 30])
def test_a_handful_of_jobs_of_one_user_claims_nothing(count, tmp_path, capsys):
    log = log_of(tmp_path, count, wait=5)
    assert run("whatif", log, "--out", tmp_path / "page.html") == 0
    said = capsys.readouterr().out
    assert "The log has too few weeks to tell whether one of the policies tried shortens it." in said
    assert "No grade" in said
    assert run("validate", log) == 0
    assert run("fit", log) == 0


def test_a_fit_of_many_jobs_says_first_that_it_takes_long(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("slotwise.cli.fit.MANY_JOBS", 29)
    log = log_of(tmp_path, 30, wait=5)
    assert run("fit", log) == 0
    assert "30 jobs are simulated 400 to 1,600 times" in capsys.readouterr().err
    assert run("fit", log, "--first", 29) == 0
    assert "simulated" not in capsys.readouterr().err


def test_jobs_of_one_instant_get_a_page_without_another_load(tmp_path, capsys):
    log, page = log_of(tmp_path, 1), tmp_path / "page.html"
    assert "submitted at one instant" in refused(capsys, "whatif", log, "--load", "x2", "--out", page)
    assert run("whatif", log, "--out", page) == 0
    said = capsys.readouterr().out
    assert "10 % more processors" in said
    assert "load" not in said
    assert "<p>All jobs are submitted at one instant, so there is no load to change.</p>" in page.read_text()
    assert not (tmp_path / "page_tables" / "growth.csv").exists()


def test_validate_begins_with_the_grade_and_gives_json(capsys):
    assert run("validate", "drawn", "--partition", 1, "--usable", 120) == 0
    assert re.search(r"\n\nEASY \(easy\): Grade A\. Hours and differences", capsys.readouterr().out)
    assert run("validate", "drawn", *FEW, "--policy", "fcfs", "--policy", "conservative", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["policy"] for one in found] == ["FCFS (fcfs)", "Conservative (conservative)"]
    assert {"agreement", "ceiling", "grade", "groups", "recorded_use"} <= found[0].keys()


def test_smaller_machines_are_written_as_people_write_them(tmp_path, capsys):
    words = ("whatif", "drawn", *FEW, "--processors", "-10%", "--out", tmp_path / "page.html")
    assert run(*words) == 0
    said = capsys.readouterr().out
    assert "With 10 % fewer processors the mean wait is" in said
    assert "10 % fewer processors" in said.rpartition("scenario")[2]


def test_a_page_of_a_part_of_the_machine_names_both_sizes(tmp_path):
    assert run("whatif", "drawn", *FEW, "--usable", 100, "--try", "fcfs", "--out", tmp_path / "page.html") == 0
    assert "jobs on 100 usable of 128 processors" in (tmp_path / "page.html").read_text()


def test_grade_c_gives_no_advice(tmp_path, capsys):
    words = ("whatif", "drawn", "--baseline", "fcfs", "--out", tmp_path / "page.html")
    assert run(*words) == 0
    said = capsys.readouterr().out
    assert "Grade C" in said
    assert "Find a baseline that repeats what it did with `slotwise fit`" in said
    assert "gives the shortest mean wait" not in said


def test_fit_ends_with_a_command_that_runs(drawn_fit, monkeypatch, tmp_path, capsys):
    """The search itself is made once; tests/docs runs it from the command line."""
    asked = []
    monkeypatch.setattr("slotwise.planning.fitted.fit", lambda *given: asked.append(given) or drawn_fit)
    assert run("fit", "drawn", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [pool["processors"] for pool in found["chosen"]["pools"]] == [120, 8]
    assert run("fit", "drawn") == 0
    (command,) = re.findall(r"^  slotwise (whatif .*)$", capsys.readouterr().out, re.MULTILINE)
    assert run(*command.split(), "--try", "fcfs", "--out", tmp_path / "page.html") == 0
    assert "\nGrade A. " in capsys.readouterr().out
    assert "128 processors in 2 pools: partition 1 on 120, partition 2 on 8" in (tmp_path / "page.html").read_text()
    assert [len(workload) for workload, _, _ in asked] == [len(read_log("drawn"))] * 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--try", "esay"), "did you mean 'easy'"),
        (("--usable", "300"), "--usable: the machine has 128 processors; found 300"),
        (("--load", "+0%"), "--load: +0% changes nothing"),
        (("--try", "easy"), "EASY is the baseline, or is asked for twice"),
        (("--processors", "25%"), "--processors: expected a number of processors such as 256, or a change such as"),
        (("--load", "0"), "--load: expected a change such as"),
        (("--estimates", "perfect"), "--estimates"),
        (("--queue", "77"), "--queue: no job is of 77"),
    ],
)
def test_wrong_options_are_answered_before_anything_is_simulated(words, reason, tmp_path, capsys):
    assert reason in refused(capsys, "whatif", "drawn", "--first", 50, *words, "--out", tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


WIDEST = """
from slotwise import Start, moldable


@moldable
def widest(now, waiting, running, free):
    head = list(waiting)[:1]
    return [Start(job, size=min(job.sizes[-1], free)) for job in head if job.sizes[0] <= free]
"""


@pytest.mark.parametrize("pools", [(), ("--pool", "partition=1:120", "--pool", "partition=2:8")])
def test_a_policy_that_chooses_sizes_is_compared_on_jobs_that_have_several(tmp_path, capsys, pools):
    policy, page = tmp_path / "sizes.py", tmp_path / "page.html"
    policy.write_text(WIDEST)
    asked = ("whatif", "drawn", "--first", 300, *pools, "--try", f"{policy}:widest", "--out", page)
    assert run(*asked) == 0
    assert "every job of the workload is rigid" in capsys.readouterr().err
    rigid = scenarios_in(page)
    study = tmp_path / "flexible"
    assert run(*asked, "--force", "--flexibility", "huang(rigid=0.2)", "--study", study) == 0
    assert "rigid" not in capsys.readouterr().err
    flexible = scenarios_in(page)
    assert flexible[0] == rigid[0], "EASY starts jobs on the size they asked for"
    assert flexible[1] != rigid[1]
    assert "flexibility: {model: huang, moldable: 0.6, rigid: 0.2}" in (study / "study.yaml").read_text()


def scenarios_in(page):
    """Return the rows of the table of scenarios beside a page."""
    return pl.read_csv(page.with_name("page_tables") / "scenarios.csv").rows()
