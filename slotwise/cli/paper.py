"""`slotwise paper STUDY`."""

from __future__ import annotations

import argparse

from slotwise.cli.figure import add_results, refuse_unknown_study
from slotwise.cli.outputs import add_out, refuse_existing


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("study", metavar="STUDY", help="name of a study that has results")
    add_results(parser)
    add_out(parser, "FOLDER", "folder for main.tex, supplement.tex and everything that they include")


def run(arguments: argparse.Namespace) -> int:
    """Write a study as LaTeX."""
    from reports.papers.figure import entries_of
    from reports.papers.paper import write_paper
    from scheduler_core.common.files import target_folder

    refuse_unknown_study(arguments.results, arguments.study)
    entries_of(arguments.results, arguments.study)
    refuse_existing([target_folder(arguments.out)], arguments.force)
    write_paper(arguments.results, arguments.study, arguments.out)
    print(f"written to {arguments.out}: build it there with `latexmk -pdf main.tex supplement.tex`")
    return 0
