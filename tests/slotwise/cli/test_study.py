"""`slotwise study`, up to the start of the pipeline."""

import pytest

from slotwise.cli import study
from slotwise.cli.main import main
from workflow.studies import read_study

STUDY = """\
study: mine
title: A study
question: Is it found?
seed: 1
workloads:
  log: {log: logs/mine.swf, label: A log}
policies:
  easy: {}
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a study and the log that it names."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"papers/mine/study.yaml": STUDY, "logs/mine.swf": "; MaxProcs: 8\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def refused(capsys, *words):
    assert main(["study", "run", *words]) == 2
    return capsys.readouterr().err


def test_studies_that_come_along_are_listed(capsys):
    assert main(["study", "list"]) == 0
    assert "easy_dialects" in capsys.readouterr().out


def test_a_study_is_found_by_folder_file_or_name(desk):
    file = desk / "papers" / "mine" / "study.yaml"
    assert study.find_study("papers/mine") == study.find_study("papers/mine/study.yaml") == file
    assert study.find_study("baseline") == study.SHIPPED / "baseline" / "study.yaml"


def test_an_unknown_study_is_answered_with_the_nearest(desk, capsys):
    said = refused(capsys, "baselin")
    assert "baselin: expected a folder with a study.yaml, or the name of a study; did you mean 'baseline'?" in said
    (desk / "mine.yaml").write_text(STUDY)
    said = refused(capsys, "mine.yaml")
    assert (
        "is called study.yaml, in a folder that has the study's name; move it, for example to mine/study.yaml" in said
    )
    assert "`slotwise study run mine/study.yaml`" in said
    assert "`slotwise study list` shows those that come with slotwise" in refused(capsys, "nowhere/study.yaml")
    (desk / "papers" / "mine" / "study.yaml").write_text(STUDY.replace("easy", "eazy"))
    assert "did you mean 'easy'" in refused(capsys, "papers/mine")


def test_the_pipeline_works_beside_the_results(desk):
    stage = study.prepare(desk / "out", read_study(study.find_study("papers/mine")))
    assert stage.joinpath("studies/mine").resolve() == desk / "papers" / "mine"
    assert stage.joinpath("results").resolve() == desk / "out"
    assert stage.joinpath("logs/mine.swf").read_text() == "; MaxProcs: 8\n"
    assert 'studies: ["mine"]' in stage.joinpath("config/config.yaml").read_text()


def test_a_log_among_the_results_is_left_alone(desk):
    (desk / "papers" / "mine" / "study.yaml").write_text(STUDY.replace("logs/mine.swf", "results/mine.swf"))
    (desk / "results").mkdir()
    (desk / "results" / "mine.swf").write_text("; MaxProcs: 8\\n")
    for _ in range(2):
        study.prepare(desk / "results", read_study(study.find_study("papers/mine")))
    assert not (desk / "results" / "mine.swf").is_symlink()
    assert (desk / "results" / "mine.swf").read_text() == "; MaxProcs: 8\\n"


def test_paths_out_of_the_folder_must_be_absolute(desk, capsys, monkeypatch):
    monkeypatch.chdir(desk / "papers")
    (desk / "papers" / "mine" / "study.yaml").write_text(STUDY.replace("logs/mine.swf", "../logs/mine.swf"))
    assert "../logs/mine.swf: a path out of the current folder must be absolute" in refused(capsys, "mine")


def test_a_pipeline_that_fails_is_said(desk, capsys, monkeypatch):
    monkeypatch.setattr(study, "run_pipeline", lambda stage, target, cores: target != "paper")
    assert main(["study", "run", "papers/mine", "--scale", "paper"]) == 1
    said = capsys.readouterr().err
    assert "did not finish" in said
    assert "repeat the command" in said
    assert main(["study", "run", "papers/mine", "--scale", "quick"]) == 0
    assert capsys.readouterr().out == "report: results/quick/report/index.html\n"


@pytest.mark.parametrize("folder", ["report", "full/report", "paper/report"])
def test_the_report_of_another_study_is_never_replaced(desk, capsys, monkeypatch, folder):
    monkeypatch.setattr(study, "run_pipeline", lambda stage, target, cores: True)
    pages = desk / "results" / folder
    pages.mkdir(parents=True)
    for name in ("index", "study-mine"):
        (pages / f"{name}.html").write_text("earlier")
    assert main(["study", "run", "papers/mine"]) == 0  # its own
    (pages / "study-baseline.html").write_text("kept")
    said = refused(capsys, "papers/mine")
    assert "results: this folder has the report of the study baseline, which is kept" in said
    assert "--out results-mine" in said
    assert main(["study", "run", "papers/mine", "--out", "results-mine"]) == 0
