"""Readings of a study: what is run for each of them, and what is said of those that are wrong."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from scheduler_core.common.errors import StudyError
from traces.build import build_workload
from workflow.plan import describe_study, merge_studies
from workflow.studies import Study, read_study

DRAWN = {"model": "lublin", "processors": 16, "jobs": 60, "load": 1.2}

STUDY: dict[str, Any] = {
    "study": "tiny",
    "title": "A tiny study",
    "question": "Does it say what it reads?",
    "seed": 7,
    "versus": "easy",
    "workloads": {
        "one": {**DRAWN, "replications": 4, "estimates": "tsafrir", "paper": {"replications": 9}},
        "two": {**DRAWN, "replications": 4, "quick": False},
        "other": {**DRAWN, "replications": 3, "policies": ["easy", "sjf"], "quick": False},
    },
    "policies": {
        "sjf": {},
        "easy": {},
        "conservative": {},
        "easy-5": {"uses": "easy", "candidates": 5, "label": "Five", "reference": True},
    },
    "readings": {
        "listed": {"label": "As listed", "follows": "Figure 1", "choices": {"Jobs that end": "hold on", "Jobs": "the first"}},
        "together": {
            "label": "Let go",
            "follows": "page 3",
            "choices": {"Jobs that end": "let go", "Jobs": "the first"},
            "set": {"ending_now": "free"},
            "on": ["one"],
            "draws": 2,
        },
        "others": {
            "label": "Other jobs",
            "follows": "page 4",
            "choices": {"Jobs that end": "hold on", "Jobs": "others"},
            "stands_for": {"two": "other"},
            "quick": True,
        },
    },
}  # fmt: skip

JOBS = ("job", "submit_us", "runtime_us", "estimate_us", "size")


def study_of(folder: Path, scale: str = "full", **readings: Any) -> Study:
    """Expand the study, some keys of its readings replaced or, with None, left out."""
    written = {**STUDY, "readings": {name: {**entry} for name, entry in STUDY["readings"].items()}}
    for name, changes in readings.items():
        entry = {**written["readings"].get(name, {}), **changes}
        written["readings"][name] = {key: value for key, value in entry.items() if value is not None}
    path = folder / "tiny" / "study.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(written, sort_keys=False))
    return read_study(path, scale)


def test_a_reading_runs_its_own_cells_beside_those_of_the_headline(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    own = [(w, p) for w in ("one", "two") for p in ("sjf", "easy", "conservative", "easy-5")]
    assert study.cells[:8] == own
    assert study.cells[8:] == [("one-draws-2", "easy-together"), ("other", "sjf"), ("other", "easy")]
    assert study.policies["easy-together"].policy.values() == {
        **study.policies["easy"].policy.values(),
        "ending_now": "free",
    }
    assert study.policies["easy-together"].reference
    assert [reading.reading for reading in study.readings] == ["listed", "together", "others"]


def test_what_a_reading_did_not_run_is_absent_and_what_it_does_not_change_is_the_headlines(tmp_path: Path) -> None:
    listed, together, others = study_of(tmp_path).readings
    assert listed.cells == {cell: cell for cell in listed.cells}
    assert len(listed.cells) == 8
    assert together.cells == {
        ("one", "sjf"): ("one", "sjf"),
        ("one", "easy"): ("one-draws-2", "easy-together"),
        ("one", "conservative"): ("one", "conservative"),
        ("two", "sjf"): ("two", "sjf"),
        ("two", "conservative"): ("two", "conservative"),
    }
    assert together.policies == {"sjf": "sjf", "easy": "easy-together", "conservative": "conservative"}
    assert together.workloads == {"one": "one", "two": "two"}
    assert {cell: run for cell, run in others.cells.items() if cell[0] == "two"} == {
        ("two", "sjf"): ("other", "sjf"),
        ("two", "easy"): ("other", "easy"),
    }
    assert others.workloads == {"one": "one", "two": "other"}


def test_a_reading_may_exchange_metrics_alone(tmp_path: Path) -> None:
    study = study_of(tmp_path, others={"stands_for": None, "metrics": {"mean_wait": "mean_time_to_start"}})
    listed, _, others = study.readings
    assert others.metrics == {"mean_wait": "mean_time_to_start"}
    assert (others.cells, others.workloads) == (listed.cells, listed.workloads)
    assert [entry["metrics"] for entry in describe_study(study)["readings"]] == [{}, {}, others.metrics]


def test_policies_are_run_anew_that_are_named_and_others_may_be_said_to_be_unaffected(tmp_path: Path) -> None:
    study = study_of(tmp_path, together={"policies": ["easy-5"], "unaffected": ["easy"], "draws": None})
    together = study.readings[1]
    assert together.cells["one", "easy-5"] == ("one", "easy-5-together")
    assert together.cells["one", "easy"] == ("one", "easy")
    assert together.draws is None
    assert "easy-together" not in study.policies


def test_draws_are_the_first_of_the_workload_job_by_job(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    made = {
        name: build_workload(study.workloads[name], name, study.file.seed).workloads for name in ("one", "one-draws-2")
    }
    assert len(made["one-draws-2"]) == 2
    for first, again in zip(made["one"], made["one-draws-2"], strict=False):
        assert again.jobs.select(JOBS).equals(first.jobs.select(JOBS))
        assert again.digest == first.digest


def test_at_the_scale_of_a_publication_every_draw_is_run_and_in_miniature_only_what_asks_for_it(tmp_path: Path) -> None:
    paper = study_of(tmp_path, "paper")
    assert paper.readings[1].cells["one", "easy"] == ("one", "easy-together")
    assert paper.readings[1].draws is None
    quick = study_of(tmp_path, "quick")
    assert [reading.reading for reading in quick.readings] == ["listed"], "what the other changes is not there"
    assert {workload for workload, _ in quick.cells} == {"one"}
    with_draws = study_of(tmp_path, "quick", together={"quick": True})
    assert [reading.reading for reading in with_draws.readings] == ["listed", "together"]
    assert [r.reading for r in study_of(tmp_path, "paper", together={"paper": False}).readings] == ["listed", "others"]


def test_a_reading_may_stand_beside_the_headline(tmp_path: Path) -> None:
    study = study_of(tmp_path, together={"second_headline": True, "draws": None})
    assert [reading["second_headline"] for reading in describe_study(study)["readings"]] == [False, True, False]


def test_the_cells_of_readings_are_run_and_not_shown(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    described = describe_study(study)
    assert {workload for workload, _ in described["shown"]} == {"one", "two"}
    assert {policy for _, policy in described["shown"]} == {"sjf", "easy", "conservative"}
    assert ["one", "easy", "one-draws-2", "easy-together"] in described["readings"][1]["cells"]
    assert described["scale"] == "full"
    scale = merge_studies("full", "results", [study])
    batched = {(cell["workload"], cell["policy"]) for batch in scale.cell_batches.values() for cell in batch.cells}
    assert batched == set(study.cells)
    assert {name for batch in scale.workload_batches.values() for name in batch.workloads} == {
        "one",
        "two",
        "other",
        "one-draws-2",
    }


def test_a_study_without_readings_has_the_headline_alone(tmp_path: Path) -> None:
    written = {key: value for key, value in STUDY.items() if key != "readings"}
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "study.yaml").write_text(yaml.safe_dump(written))
    (reading,) = read_study(tmp_path / "tiny" / "study.yaml").readings
    assert reading.reading == "headline"
    assert ("other", "easy") in reading.cells


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no label": ({"together": {"label": None}}, "readings.together.label: is missing"),
    "a misspelt key": ({"together": {"draw": 2}}, "readings.together.draw: there is no such key; did you mean 'draws'?"),
    "an unknown parameter": (
        {"together": {"set": {"endingnow": "free"}}},
        "readings.together.set.endingnow: no policy of the study has this parameter; did you mean 'ending_now'?",
    ),
    "a parameter out of range": ({"together": {"set": {"ending_now": "fre"}}}, "readings.together.set: easy: ending_now must be"),
    "an unknown policy": (
        {"together": {"policies": ["eazy"]}},
        "readings.together.policies: there is no policy 'eazy' in this study; did you mean 'easy'?",
    ),
    "a policy without the parameter": (
        {"together": {"policies": ["sjf", "easy"]}},
        "readings.together.policies: 'sjf' has none of the parameters in 'set'",
    ),
    "a policy that is run and unaffected": (
        {"together": {"policies": ["easy"], "unaffected": ["easy"]}},
        "readings.together.unaffected: 'easy' is among the policies that run again",
    ),
    "policies without parameters": ({"others": {"policies": ["easy"]}}, "readings.others.policies: is for policies that"),
    "an unknown workload": (
        {"together": {"on": ["onne"]}},
        "readings.together.on: there is no workload 'onne' in this study; did you mean 'one'?",
    ),
    "a workload that is not there to stand in": (
        {"others": {"stands_for": {"two": "othr"}}},
        "readings.others.stands_for: there is no workload 'othr' in this study; did you mean 'other'?",
    ),
    "a workload that stands in and is stood for": (
        {"others": {"stands_for": {"two": "other", "other": "one"}}},
        "readings.others.stands_for.two: 'other' cannot stand for a workload and be stood for",
    ),
    "an unknown metric": (
        {"others": {"metrics": {"mean_wait": "mean_wayt"}}},
        "readings.others.metrics: there is no metric 'mean_wayt' in this study; did you mean 'mean_wait'?",
    ),
    "no draws": ({"together": {"draws": 0}}, "readings.together.draws: expected a whole number of at least 1; found 0"),
    "a choice that is no text": (
        {"together": {"choices": {"Jobs that end": 2, "Jobs": "x"}}},
        "readings.together.choices.Jobs that end: expected the choice in words",
    ),
    "other choices": (
        {"together": {"choices": {"Jobs that ended": "let go", "Jobs": "the first"}}},
        "readings.together.choices: expected what 'listed' chooses about, in its order: "
        "'Jobs that end', 'Jobs'; found 'Jobs that ended', 'Jobs'",
    ),
    "the same choices twice": (
        {"together": {"choices": {"Jobs that end": "hold on", "Jobs": "others"}}},
        "readings.others.choices: duplicate: the reading 'together' has the same choices",
    ),
    "the same label twice": ({"others": {"label": "Let go"}}, "readings.others.label: duplicate: the reading 'together'"),
    "a reading that says no change": ({"together": {"set": None}}, "readings.together: changes nothing; say"),
    "a reading that changes nothing": (
        {"together": {"set": {"candidates": 5}, "policies": ["easy-5"]}},
        "readings.together: changes nothing: no cell of the study differs",
    ),
    "a headline that changes something": (
        {"listed": {"set": {"ending_now": "free"}}},
        "readings.listed.set: the first reading is the headline",
    ),
    "a second headline of fewer draws": (
        {"together": {"second_headline": True}},
        "readings.together.draws: a second headline has all draws",
    ),
    "an id that is taken": (
        {"5": {"label": "Five", "follows": "", "choices": {"Jobs that end": "5", "Jobs": "5"}, "set": {"ending_now": "free"}}},
        "readings.5: the study has a policy 'easy-5' already; give the reading another id",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_the_complaint_names_file_key_and_remedy(tmp_path: Path, case: str) -> None:
    changes, told = WRONG[case]
    with pytest.raises(StudyError) as error:
        study_of(tmp_path, **changes)
    assert str(error.value).startswith(f"{tmp_path / 'tiny' / 'study.yaml'}: {told}")
