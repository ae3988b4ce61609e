"""What people see while the pipeline runs."""

import logging
import os
import subprocess
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from slotwise.cli.study import LOGGERS
from tests.forked import programs
from tests.paths import PROJECT

POLICY = """
def choose(now, waiting, running, free):
    return waiting[0].nothing
"""

STUDY = """
study: broken
title: A policy with a mistake
question: Is the mistake named?
seed: 1
workloads:
  model: {model: lublin, jobs: 20, processors: 16, load: 0.7, label: Model}
policies:
  mine: {uses: "mine.py:choose", label: Mine}
"""


@pytest.fixture
def handler(monkeypatch):
    monkeypatch.syspath_prepend(str(LOGGERS))
    from snakemake_logger_plugin_slotwise import LogHandler

    return LogHandler(SimpleNamespace(), None)


def emit(handler, level=logging.INFO, **values):
    record = logging.LogRecord("snakemake", level, __file__, 1, values.pop("msg", ""), None, None)
    vars(record).update(values)
    handler.emit(record)


def test_a_line_for_each_step_with_the_steps_done(handler, capsys):
    emit(handler, event=LogEvent.RUN_INFO, stats={"total": 12})
    emit(handler, event=LogEvent.JOB_INFO, rule_msg="Build workloads: a")
    emit(handler, event=LogEvent.JOB_FINISHED, msg="Finished jobid: 3")
    emit(handler, event=LogEvent.PROGRESS, done=1, total=12)
    emit(handler, msg="Select jobs to execute...")
    emit(handler, event=LogEvent.JOB_INFO, rule_msg="Run " + "a" * 200)
    emit(handler, event=LogEvent.JOB_INFO, rule_msg=None)  # the last rule, which only names files
    emit(handler, event=LogEvent.PROGRESS, done=12, total=12)
    first, second, last = capsys.readouterr().err.splitlines()
    assert first == "[  0 of 12 steps done after 0:00 min] Build workloads: a"
    assert second.startswith("[  1 of 12 steps done after 0:00 min] Run aaa")
    assert second.endswith("a…")
    assert last == "[ 12 of 12 steps done after 0:00 min] All steps are done"


def test_warnings_are_passed_on(handler, capsys):
    emit(handler, logging.WARNING, msg="the disk is slow")
    assert capsys.readouterr().err == "the disk is slow\n"


def test_a_step_that_fails_shows_its_log(tmp_path):
    study = tmp_path / "broken"
    study.mkdir()
    (study / "study.yaml").write_text(STUDY)
    (study / "mine.py").write_text(POLICY)
    words = ("study", "run", "broken", "--scale", "quick", "--out", "results", "--cores", "1")
    done = subprocess.run(
        [programs() / "slotwise", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "steps done" in done.stderr
    assert "model under mine: choose (mine.py), call 1" in done.stderr
    assert "a job has no 'nothing'" in done.stderr
    assert "(line 3 of" in done.stderr


def test_make_calls_the_pipeline_as_it_takes_its_options():
    words = ("make", "--dry-run", "--old-file=setup", "--no-print-directory", "quick", "CORES=1")
    told = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    (call,) = [line for line in told.splitlines() if "snakemake" in line]
    call = call.replace(".venv/bin/snakemake", f"{programs() / 'python'} -m snakemake")
    done = subprocess.run(f"{call} --dry-run", cwd=PROJECT, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert "steps done" in done.stderr
