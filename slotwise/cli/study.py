"""`slotwise study run STUDY` and `slotwise study list`."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from scheduler_core.common.errors import OutputError, ParameterError, StudyError, nearest
from scheduler_core.declarations.words import capitalised
from slotwise.cli.words import FAILED, a_count, a_path, print_table

if TYPE_CHECKING:
    from workflow.studies import Study

STAGE = ".slotwise"
"""Folder within the results where the pipeline works: the study, the configuration, logs of jobs, and what is done."""

PROJECT = Path(__file__).parents[2]
"""The folder that holds the packages: a checkout, or where the wheel is installed."""

LOGGERS = PROJECT / "workflow" / "loggers"
"""The folder of the module that words what the pipeline is doing."""

SCALES = ("small", "full", "quick", "paper")
"""Those of :data:`workflow.plan.ROOTS`, which takes a while to import."""

TARGETS = {"small": "all"}
"""Targets of the pipeline that are not named after their scale."""

SHIPPED = PROJECT / "studies"
"""The studies that come with slotwise."""

SETTINGS = (
    *("--keep-going", "--nolock", "--rerun-incomplete", "--scheduler", "greedy", "--show-failed-logs"),
    *("--quiet", "host", "reason", "--rerun-triggers", "mtime", "params", "input", "code", "--logger", "slotwise"),
)
"""How the pipeline runs; the settings of `profiles/default/profile.yaml`."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the two actions and their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="list the studies that come with slotwise", description="List the studies.")
    meaning = "run a study: simulate and check its schedules, judge its claims, and write its report"
    run_one = actions.add_parser("run", help=meaning, description=f"{capitalised(meaning)}.")
    run_one.add_argument(
        "study", metavar="STUDY", help="folder of a study, its study.yaml, or a name from `slotwise study list`"
    )
    run_one.add_argument(
        "--scale",
        choices=SCALES,
        default="small",
        help="how much of it: small (default), the whole study, a miniature, or a publication's",
    )
    run_one.add_argument(
        "--out", type=a_path, default=Path("results"), metavar="DIR", help="folder for the results (default: results)"
    )
    run_one.add_argument(
        "--cores",
        type=a_count,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes at a time (default: all cores)",
    )


def run(arguments: argparse.Namespace) -> int:
    """List the studies, or run one and print where its report is. Return 1 when a step of it failed."""
    if arguments.action == "list":
        print_table(("study", "title"), list_studies())
        return 0
    from scheduler_core.common.files import target_folder
    from workflow.at_work import hold
    from workflow.plan import ROOTS
    from workflow.studies import read_study

    study = read_study(find_study(arguments.study), arguments.scale)
    refuse_other_studies(target_folder(arguments.out), arguments.out, study.name)
    hold(arguments.out)
    stage = prepare(arguments.out, study)
    if not run_pipeline(stage, TARGETS.get(arguments.scale, arguments.scale), arguments.cores):
        print(
            f"slotwise study: the study did not finish; the messages above name the steps that failed and their logs in {stage}. "
            "Mend the cause and repeat the command: finished steps are kept",
            file=sys.stderr,
        )
        return FAILED
    results = Path(ROOTS[arguments.scale]).relative_to(ROOTS["small"])
    print(f"report: {arguments.out / results / 'report' / 'index.html'}")
    return 0


def refuse_other_studies(folder: Path, named: Path, study: str) -> None:
    """Raise :class:`OutputError` when a folder of results has the report of another study, which a run would replace."""
    from workflow.plan import ROOTS

    for root in ROOTS.values():
        pages = (folder / Path(root).relative_to(ROOTS["small"]) / "report").glob("study-*.html")
        others = sorted({page.stem.removeprefix("study-") for page in pages} - {study})
        if others:
            more = f" and {len(others) - 1} more" if len(others) > 1 else ""
            raise OutputError(
                f"{named}: this folder has the report of the study {others[0]}{more}, which is kept; name another folder, such "
                f"as --out {named}-{study}"
            )


def list_studies() -> Iterable[tuple[str, str]]:
    """Yield name and title of each study that comes with slotwise."""
    from workflow.yaml_files import read_yaml

    for path in sorted(SHIPPED.glob("*/study.yaml")):
        yield path.parent.name, str(read_yaml(path)["title"])


def find_study(word: str) -> Path:
    """Return the file of a study: in a folder, by its path, or by the name of one that comes with slotwise.

    Raise :class:`StudyError` when there is no such study.
    """
    given = Path(word)
    places = (given, given / "study.yaml", SHIPPED / word / "study.yaml")
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        hint = nearest(word, [path.parent.name for path in SHIPPED.glob("*/study.yaml")])
        raise StudyError(
            f"{word}: expected a folder with a study.yaml, or the name of a study; {hint}. `slotwise study list` shows those "
            "that come with slotwise; give the path of your own"
        )
    if found.name != "study.yaml":
        place = f"{found.stem}/study.yaml"
        raise StudyError(
            f"{word}: the file of a study is called study.yaml, in a folder that has the study's name; move it, for example to "
            f"{place}, and run `slotwise study run {place}`"
        )
    return found.resolve()


def prepare(out: Path, study: Study) -> Path:
    """Make the folder in which the pipeline works on a study, and return it.

    Its ``results`` is a link to ``out``, and ``studies`` has a link to the study. Links to earlier studies stay, so that their
    runs are kept. Files that the study names by paths relative to the current folder get links as well.
    """
    from scheduler_core.common.files import link, write_text

    stage = out / STAGE
    link(stage / "studies" / study.name, Path(study.path).parent)
    link(stage / "results", out)
    for name in relative_files(study):
        link(stage / name, Path(name))
    write_text(stage / "config" / "config.yaml", f"studies: {json.dumps([study.name])}\nrequire_logs: false\n")
    return stage


def relative_files(study: Study) -> list[str]:
    """List the files that the workloads of a study name by relative paths.

    Raise :class:`ParameterError` when such a path leads out of the current folder.
    """
    from traces.catalog import known_log

    definitions = study.workloads.values()
    logs = {entry.log_name for entry in definitions if entry.log_name and not known_log(entry.log_name)}
    named = logs | {name for entry in definitions for name in entry.files}
    found = sorted(name for name in named if not Path(name).is_absolute())
    for name in found:
        if ".." in Path(name).parts:
            raise ParameterError(f"{study.path}: {name}: a path out of the current folder must be absolute")
    return found


def run_pipeline(stage: Path, target: str, cores: int) -> bool:
    """Run the pipeline in a folder up to a target; return whether all of it is done."""
    words = ["--snakefile", str(PROJECT / "Snakefile"), "--directory", str(stage), "--workflow-profile", "none"]
    command = [sys.executable, "-m", "snakemake", target, *words, "--cores", str(cores), *SETTINGS]
    path = os.pathsep.join([str(PROJECT), str(LOGGERS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=False).returncode == 0
