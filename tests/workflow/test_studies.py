"""Study files: how they expand, and what is said of those that are wrong."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from scheduler_core.common.errors import StudyError
from tests.workflow.tiny_project import STUDY, plan_of, write_study
from workflow.studies import SCALES, Study, read_study
from workflow.yaml_files import read_yaml


@pytest.fixture(autouse=True)
def _a_log_where_the_study_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder that will hold the log of the tiny study."""
    monkeypatch.chdir(tmp_path)


def study_of(folder: Path, scale: str = "full", **parts: Any) -> Study:
    """Expand the tiny study with some of its keys replaced."""
    text = yaml.safe_dump({**yaml.safe_load(STUDY), **parts}, sort_keys=False)
    return read_study(write_study(folder, text), scale)


def read_at_every_scale(path: Path) -> list[Study]:
    """Read a study at every scale, as planning a run does."""
    return [read_study(path, scale) for scale in SCALES]


class TestExpansion:
    def test_every_policy_runs_on_every_workload_in_the_order_of_the_study(self, tmp_path: Path) -> None:
        study = study_of(tmp_path)
        assert study.cells == [(w, p) for w in ("by-hand", "model") for p in ("fcfs", "easy", "conservative", "gang")]

    def test_loads_become_workloads_with_the_percent_in_their_ids(self, tmp_path: Path) -> None:
        model = {"model": "lublin", "jobs": 9, "label": "L", "loads": [0.5, 0.95, 1, 0.07]}
        study = study_of(tmp_path, workloads={"m": model})
        assert {name: entry.load for name, entry in study.workloads.items()} == {
            "m-load-050": 0.5,
            "m-load-095": 0.95,
            "m-load-100": 1.0,
            "m-load-007": 0.07,
        }
        assert study.workloads["m-load-050"].label == "L, load 0.50"
        assert "loads" not in study.workloads["m-load-050"].written

    def test_a_variant_has_the_jobs_of_its_base_and_estimates_of_its_own(self, tmp_path: Path) -> None:
        variants = {"f3": {"estimates": {"model": "f_model", "f": 3}, "label": "f = 3", "policies": ["easy"]}}
        workload = {"model": "lublin", "jobs": 9, "load": 0.5, "estimates": "tsafrir", "variants": variants}
        study = study_of(tmp_path, workloads={"m": workload})
        assert study.workloads["m-f3"].written == {
            "model": "lublin",
            "jobs": 9,
            "load": 0.5,
            "estimates": {"model": "f_model", "f": 3},
            "label": "m, f = 3",
            "variant": "f = 3",
            "variant_of": "m",
            "jobs_of": "m",
        }
        assert study.workloads["m"].estimates.name == "tsafrir"
        assert [cell for cell in study.cells if cell[0] == "m-f3"] == [("m-f3", "easy")]

    def test_a_variant_can_be_left_out_at_a_scale(self, tmp_path: Path) -> None:
        variants = {"x": {"estimates": "exact", "quick": False}, "y": {"estimates": "exact"}}
        workloads = {"m": {"model": "lublin", "jobs": 9, "variants": variants}}
        by_scale = {scale: list(study_of(tmp_path, scale, workloads=workloads).workloads) for scale in SCALES}
        assert by_scale == {
            "full": ["m", "m-x", "m-y"],
            "small": ["m", "m-x", "m-y"],
            "quick": ["m", "m-y"],
            "paper": ["m", "m-x", "m-y"],
        }

    def test_every_load_has_its_variants(self, tmp_path: Path) -> None:
        workload = {"model": "lublin", "jobs": 9, "loads": [0.5, 0.6], "variants": {"x": {"estimates": "exact"}}}
        study = study_of(tmp_path, workloads={"m": workload})
        assert list(study.workloads) == ["m-load-050", "m-load-050-x", "m-load-060", "m-load-060-x"]
        assert study.workloads["m-load-060-x"].jobs_of == study.workloads["m-load-060"].jobs_of == "m"

    def test_a_log_has_loads_and_flexibility_too(self, tmp_path: Path) -> None:
        log = {"log": "tiny.swf", "loads": [0.5, 0.9], "flexibility": "huang", "memory": {"model": "da_silva"}}
        study = study_of(tmp_path, workloads={"t": log})
        assert list(study.workloads) == ["t-load-050", "t-load-090"]
        assert {entry.jobs_of for entry in study.workloads.values()} == {"t"}
        assert {entry.flexibility.name for entry in study.workloads.values()} == {"huang"}

    def test_the_log_a_model_is_fitted_to_is_located_like_any(self, tmp_path: Path) -> None:
        fitted = {"model": "jann", "jobs": 9, "processors": 8, "fit": "tiny.swf"}
        others = {"k": {**fitted, "fit": "LANL-CM5"}, "shipped": {**fitted, "fit": "SDSC-SP2"}}
        workloads = {"j": fitted, **others, "m": {"model": "lublin", "jobs": 9}}
        plan = plan_of(tmp_path, yaml.safe_dump({**yaml.safe_load(STUDY), "workloads": workloads}, sort_keys=False))
        assert plan.scales["results"].logs["tiny"] == "tiny.swf"
        located = {w: batch.logs for batch in plan.scales["results"].workload_batches.values() for w in batch.workloads}
        assert located["j"] == ["tiny"]
        assert located["k"][0].startswith("LANL-CM5")
        assert located["shipped"] == located["m"] == []

    def test_a_log_by_two_of_its_names_is_one(self, tmp_path: Path) -> None:
        workloads = {"a": {"log": "SDSC-SP2"}, "b": {"log": "SDSC-SP2-1998-4.2-cln"}}
        plan = plan_of(tmp_path, yaml.safe_dump({**yaml.safe_load(STUDY), "workloads": workloads}, sort_keys=False))
        (batch,) = plan.scales["results"].workload_batches.values()
        assert list(batch.workloads) == ["a", "b"]

    def test_a_mapping_may_take_over_the_keys_of_another(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text("a: &a {b: 1, c: 2}\nd: {<<: *a, c: 3}\n")
        assert read_yaml(tmp_path / "a.yaml")["d"] == {"b": 1, "c": 3}

    def test_dates_are_written_as_they_are(self, tmp_path: Path) -> None:
        days = "  j: {model: jann, jobs: 9, fit: {log: CTC-SP2, from: 1996-06-25, to: 1996-09-13}}\n"
        plan = plan_of(tmp_path, STUDY.replace("workloads:\n", "workloads:\n" + days))
        assert plan.scales["results"].workloads["j"].written["fit"]["from"] == "1996-06-25"
        located = {w: batch.logs for batch in plan.scales["results"].workload_batches.values() for w in batch.workloads}
        assert located["j"][0].startswith("CTC-SP2")

    def test_a_scale_overrides_keys_or_leaves_a_workload_out(self, tmp_path: Path) -> None:
        model = {
            "model": "lublin",
            "jobs": 9,
            "loads": [0.5, 0.6],
            "quick": {"jobs": 3, "loads": [0.5]},
            "paper": False,
        }
        workloads = {"m": model, "other": {"log": "tiny.swf"}}
        by_scale = {scale: study_of(tmp_path, scale, workloads=workloads).workloads for scale in SCALES}
        assert list(by_scale["full"]) == ["m-load-050", "m-load-060", "other"]
        assert list(by_scale["quick"]) == ["m-load-050", "other"]
        assert by_scale["quick"]["m-load-050"].jobs == 3
        assert list(by_scale["paper"]) == ["other"]

    def test_a_policy_has_all_its_parameters_and_the_label_of_its_preset(self, tmp_path: Path) -> None:
        policies = {"easy_sjbf": None, "mine": {"uses": "easy", "candidates": 5, "label": "Mine", "reference": True}}
        study = study_of(tmp_path, policies=policies, versus="mine")
        assert study.policies["easy_sjbf"].policy.name == "easy"
        assert study.policies["easy_sjbf"].uses == "easy_sjbf"
        assert study.policies["easy_sjbf"].label == "EASY-SJBF"
        assert study.policies["easy_sjbf"].policy.backfill_order == "shortest"
        assert study.policies["mine"].policy.candidates == 5
        assert study.policies["mine"].policy.reservation == "each_pass"

    def test_a_policy_may_have_other_parameters_at_a_scale(self, tmp_path: Path) -> None:
        policies = {"easy": {"candidates": 5, "quick": {"candidates": 2}, "paper": {"backfill_order": "shortest"}}}
        found = {scale: study_of(tmp_path, scale, policies=policies).policies["easy"].policy for scale in SCALES}
        assert [found[scale].candidates for scale in SCALES] == [5, 5, 2, 5]
        assert [found[scale].backfill_order for scale in SCALES] == ["queue", "queue", "queue", "shortest"]

    def test_a_reference_is_run_but_not_shown(self, tmp_path: Path) -> None:
        plan = plan_of(tmp_path, STUDY.replace("fcfs: {}", "fcfs: {reference: true}"))
        (described,) = plan.scales["results"].described
        assert ["by-hand", "fcfs"] in described["cells"]
        assert ["by-hand", "fcfs"] not in described["shown"]
        assert ["by-hand", "easy"] in described["shown"]


WRONG = {
    "a misspelt key of the study": (("title:", "titel:"), "titel: there is no such key; did you mean 'title'?"),
    "a missing key": (("seed: 7\n", ""), "seed: is missing"),
    "a seed that is no number": (
        ("seed: 7", "seed: seven"),
        "seed: expected a whole number of at least 0; found 'seven'",
    ),
    "a negative seed": (("seed: 7", "seed: -7"), "seed: expected a whole number of at least 0; found -7"),
    "another file name": (("study: tiny", "study: teeny"), "study: must be 'tiny'"),
    "an unknown versus": (("versus: easy", "versus: eazy"), "versus: there is no policy 'eazy' in this study; did you"),
    "an unknown policy": (
        ("conservative: {}", "eazy: {uses: eazy}"),
        "policies.eazy.uses: there is no policy 'eazy'; did you mean",
    ),
    "an id that names no policy": (("fcfs: {}", "fcsf: {}"), "policies.fcsf.uses: there is no policy 'fcsf'"),
    "an unknown parameter": (
        ("easy: {}", "easy: {backfil_order: shortest}"),
        "policies.easy: easy has no parameter 'backfil_order'; did you mean 'backfill_order'?",
    ),
    "a parameter out of range": (("easy: {}", "easy: {candidates: 0}"), "candidates must be at least 1; found 0"),
    "an unknown parameter at a scale": (
        ("easy: {}", "easy: {quick: {candidate: 2}}"),
        "policies.easy.quick: easy has no parameter 'candidate'; did you mean 'candidates'?",
    ),
    "another label at a scale": (
        ("easy: {}", "easy: {paper: {label: Mine}}"),
        "policies.easy.paper.label: is the same at every scale; only parameters may differ",
    ),
    "parameters that exclude each other": (
        ("easy: {}", "easy: {reservations: 2, reservation: once}"),
        "policies.easy: easy: reservation='once' is defined for one reservation only",
    ),
    "an unknown word": (("easy: {}", "easy: {instant: bath}"), "did you mean 'batch'?"),
    "the same label twice": (("fcfs: {}", "fcfs: {label: EASY}"), "policies.easy.label: duplicate: 'EASY'"),
    "a label that is no text": (("fcfs: {}", "fcfs: {label: 3}"), "policies.fcfs.label: expected text; found 3"),
    "an id that is no file name": (("by-hand:", "By/hand:"), "an id has small letters"),
    "a log that is not there": (
        ("log: tiny.swf", "log: logs/huge.swf"),
        "workloads.by-hand.log: there is no file 'logs/huge.swf'",
    ),
    "an unknown log": (
        ("log: tiny.swf", "log: SDSC-SP3"),
        "workloads.by-hand.log: the catalogue has no log 'SDSC-SP3'",
    ),
    "an unknown model": (("model: lublin", "model: lublim"), "there is no model 'lublim'; did you mean 'lublin'?"),
    "an unknown key of a workload": (
        ("replications: 2", "replicatons: 2"),
        "workloads.model.replicatons: there is no such key for a workload from a model; did you mean 'replications'?",
    ),
    "a count below one": (
        ("jobs: 60", "jobs: 0"),
        "workloads.model.jobs: expected a whole number of at least 1; found 0",
    ),
    "an unknown key at a scale": (
        ("load: 0.8", "load: 0.8, quick: {job: 3}"),
        "workloads.model.quick.job: there is no such key; did you mean 'jobs'?",
    ),
    "a value out of range at a scale": (
        ("load: 0.8", "load: 0.8, paper: {jobs: -3}"),
        "workloads.model.paper.jobs: expected a whole number of at least 1; found -3",
    ),
    "a policy the study does not have": (
        ("load: 0.8", "load: 0.8, policies: [esay]"),
        "workloads.model.policies: there is no policy 'esay' to run here; did you mean 'easy'?",
    ),
    "both load and loads": (("load: 0.8", "load: 0.8, loads: [0.5]"), "workloads.model.loads: write either"),
    "both a mean gap and loads": (
        ("load: 0.8", "mean_gap_s: 9, loads: [0.5]"),
        "workloads.model.loads: gaps are scaled to either loads or a mean gap",
    ),
    "the same load twice": (("load: 0.8", "loads: [0.5, 0.50]"), "workloads.model.loads: duplicate: 0.5 occurs twice"),
    "a load between percents": (("load: 0.8", "loads: [0.555]"), "workloads.model.loads.0: loads are whole percents"),
    "a variant without estimates": (
        ("load: 0.8", "load: 0.8, variants: {x: {label: y}}"),
        "workloads.model.variants.x.estimates: is missing",
    ),
    "an unknown estimate model": (
        ("load: 0.8", "load: 0.8, variants: {x: {estimates: exat}}"),
        "workloads.model.variants.x.estimates: there is no estimate model 'exat'; did you mean 'exact'?",
    ),
    "an id two entries make": (
        ("by-hand: {", "model-x: {log: tiny.swf}\n  by-hand: {"),
        "duplicate: the workload id 'model-x' comes from two entries",
    ),
    "a key written twice": (
        ("  fcfs: {}\n", "  fcfs: {}\n  fcfs: {}\n"),
        "duplicate key 'fcfs', first written in line",
    ),
    "no YAML": (("policies:\n", "policies: [\n"), "no valid YAML"),
    "a list of policies": (
        ("  fcfs: {}\n  easy: {}\n  conservative: {}\n  gang: {}\n", "- easy\n"),
        "expected a mapping",
    ),
    "a claim without its kind": (
        ("workloads:", "claims: [{id: c, sentence: s, citation: t, expect: {any: {above: 1}}}]\nworkloads:"),
        "claim 'c': kind: is missing",
    ),
}


class TestWrongStudies:
    @pytest.mark.parametrize("case", WRONG)
    def test_the_complaint_names_file_key_and_remedy(self, tmp_path: Path, case: str) -> None:
        change, told = WRONG[case]
        text = STUDY
        if case == "an id two entries make":
            text = text.replace("load: 0.8", "load: 0.8, variants: {x: {estimates: exact}}")
        path = write_study(tmp_path, text, *change)
        with pytest.raises(StudyError) as error:
            read_at_every_scale(path)
        assert str(error.value).startswith(f"{path}: ")
        assert told in str(error.value)

    def test_a_missing_file_and_one_that_is_no_text(self, tmp_path: Path) -> None:
        with pytest.raises(StudyError, match="cannot be read"):
            read_yaml(tmp_path / "none.yaml")
        (tmp_path / "binary.yaml").write_bytes(b"study: \xff\xfe")
        with pytest.raises(StudyError, match="UTF-8"):
            read_yaml(tmp_path / "binary.yaml")

    def test_a_label_that_a_comma_cuts_in_two_says_what_to_do(self, tmp_path: Path) -> None:
        (tmp_path / "cut.yaml").write_text("a: 1\nb: {jobs: 5, label: W1, mixture M2, quick: false}\n")
        with pytest.raises(StudyError) as error:
            read_yaml(tmp_path / "cut.yaml")
        assert str(error.value) == (
            f"{tmp_path / 'cut.yaml'}: line 2: 'mixture M2' has no value. If it belongs to the text before the comma, put this "
            'text into quotes: label: "W1, mixture M2"'
        )
        (tmp_path / "whole.yaml").write_text('b: {label: "W1, mixture M2", x: null, y: ~}\n')
        assert read_yaml(tmp_path / "whole.yaml")["b"] == {"label": "W1, mixture M2", "x": None, "y": None}

    def test_words_stay_words_and_a_mapping_may_begin_with_another(self, tmp_path: Path) -> None:
        (tmp_path / "some.yaml").write_text("a: &a {on: no, guard: false}\nb: {<<: *a, guard: true}\n")
        assert read_yaml(tmp_path / "some.yaml")["b"] == {"on": "no", "guard": True}


@pytest.mark.parametrize("name", ["a<b>.swf", "a{b}.swf", "a\nb.swf", "./a\x00.swf", "logs/{log}.swf.gz"])
def test_a_log_that_is_named_like_a_pattern_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StudyError, match="rename the file"):
        study_of(tmp_path, workloads={"log": {"log": name, "label": "L"}})


@pytest.mark.parametrize(
    "name", ["a b.swf", "a[b].swf", "a*.swf", "a(b|c)+?.swf", "a$b%s.swf", "été.swf", "a'b\"c.swf", "#a;&.swf"]
)
def test_a_log_may_have_any_other_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert study_of(tmp_path, workloads={"log": {"log": name, "label": "L"}}).workloads["log"].log_name == name
