"""The report: one folder of HTML that opens offline, with its charts inline and its data beside it."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.draw.charts import fetch
from reports.draw.drawing import VEGA_LITE, draw_figure, open_store
from reports.draw.theme import config
from reports.draw.verdicts import VERDICT_LOOKS
from reports.figures.general.workload import FIGURES
from reports.pages import claims_page, contexts, front_page, origins, sources_page, study_page, tables
from reports.pages.claim_rows import claim_rows
from reports.pages.words import coded
from scheduler_core.common.comma_separated import comma_separated
from scheduler_core.common.files import copy_folder, read_json, replacing_folder, write_json, write_text
from scheduler_core.declarations.words import counted

if TYPE_CHECKING:
    import duckdb
    import jinja2

Context = dict[str, Any]

PAGES = Path(__file__).parent
FAMILIES = PAGES.parent / "families"
SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def render_report(
    store: Path | str, figures: Path | str, windows: Iterable[Path], out: Path | str, provenance: Context
) -> None:
    """Write the report to the folder ``out``; it replaces an older one when it is complete.

    ``figures`` has a folder per study, as :func:`reports.figures.study.draw_study` writes them. ``windows`` are the folders of
    families, as :func:`reports.pages.diagram_page.draw_windows` writes them. ``provenance`` is what the pipeline knows beyond the
    store: ``root``, the study files. Raises :class:`StudyError` when the store does not exist.
    """
    with replacing_folder(out) as part, open_store(store) as connection:
        write_assets(part / "assets")
        copy_folder(figures, part / "figures")
        for folder in windows:
            copy_folder(folder, part / "schedules" / folder.name)
        write_pages(connection, part, Path(store).parent, provenance)


def write_assets(folder: Path) -> None:
    """Write styles, scripts, the two themes of charts, and the one bundle that draws them."""
    import vl_convert

    copy_folder(PAGES / "assets", folder)
    for script in sorted(FAMILIES.glob("*/*.js")):
        write_text(folder / script.parent.name / script.name, script.read_text(encoding="utf-8"))
    write_text(folder / "vega.js", vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VEGA_LITE))
    themes = {mode: config(mode) for mode in ("light", "dark")}
    write_text(folder / "themes.js", f"window.slotwiseThemes = {json.dumps(themes)};\n")


def write_pages(connection: duckdb.DuckDBPyConnection, out: Path, root: Path, given: Context) -> None:
    """Write every page."""
    studies = tables.studies(connection)
    workloads = contexts.workload_contexts(connection)
    claims = claim_rows(connection)
    covered, fitted = sources_page.coverage(connection, claims), sources_page.fitted(claims)
    links = navigation(studies, ["Coverage"] if covered["sources"] else [])
    page = functools.partial(write_page, environment(), out, links)
    scale = str(given.get("root", ""))
    miniature = scale == "results/quick"
    page("index.html", "index.html", front_page.context(connection, scale, out, claims, covered, fitted))
    page("claims.html", "claims.html", claims_page.context(claims, miniature))
    claims_page.write_data(connection, out, claims)
    if covered["sources"]:
        page("coverage.html", "coverage.html", covered)
    page("fitted.html", "fitted.html", fitted)
    for study in studies:
        name = study["study"]
        figures = [
            placed(entry, out, f"figures/{name}") for entry in read_json(out / "figures" / name / "figures.json")
        ]
        context = study_page.context(connection, name, figures)
        write_table(out / "tables" / f"{name}.csv", connection, name)
        page("study.html", f"study-{name}.html", {**context, "miniature": miniature})
    page("workloads.html", "workloads.html", {"title": "Workloads", "workloads": workloads})
    for one in workloads:
        drawn = [] if one["missing"] else workload_figures(connection, out, one["page"], one["drawn"])
        page("workload.html", one["href"], {"title": one["label"], "w": one, "figures": drawn})
    page("schedules.html", "schedules.html", contexts.schedules(out / "schedules", scale or root.as_posix()))
    page("checks.html", "checks.html", origins.checks(connection, contexts.totals(connection), out))
    page("provenance.html", "provenance.html", origins.provenance(connection, root, given, out))


def navigation(studies: list[Context], further: list[str]) -> list[Context]:
    """Return the pages that every page links to; ``links`` are those of a group, ``further`` stand after the claims."""
    rest = ("Claims", *further, "Workloads", "Schedules", "Checks", "Provenance")
    links = [{"href": f"study-{study['study']}.html", "label": study["title"]} for study in studies]
    single = [{"href": f"{label.lower()}.html", "label": label, "links": []} for label in rest]
    return [{"label": "Studies", "links": links}, *single]


def environment() -> jinja2.Environment:
    """Return the templates' environment; it escapes values and raises on unknown names."""
    import jinja2

    loader = jinja2.FileSystemLoader([PAGES / "templates", FAMILIES])
    made = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    made.globals.update(verdict_looks=VERDICT_LOOKS, plural=counted)
    made.filters["coded"] = coded
    return made


def write_page(
    templates: jinja2.Environment, out: Path, links: list[Context], template: str, href: str, context: Context
) -> None:
    """Write one page."""
    charts = any("stem" in entry for entry in context.get("figures", []))
    values = {"page": href, "navigation": links, **context, "charts": charts}
    write_text(out / href, templates.get_template(template).render(values) + "\n")


def placed(entry: Context, out: Path, folder: str) -> Context:
    """Return a figure's entry with the paths of its files and the size of its picture; write the script of its chart.

    The script contains the specification without a theme: a page opened from a folder may load scripts and nothing else.
    """
    if entry.get("absent"):
        return entry
    stem = f"{folder}/{entry['name']}"
    spec = read_json(out / f"{stem}.json")
    spec.pop("config", None)
    write_text(out / f"{stem}.js", f"slotwiseChart({json.dumps(stem)}, {json.dumps(spec, separators=(',', ':'))});\n")
    width, height = picture_size(out / f"{stem}.svg")
    return {**entry, "stem": stem, "width": width, "height": height, "absent": ""}


def picture_size(path: Path) -> tuple[int, int]:
    """Return width and height of a picture, so that the page reserves its space."""
    with path.open(encoding="utf-8") as file:
        found = SIZE.search(file.read(1000))
    return (round(float(found[1])), round(float(found[2]))) if found else (700, 400)


def workload_figures(connection: duckdb.DuckDBPyConnection, out: Path, page: str, workload: str) -> list[Context]:
    """Draw the figures of a workload's page."""
    folder = f"figures/workload-{page}"
    drawn = [
        draw_figure(connection, of_workload(figure, workload), out / folder, figure.__name__) for figure in FIGURES
    ]
    write_json(out / folder / "figures.json", drawn)
    return [placed(entry, out, folder) for entry in drawn]


def of_workload(figure: Callable[..., Any], workload: str) -> Callable[[duckdb.DuckDBPyConnection], Any]:
    """Return a figure bound to a workload, with its docstring."""

    @functools.wraps(figure)
    def drawn(connection: duckdb.DuckDBPyConnection) -> Any:
        return figure(connection, workload)

    return drawn


def write_table(path: Path, connection: duckdb.DuckDBPyConnection, study: str) -> None:
    """Write every value of a study's policies as CSV: metrics with intervals and paired comparisons."""
    found = fetch(
        connection,
        """
        SELECT w.label AS workload, p.label AS policy, i.metric, i.scope, i.unit, i.value, i.low, i.high, i.units,
            c.difference, c.difference_low, c.difference_high, c.ratio, c.ratio_low, c.ratio_high, v.label AS versus
        FROM cells JOIN intervals AS i USING (workload, policy)
            JOIN workloads AS w USING (workload) JOIN policies AS p USING (policy)
            LEFT JOIN comparisons AS c ON c.workload = cells.workload AND c.policy = cells.policy
                AND c.metric = i.metric AND c.scope = i.scope AND c.versus_workload = cells.workload
            LEFT JOIN policies AS v ON v.policy = c.versus_policy
        WHERE study = $study ORDER BY cells.position, w.workload, p.policy, i.metric, i.scope, versus""",
        study=study,
    )
    write_text(path, comma_separated(found))
