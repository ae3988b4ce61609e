"""`slotwise figure STUDY/FIGURE`."""

from __future__ import annotations

import argparse
from pathlib import Path

from slotwise.cli.outputs import add_out, refuse_existing
from slotwise.cli.words import a_path

WIDTHS = ("85mm", "178mm")


def a_figure(text: str) -> tuple[str, str]:
    """Return the study and the name of a figure."""
    study, _, name = text.rpartition("/")
    if not study or not name:
        raise argparse.ArgumentTypeError(f"expected STUDY/FIGURE, such as baseline/mean_wait; found {text!r}")
    return study, name


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "figure", type=a_figure, metavar="STUDY/FIGURE", help="figure of a study, such as baseline/mean_wait"
    )
    parser.add_argument(
        "--width",
        choices=WIDTHS,
        required=True,
        help="width of the picture: a column or a page of a paper in two columns",
    )
    add_results(parser)
    add_out(parser, "FOLDER", "folder for the PDF, the SVG and the caption of each picture, and references.bib")


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--results``."""
    parser.add_argument(
        "--results",
        type=a_path,
        default=Path("results"),
        metavar="DIR",
        help="folder of results, as `slotwise study run` makes it (default: results)",
    )


def refuse_unknown_study(results: Path, study: str) -> None:
    """Raise :class:`StudyError` for a study that neither comes with slotwise nor has results here."""
    from scheduler_core.common.errors import StudyError, nearest
    from slotwise.cli.study import SHIPPED

    files = (*results.glob("figures/*/figures.json"), *SHIPPED.glob("*/study.yaml"))
    known = {path.parent.name for path in files}
    if study not in known:
        raise StudyError(f"there is no study '{study}'; {nearest(study, known)}")


def run(arguments: argparse.Namespace) -> int:
    """Write one figure for a paper."""
    from reports.papers.figure import find_figure, write_one
    from scheduler_core.common.files import target_folder

    study, name = arguments.figure
    refuse_unknown_study(arguments.results, study)
    find_figure(arguments.results, study, name)
    refuse_existing([target_folder(arguments.out)], arguments.force)
    heights = write_one(arguments.results, study, name, arguments.width, arguments.out)
    for part, height in heights.items():
        size = f"{arguments.width.removesuffix('mm')} by {height:.0f} mm"
        print(f"written to {arguments.out}: {part}.pdf and {part}.svg, {size}")
    if len(heights) > 1:
        print(f"in {len(heights)} parts, because one picture would be taller than a page")
    return 0
