"""The name a policy is asked for by is the name that is shown, and waits say what they are."""

import json
import re

import pytest

from scheduler_core.declarations.policy import get_policy, policy_names
from slotwise.cli.main import main


@pytest.mark.parametrize("word", policy_names())
def test_a_policy_is_called_as_it_was_asked_for(word):
    label = policy_names()[word][2]
    assert get_policy(word).title == f"{label} ({word})"


def test_what_was_asked_otherwise_is_said_too():
    assert get_policy("easy_sjbf", reservations=2).title == "EASY-SJBF (easy_sjbf, reservations=2)"
    assert get_policy("easy(reservations=4)").title == "EASY (easy, reservations=4)"
    assert get_policy("scojo_pri_b", level=3).title == "PRI-B (scojo_pri_b, level=3)"
    assert get_policy("easy_sjbf") == get_policy("easy", backfill_order="shortest")


@pytest.fixture
def runs(small_workload, tmp_path, capsys):
    small_workload.write(tmp_path / "w.parquet")
    said = {}
    for word in ("easy_sjbf", "sjf", "easy", "gang", "scojo_pri_b"):
        words = ["simulate", str(tmp_path / "w.parquet"), "--policy", word, "--out", str(tmp_path / word)]
        assert main(words) == 0
        said[word] = capsys.readouterr().out
    return tmp_path, said


def test_simulate_check_and_compare_show_the_name_asked_for(runs, capsys):
    folder, said = runs
    assert "under EASY-SJBF (easy_sjbf)" in said["easy_sjbf"]
    assert "under SJF (sjf)" in said["sjf"]
    assert "under PRI-B (scojo_pri_b)" in said["scojo_pri_b"]
    assert main(["check", str(folder / "scojo_pri_b")]) == 0
    assert "PRI-B (scojo_pri_b)" in capsys.readouterr().out
    assert main(["compare", str(folder / "sjf"), str(folder / "easy_sjbf")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^A = .*: SJF \(sjf\)$", out, re.MULTILINE)
    assert re.search(r"^B = .*: EASY-SJBF \(easy_sjbf\)$", out, re.MULTILINE)


def test_response_time_leads_and_wait_is_what_the_family_says(runs, capsys):
    folder, said = runs
    assert "wait: time from submission to first start" in said["easy"]
    assert "wait: response time less run time on dedicated processors" in said["gang"]
    for out in said.values():
        assert out.index("mean response") < out.index("mean bounded slowdown") < out.index("mean wait")
    assert main(["compare", str(folder / "easy"), str(folder / "gang")]) == 0
    out = capsys.readouterr().out
    assert "wait in A: time from submission to first start" in out
    assert "wait in B: response time less run time on dedicated processors" in out
    assert main(["compare", str(folder / "easy"), str(folder / "gang"), "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    mean_run_s = (100 + 50 + 30 + 200 + 5 + 20) / 6
    for side in ("a", "b"):  # no job of these is killed, and EASY's jobs run without a break
        assert metrics["mean_wait_s"][side] == pytest.approx(metrics["mean_response_s"][side] - mean_run_s)
