"""The gallery: every figure that the last `make` drew, with the command that writes it for a paper."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from scheduler_core.common.files import read_json, write_text

STUDIES = Path(__file__).parents[1] / "studies"

LEAD = """Gallery
=======

``make`` draws these figures, and every figure of a study of your own. ``slotwise figure`` writes one for a paper, as wide as a
column (``85mm``) or a page (``178mm``), with caption and references. The report, ``results/report/index.html``, shows the same
figures with tooltips and their data, and ``results/report/schedules.html`` the schedules, through which you can move.
"""

NOTHING = """
.. note::

   Nothing has been drawn yet. Run ``make``, then ``make docs`` again.
"""

MARKS = re.compile(r"([*`_|\\])")
"""Characters that reStructuredText would read as marks."""


def write_gallery(source: Path, results: Path) -> None:
    """Write a page of the site for each study that has figures in the folder of results, and their index."""
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
    write_text(folder / "index.rst", LEAD + (listed if names else NOTHING))


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
