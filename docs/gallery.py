"""The gallery: what the last `make` drew. Figures have the command that writes them; viewers open in a sample report."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from reports.pages.diagram_page import diagrams_of
from scheduler_core.common.files import read_json, write_text

STUDIES = Path(__file__).parents[1] / "studies"

SAMPLE = "sample-report"
"""The folder of the sample report in the site."""

LEAD = """Gallery
=======

``make`` draws all that is shown here, and every figure of a study of your own.
"""

REPORT = f"""
A sample report
---------------

`The report <../{SAMPLE}/index.html>`__ of the last ``make`` is part of these pages. Its figures have tooltips and their data. The
original is ``results/report/index.html``.

Viewers
-------

In a viewer you move through a schedule and ask why a job started when it did. ``make`` writes them, and
``slotwise study run NAME`` for one study. ``slotwise gantt RUN`` draws a part of any run as a picture.

"""

FIGURES = """
Figures by study
----------------

``slotwise figure`` writes a figure for a paper, as wide as a column (``85mm``) or a page (``178mm``), with caption and
references.
"""

NOTHING = """
.. note::

   Nothing has been drawn yet. Run ``make``, then ``make docs`` again.
"""

MARKS = re.compile(r"([*`_|\\])")
"""Characters that reStructuredText would read as marks."""


def write_gallery(source: Path, results: Path) -> None:
    """Write the gallery into the source of the site: a page for each study with figures among the results, and an index."""
    folder, names = source / "gallery", []
    for study, figures in drawn(results / "figures"):
        (folder / study).mkdir(parents=True)
        for figure in figures:
            shutil.copy2(results / "figures" / study / f"{figure['name']}.svg", folder / study)
        write_text(
            folder / f"{study}.rst", "\n".join([heading(title_of(study), "="), *(entry(study, one) for one in figures)])
        )
        names.append(study)
    listed = "\n".join(["", ".. toctree::", "   :maxdepth: 1", "", *(f"   {name}" for name in names), ""])
    report = REPORT + viewers(results) if (results / "report").is_dir() else ""
    write_text(folder / "index.rst", LEAD + (report + FIGURES + listed if names else NOTHING))


def viewers(results: Path) -> str:
    """Return a list of the viewers of the sample report."""
    diagrams = diagrams_of(results / "schedules", "results")
    return "".join(f"- `{one['title']} <../{SAMPLE}/schedules.html#{one['id']}>`__\n" for one in diagrams)


def copy_report(results: Path, pages: Path) -> None:
    """Copy the report of the last `make`, if there is one, to the pages of the site."""
    if (results / "report").is_dir():
        shutil.copytree(results / "report", pages / SAMPLE)


def drawn(folder: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each study with its figures, as `make` lists them. Those without data have no picture and are left out."""
    for path in sorted(folder.glob("*/figures.json")):
        figures = [one for one in read_json(path) if path.with_name(f"{one['name']}.svg").is_file()]
        if figures:
            yield path.parent.name, figures


def title_of(study: str) -> str:
    """Return the title of a study, or its name if the project has no such study."""
    file = STUDIES / study / "study.yaml"
    return str(yaml.safe_load(file.read_text(encoding="utf-8"))["title"]) if file.is_file() else study


def heading(text: str, line: str) -> str:
    """Return a heading."""
    escaped = MARKS.sub(r"\\\1", text)
    return f"{escaped}\n{line * len(escaped)}\n"


def entry(study: str, figure: dict[str, Any]) -> str:
    """Return a figure with its caption, and the command that writes it."""
    title, caption = figure["title"], MARKS.sub(r"\\\1", figure["caption"])
    command = f"slotwise figure {study}/{figure['name']} --width 178mm --out {figure['name']}"
    alternative = " ".join(title.split())
    return (
        f"{heading(title, '-')}\n.. code-block:: sh\n\n   {command}\n\n"
        f".. figure:: {study}/{figure['name']}.svg\n   :alt: {alternative}\n\n   {caption}\n"
    )
