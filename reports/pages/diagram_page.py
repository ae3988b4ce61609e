"""The diagrams of the page of schedules: how the page finds them, and the data that they share.

``reports/families/<family>/page.py`` defines ``PAGE``, a :class:`DiagramPage`; ``page.html`` beside it is the family's part of
the page.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import polars as pl

from reports.diagrams.allocations import AllocationWindow, runs_beside
from reports.diagrams.windows import COLOURS, colour_jobs
from reports.draw.charts import show
from reports.draw.drawing import open_store
from reports.pages.job_answers import add_answers
from reports.pages.labels import workload_labels
from reports.pages.records import hand_over
from scheduler_core.common.files import read_json, replacing_folder, write_json
from scheduler_core.common.units import MICROSECONDS, us_to_seconds
from scheduler_core.declarations.families import declared_by, families

Context = dict[str, Any]
Cell = tuple[str, str, str, str]
"""Workload and policy, each with its label."""
Contexts = Callable[["duckdb.DuckDBPyConnection"], list[Context]]
"""Returns the windows of all studies."""
Drawn = TypeVar("Drawn", bound=AllocationWindow)

VIEWER = ("files.js", "diagram_drawing.js", "diagram_viewer.js")
"""Scripts that all diagrams share."""

POLICIES = 12
"""The most policies of a workload in the viewer."""


@dataclass(frozen=True)
class DiagramPage:
    """A family's part of the page of schedules.

    ``contexts`` returns the windows of all studies, one per workload (:func:`window_context`). Each becomes a file, which the
    page fetches when a reader selects it. ``place`` orders the diagrams, the simplest first. ``scripts`` are the scripts beside
    ``page.py`` that draw the windows, in order. The template finds the windows in ``diagram.shown``, each with label and file.
    """

    contexts: Contexts
    title: str
    place: int
    scripts: tuple[str, ...] = ("viewer",)


def family_pages() -> dict[str, DiagramPage]:
    """Return the parts of the page of schedules by family, in their order on the page."""
    found = [(name, page) for name in sorted(families()) if (page := page_of(name)) is not None]
    return dict(sorted(found, key=lambda entry: entry[1].place))


def page_of(family: str) -> DiagramPage | None:
    """Return a family's part of the page of schedules; None when nothing draws its schedules."""
    return declared_by("reports.families", family, "page", "PAGE", DiagramPage)


def draw_windows(store: Path | str, family: str, out: Path | str, *, every_job: bool = False) -> None:
    """Write the windows of a family's schedules to the folder ``out``, which replaces an older one.

    Each window is a script, ``<workload>.js``, for a page that has the folder as ``schedules/<family>``. ``windows.json`` lists
    label and script of each. With ``every_job``, all jobs are explained; else those of the policies that a viewer shows first.
    Raise :class:`StudyError` when the store does not exist.
    """
    page, shown = page_of(family), []
    with replacing_folder(out) as part, open_store(store) as connection:
        labels = workload_labels(connection)
        contexts = page.contexts(connection) if page else []
        add_answers(contexts, runs_beside(connection), every_job=every_job)
        for context in contexts:
            workload = context["workload"]
            file = f"schedules/{family}/{workload}.js"
            hand_over(part / f"{workload}.js", file, {**context, "colours": COLOURS})
            shown.append({"label": labels[workload], "file": file})
        write_json(part / "windows.json", shown)


def diagrams_of(windows: Path, root: str) -> list[Context]:
    """Return the diagrams of the page, in their order, of the families with a window.

    ``windows`` has a folder per family, as :func:`draw_windows` writes it. ``root`` is the folder of the results, as commands
    that read its runs name it.
    """
    found = []
    for family, page in family_pages().items():
        listed = windows / family / "windows.json"
        if listed.exists() and (shown := read_json(listed)):
            scripts = (*VIEWER, *(f"{family}/{name}.js" for name in page.scripts))
            anchor = f"{family.replace('_', '-')}-diagrams"
            template = f"{family}/page.html"
            known = {"title": page.title, "id": anchor, "root": root, "shown": shown}
            found.append({**known, "template": template, "scripts": scripts})
    return found


@dataclass(frozen=True)
class ShownRun:
    """A policy's run of a workload."""

    workload: str
    workload_label: str
    policy: str
    label: str
    folder: Path


def study_names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of all studies, in their order."""
    return [name for (name,) in connection.execute("SELECT study FROM studies ORDER BY position, study").fetchall()]


def cells_of(connection: duckdb.DuckDBPyConnection) -> list[Cell]:
    """Return the cells of all studies: logs, and models at their heaviest load, under every policy."""
    found: list[Cell] = []
    for name in study_names(connection):
        show(connection, name)
        base = "SELECT workload, workload_label, policy, policy_label FROM base ORDER BY position"
        found += connection.execute(base).fetchall()
    return found


EXAMPLES = """
    SELECT workload, workloads.label, policy, policies.label
    FROM runs JOIN workloads USING (workload) JOIN policies USING (policy)
    WHERE replication = 0 AND workload NOT IN (SELECT workload FROM cells UNION ALL FROM stand_ins)
    ORDER BY ALL"""


def examples_of(connection: duckdb.DuckDBPyConnection) -> list[Cell]:
    """Return the examples: workloads that no table of a study shows, under every policy they were run with."""
    return list(connection.execute(EXAMPLES).fetchall())


def run_contexts(
    connection: duckdb.DuckDBPyConnection,
    cells: Iterable[Cell],
    belongs: Callable[[Path], bool],
    context_of: Callable[[list[ShownRun]], Context | None],
    most: int = POLICIES,
) -> list[Context]:
    """Return the context of each workload's first ``most`` runs that belong to a diagram, if it has one."""
    home = runs_beside(connection)
    found: dict[str, dict[str, ShownRun]] = {}
    for workload, workload_label, policy, label in cells:
        shown, folder = found.setdefault(workload, {}), home / workload / policy
        if belongs(folder):
            shown.setdefault(policy, ShownRun(workload, workload_label, policy, label, folder))
    contexts = (context_of([*shown.values()][:most]) for shown in found.values() if shown)
    return [context for context in contexts if context is not None]


def contexts_of(
    belongs: Callable[[Path], bool], context_of: Callable[[list[ShownRun]], Context | None], examples: bool = False
) -> Contexts:
    """Return the function that :class:`DiagramPage` takes, for a diagram that needs only the runs of a workload."""

    def contexts(connection: duckdb.DuckDBPyConnection) -> list[Context]:
        cells = [*cells_of(connection), *(examples_of(connection) if examples else ())]
        return run_contexts(connection, cells, belongs, context_of)

    return contexts


def read_windows(
    shown: Iterable[ShownRun], read_window: Callable[..., Drawn], window: tuple[int, int] | None
) -> list[tuple[ShownRun, Drawn]]:
    """Read a window of each run; without a window, and of runs without jobs in it, there is nothing to draw."""
    read = [(run, read_window(run.folder, *window)) for run in shown] if window else []
    return [(run, found) for run, found in read if found.allocations.height]


def window_context(
    drawn: Sequence[tuple[ShownRun, Drawn]],
    asked: Sequence[str],
    became: Sequence[str],
    policy_context: Callable[[Drawn, dict[int, int]], Context],
    digits: int = 3,
) -> Context | None:
    """Return a workload's window under its policies: its jobs once, and their outcome under every policy. None without any.

    ``asked`` and ``became`` are the shown columns of a job and of its outcome, besides its times. ``policy_context`` adds a
    policy's other data, from its window and the places of the jobs. Times are seconds since the window's begin; times of
    jobs are rounded to ``digits``. ``opens`` has the places of the policies that the viewer shows first.
    """
    if not drawn:
        return None
    windows = [window for _, window in drawn]
    zero = windows[0].begin_us
    colours = colour_jobs(windows)
    jobs = pl.concat([window.jobs for window in windows]).unique("job", keep="first", maintain_order=True)
    places = {job: number for number, job in enumerate(jobs["job"].to_list())}
    rows = jobs.select("job", *asked, "submit_us", "runtime_us", "estimate_us").rows()
    return {
        "workload": drawn[0][0].workload,
        "label": drawn[0][0].workload_label,
        "processors": windows[0].processors,
        "begin": seconds(zero),
        "length": seconds(windows[0].end_us - zero),
        "opens": [0],
        "jobs": [
            [job, *own, *(seconds(time, digits) for time in (submit - zero, run, estimate)), colours.get(job, 0)]
            for job, *own, submit, run, estimate in rows
        ],
        "policies": [
            {
                "policy": run.policy,
                "label": run.label,
                "named": window.named,
                "fates": {
                    str(places[job]): [
                        *(None if time is None else seconds(time - zero, digits) for time in (start, finish)),
                        *own,
                    ]
                    for job, start, finish, *own in window.jobs.select("job", "start_us", "finish_us", *became).rows()
                },
                **policy_context(window, places),
            }
            for run, window in drawn
        ],
    }


def opening(context: Context | None, telling: Callable[[Context], bool], place: int = 0) -> Context | None:
    """Return a window that opens with one of its policies that are ``telling``: the first, or that at ``place`` among them."""
    if context is None:
        return None
    found = [number for number, policy in enumerate(context["policies"]) if telling(policy)]
    return {**context, "opens": [found[place]] if found else [0]}


def seconds(microseconds: int, digits: int = 3) -> float:
    """Return seconds, rounded to keep the page small; whole seconds, rounded down as in a clock, when ``digits`` is 0."""
    return round(us_to_seconds(microseconds), digits) if digits else microseconds // MICROSECONDS
