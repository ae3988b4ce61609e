"""`slotwise new policy NAME` and `slotwise new study NAME`."""

from __future__ import annotations

import argparse
import keyword
from pathlib import Path

from scheduler_core.common.errors import OutputError, ParameterError
from scheduler_core.common.files import write_text
from scheduler_core.declarations.words import capitalised
from slotwise.cli.words import a_path

POLICY = '''\
"""A scheduling policy for slotwise: FCFS with backfilling. `@numba.njit` above the function compiles it (`import numba`)."""


def NAME(now, waiting, running, free):
    """Return the jobs to start now; slotwise calls this when jobs were submitted or have ended. Times are in seconds."""
    chosen, blocked, reserved = [], False, now  # reserved: when the first job that must wait can start, by the estimates
    ends = [(job.expected_end, job.size) for job in running]
    for job in waiting:  # in the order of submission
        if job.size <= free and (not blocked or now + job.estimate <= reserved):
            chosen.append(job)
            ends.append((now + job.estimate, job.size))
            free -= job.size
        elif not blocked:  # jobs behind this one may pass it if they end before it can start
            blocked, later = True, free
            for end, size in sorted(ends):
                if later < job.size:
                    later, reserved = later + size, end
    return chosen
'''

PREEMPTIVE = '''\
"""A scheduling policy for slotwise that suspends jobs: the shortest remaining time first."""

from slotwise import Suspend, preemptive


@preemptive
def NAME(now, waiting, running, free):
    """Return the jobs to start now, and a Suspend for each running job that makes room for them.

    slotwise calls this when jobs were submitted or have ended. Times are in seconds. A suspended job waits again, with what
    remains of its estimate.
    """
    free += sum(job.size for job in running)  # as if none ran: the jobs that should run from now on are chosen afresh
    chosen = []
    for job in sorted([*waiting, *running], key=lambda job: (job.remaining, job.position)):
        if job.size <= free:
            chosen.append(job)
            free -= job.size
    suspended = [Suspend(job) for job in running if job not in chosen]
    return suspended + [job for job in chosen if job not in running]
'''

MOLDABLE = '''\
"""A scheduling policy for slotwise that chooses the sizes of jobs: FCFS, each job on as many processors as are free."""

from slotwise import Start, moldable


@moldable
def NAME(now, waiting, running, free):
    """Return the jobs to start now, each with its size; rigid jobs have one, those that are moldable or malleable several.

    slotwise calls this when jobs were submitted or have ended. Times are in seconds; job.remaining_on(size) is how long a job
    takes on a size, by its estimate.
    """
    chosen = []
    for job in waiting:  # in the order of submission
        if job.sizes[0] > free:
            break
        size = min(job.sizes[-1], free)
        chosen.append(Start(job, size=size))
        free -= size
    return chosen
'''

TEST = '''\
"""Tests of the policy NAME: `python -m pytest test_NAME.py`."""

from pathlib import Path

import slotwise as sw

POLICY = f"{Path(__file__).with_name('NAME.py')}:NAME"
JOBS = sw.generate("MODEL", jobs=500, seed=1, load=0.8)


def test_schedules_are_feasible():
    certificate = sw.check(JOBS, sw.simulate(JOBS, POLICY))
    assert certificate.legal, certificate.describe()
'''

POLICY_TEST = """

def test_jobs_wait_less_than_without_backfilling():
    metrics = sw.compare(sw.simulate(JOBS, POLICY), sw.simulate(JOBS, "fcfs"))["metrics"]
    assert metrics["mean_wait_s"]["a"] < metrics["mean_wait_s"]["b"]
"""

PREEMPTIVE_TEST = """

def test_jobs_are_suspended_and_wait_less_than_without_suspensions():
    run = sw.simulate(JOBS, POLICY)
    assert run.jobs["preemptions"].sum() > 0
    metrics = sw.compare(run, sw.simulate(JOBS, "sjf"))["metrics"]
    assert metrics["mean_wait_s"]["a"] < metrics["mean_wait_s"]["b"]
"""

MOLDABLE_TEST = """

def test_jobs_get_other_sizes_and_are_done_sooner_than_on_those_they_ask_for():
    run = sw.simulate(JOBS, POLICY)
    assert (run.jobs["processors"] > run.jobs["size"]).any()
    metrics = sw.compare(run, sw.simulate(JOBS, "fcfs"))["metrics"]
    assert metrics["mean_response_s"]["a"] < metrics["mean_response_s"]["b"]
"""

KINDS = {
    "plain": (POLICY, POLICY_TEST, "lublin", "drawn"),
    "preemptive": (PREEMPTIVE, PREEMPTIVE_TEST, "lublin", "drawn"),
    "moldable": (MOLDABLE, MOLDABLE_TEST, "huang", "flexible.parquet"),
}
"""Of each kind of policy: the text, its own test, the model of the jobs that its tests run, and the jobs to begin with."""

STUDY = """\
study: NAME
title: A study of my policy
question: Does my policy shorten waits?
seed: 1
versus: easy

# Jobs of a model at two loads. A log is {log: SDSC-SP2, label: SDSC-SP2}; `slotwise logs` lists logs.
workloads:
  lublin: {model: lublin, label: Lublin-Feitelson model, processors: 128, jobs: 2000, replications: 10, loads: [0.6, 0.8],
           small: {jobs: 500, replications: 6}, quick: {jobs: 50, replications: 2}}

# Policies by id. The file of a policy of your own is beside this one; an edit of it runs only its cells again.
policies:
  mine: {uses: my_policy.py:my_policy, label: My policy}
  easy: {}
  fcfs: {}

# What you expect, and the report tests.
claims:
  - id: waits
    kind: direction
    headline: My policy shortens waits
    sentence: Mean waits are shorter under my policy than under FCFS.
    citation: Own hypothesis.
    against: [[mine, fcfs]]
    change: "% less"
    with: {workloads: [lublin-load-080], metrics: [mean_wait]}
    expect: {all: {above: 0}}
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the two actions and their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for action, meaning in (
        ("policy", "write NAME.py, a policy to begin with, and test_NAME.py, its tests"),
        ("study", "write the folder NAME, a study that compares a policy of your own with EASY and FCFS"),
    ):
        one = actions.add_parser(action, help=meaning, description=f"{capitalised(meaning)}.")
        one.add_argument("name", metavar="NAME", help=f"name of the {action}")
        if action == "policy":
            kinds = one.add_mutually_exclusive_group()
            for kind, does in (("preemptive", "suspends running jobs"), ("moldable", "chooses the sizes of jobs")):
                kinds.add_argument(
                    f"--{kind}",
                    dest="kind",
                    action="store_const",
                    const=kind,
                    default="plain",
                    help=f"a policy that also {does}",
                )
        one.add_argument("--out", type=a_path, default=Path(), metavar="DIR", help="folder to write to (default: here)")


def run(arguments: argparse.Namespace) -> int:
    """Write the files and print what to do with them."""
    name, out = arguments.name, arguments.out
    if arguments.action == "policy":
        if not name.isidentifier() or keyword.iskeyword(name):
            raise ParameterError(
                f"{name}: the name of a policy becomes a function of Python; use letters, digits and _"
            )
        file, test = out / f"{name}.py", out / f"test_{name}.py"
        text, further, model, jobs = KINDS[arguments.kind]
        tests = TEST.replace("NAME", name).replace("MODEL", model)
        write_new({file: text.replace("NAME", name), test: tests + further})
        if model == "huang":  # few logs say which jobs are moldable
            print(f"slotwise generate huang --jobs 2000 --seed 1 --load 0.7 --out {jobs}")
        print(f"slotwise simulate {jobs} --policy {file}:{name} --out run\npython -m pytest {test}")
        return 0
    from workflow.checks import read_identifier

    study = out / read_identifier(name) / "study.yaml"
    own = study.with_name("my_policy.py")
    write_new({study: STUDY.replace("NAME", name), own: POLICY.replace("NAME", "my_policy")})
    print(f"slotwise study run {study.parent} --out results")
    return 0


def write_new(files: dict[Path, str]) -> None:
    """Write files; raise :class:`OutputError` when one of them exists, before any is written."""
    for file in files:
        if file.exists() or file.is_symlink():
            raise OutputError(
                f"{file}: this file exists, and it is kept; choose another name, or another folder (--out)"
            )
    for file, text in files.items():
        write_text(file, text)
        print(f"written: {file}")
