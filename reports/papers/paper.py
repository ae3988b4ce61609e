"""A study as a folder of LaTeX: a sample paper of two pages, and a supplement with all figures, claims and an appendix."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.draw.charts import fetch
from reports.draw.drawing import STORE, open_store
from reports.draw.vocabulary import count, joined
from reports.pages.claim_rows import study_claims, value_and_interval
from reports.pages.missing import missing_in, shows_drawn_log
from reports.pages.origins import versions
from reports.papers import figure
from reports.papers.latex import SOFTWARE_KEY, bibliography, escaped, table
from reports.papers.layout import WIDTHS
from reports.papers.parts import TALL
from scheduler_core.common.files import sha256_of, write_json, write_text
from scheduler_core.common.speed_up import HUANG
from scheduler_core.declarations.words import capitalised, counted

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]

COLUMN, PAGE = "85mm", "178mm"

TEXT_HEIGHT, CAPTION_LINE, CAPTION_SKIP = 247, 4.22, 9
"""Millimetres of a page of the preamble, of a line of a caption and of the space around it."""

LETTERS_PER_MM = 0.52
"""About how many letters of a caption fit into a millimetre of a line."""

ROWS = 18
"""Claims of a table; more claims make further tables, each at most a page."""

MOST_NAMES = 12
"""Workloads or policies that the paragraph on methods names."""

SHOWN = 2
"""Figures of the sample paper, so that it has two pages."""

CLAIM_COLUMNS = (
    "@{}" + "".join(rf">{{\raggedright\arraybackslash}}p{{{width}mm}}" for width in (66, 26, 44, 24)) + "@{}"
)

DEFINITIONS = r"""\makeatletter
\providecommand{\slotwisedefine}[2]{\expandafter\gdef\csname slotwise@#1\endcsname{#2}}
\providecommand{\slotwise}[1]{\@ifundefined{slotwise@#1}{\errmessage{slotwise has no number #1}}{\csname slotwise@#1\endcsname}}
\makeatother
"""

PREAMBLE = r"""\documentclass[10pt,twocolumn]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage[a4paper,textwidth=178mm,textheight=247mm,columnsep=8mm]{geometry}
\usepackage{array}
\usepackage{booktabs}
\usepackage{graphicx}
\usepackage[hyphens]{url}
\emergencystretch=2em
"""


def write_paper(results: Path, study: str, out: Path) -> None:
    """Write a study as LaTeX to a folder.

    ``main.tex`` is a sample of two pages: methods, results and the first figures. ``supplement.tex`` has all ``figures/``, the
    claims and the appendix. A figure that is taller than a page at column width gets page width, and parts if it needs them.
    They include ``claims.tex``, ``numbers.tex``, ``methods.tex``, ``artifact.tex`` and ``references.bib``.
    ``provenance.json`` lists digests.

    Raises
    ------
    StudyError
        When the folder ``results`` has no results of the study.
    """
    entries = [entry for entry in figure.entries_of(results, study) if not entry.get("absent")]
    store = sha256_of(results / STORE)
    with open_store(results) as connection:
        claims = study_claims(connection, study)
        sources = figure.sources_of(connection, study)
        predicted = any(claim["interval_kind"] == "prediction" for claim in claims)
        known = facts(connection, study)
        told = {entry["name"]: figure.explanation(connection, results, study, entry) for entry in entries}
        said = methods(connection, study, known, sources, store, predicted)
    placed = [write_floats(results, study, entry, told[entry["name"]], out / "figures") for entry in entries]
    write_text(out / "numbers.tex", numbers(claims))
    write_text(out / "claims.tex", claim_tables(claims, known["title"]))
    write_text(out / "methods.tex", said)
    write_text(out / "artifact.tex", artifact(study, known, store, bool(claims)))
    write_text(out / "references.bib", bibliography(sources))
    write_json(out / "provenance.json", {**known, "study": study, "store_sha256": store, "versions": dict(versions())})
    whole = [floats[0] for floats in placed if len(floats) == 1]
    in_column = [one for one in whole if one.startswith("\\begin{figure}")]
    write_text(out / "main.tex", main_text(known, results_text(claims), (in_column or whole)[:SHOWN]))
    write_text(out / "supplement.tex", supplement_text(known, [one for floats in placed for one in floats]))


def write_floats(results: Path, study: str, entry: Row, told: str, out: Path) -> list[str]:
    """Write a figure to a folder, with captions that say what is ``told``, and return its floats: one, or one for each part."""
    for width in (COLUMN, PAGE):
        pictures = figure.pictures_of(results, study, entry, width, room_beside(entry["title"] + told, width))
        if len(pictures) == 1:
            break
    figure.write_pictures(pictures, entry, out)
    for name, said in zip(pictures, figure.captions(told, study, entry, len(pictures)), strict=True):
        write_text(out / f"{name}.tex", said)
    return [floating(name, width) for name in pictures]


def room_beside(caption: str, width: str) -> float:
    """Return the millimetres of a page that a picture may take beside its caption, at least half of :data:`TALL`."""
    lines = math.ceil(len(caption) / (LETTERS_PER_MM * WIDTHS[width]))
    return max(TALL / 2, min(TALL, TEXT_HEIGHT - CAPTION_SKIP - CAPTION_LINE * lines))


def facts(connection: duckdb.DuckDBPyConnection, study: str) -> Row:
    """Return what a paper says of the runs of a study: workloads, policies, digests and checks."""
    (about,) = fetch(connection, "SELECT title, question FROM studies WHERE study = $study", study=study)
    shown = "SEMI JOIN (SELECT workload, policy FROM cells WHERE study = $study) USING (workload, policy)"
    runs = fetch(
        connection,
        "SELECT workload, policy, replication, jobs, workload_digest, schedule_digest "
        f"FROM runs {shown} ORDER BY workload, policy, replication",
        study=study,
    )
    (checks,) = fetch(
        connection,
        "SELECT coalesce(sum(checked), 0)::BIGINT AS checked, coalesce(sum(violations), 0)::BIGINT AS violations, "
        f"count(DISTINCT rule) AS rules FROM certificates {shown}",
        study=study,
    )
    policies = fetch(
        connection,
        "SELECT policy, label, name, parameters, source FROM policies "
        "WHERE policy IN (SELECT policy FROM cells WHERE study = $study) ORDER BY position",
        study=study,
    )
    used = [
        {
            **{key: row[key] for key in ("workload", "label", "kind", "source", "processors", "replications", "jobs")},
            "sha256": sorted({one["sha256"] for one in row["provenance"] if one.get("sha256")}),
        }
        for row in figure.workloads(connection, study)
    ]
    return {**about, "workloads": used, "policies": policies, "runs": runs, "checks": checks}


def numbers(claims: list[Row]) -> str:
    """Return the macros of all measured claims: the finding in a few words, and its verdict."""
    lines = [
        f"\\slotwisedefine{{{claim['claim']}{part}}}{{{escaped(text)}}}"
        for claim in claims
        if claim["verdict"] != "not testable"
        for part, text in zip(
            ("", "-interval", "-verdict"), (*value_and_interval(claim), claim["verdict"]), strict=True
        )
        if text
    ]
    return DEFINITIONS + "\n".join(lines) + "\n"


def claim_tables(claims: list[Row], title: str) -> str:
    """Return the claims as tables across the page: what the source says and prints, our value with its interval, the verdict."""
    shown = [(c["headline"], c["printed"] or "not printed", ours(c), c["verdict"]) for c in claims]
    parts = [shown[first : first + ROWS] for first in range(0, len(shown), ROWS)]
    return "\n".join(
        f"\\begin{{table*}}[tp]\n\\caption{{{escaped(f'Claims of the study “{title}”{part_of(place, parts)}.')}}}\n"
        f"\\footnotesize\n{table(CLAIM_COLUMNS, ('Claim', 'Printed', 'Ours', 'Verdict'), part)}\\end{{table*}}\n"
        for place, part in enumerate(parts, start=1)
    )


def part_of(place: int, parts: list[Any]) -> str:
    """Return which of several tables this is; empty for the only one."""
    return f", part {place} of {len(parts)}" if len(parts) > 1 else ""


def ours(claim: Row) -> str:
    """Return our value of a claim, the kind of the interval and how many rows are reproduced."""
    _, interval = value_and_interval(claim)
    kind = f"; {claim['interval_name']}" if interval and claim["interval_kind"] else ""
    tally = f"; {claim['tally']} reproduced" if claim["tally"] else ""
    return f"{claim['brief']}{kind}{tally}"


def methods(
    connection: duckdb.DuckDBPyConnection, study: str, known: Row, sources: dict[str, str], store: str, predicted: bool
) -> str:
    """Return the paragraph on methods: workloads, policies, intervals, checks, versions and digests."""
    logs = [row for row in known["workloads"] if row["kind"] == "log"]
    models = [row for row in known["workloads"] if row["kind"] != "log"]
    of_logs = [f"{row['label']} ({count(row['jobs'])} jobs, {count(row['processors'])} processors)" for row in logs]
    of_models = [f"{row['label']} ({drawn_jobs(row['replications'], row['jobs'])})" for row in models]
    kind = figure.methods_of_intervals(connection, study)
    told = [
        f"{known['question']}",
        f"Workloads: {some(of_logs + of_models)}.",
        without_logs(missing_in(connection, study), shows_drawn_log(connection, study)),
        f"Policies: {some(policy_words(known['policies']))}. {describing(known['policies'])}",
        f"Intervals of means are 95 % confidence intervals ({kind})." if kind else "The study has no intervals.",
        "Claims with a printed number have 95 % prediction intervals." if predicted else "",
        f"A checker, separate from the simulator, read all {counted(len(known['runs']), 'schedule')}: "
        f"{count(known['checks']['checked'])} checks of {counted(known['checks']['rules'], 'rule')} found "
        f"{counted(known['checks']['violations'], 'violation')}.",
        f"Versions: {joined([f'{name} {version}' for name, version in versions()])}.",
        f"The SHA-256 digest of the store begins with {store[:12]}; provenance.json lists the digests of all schedules.",
    ]
    cited = f"\\cite{{{','.join([SOFTWARE_KEY, *sources.values()])}}}"
    return f"{escaped(' '.join(filter(None, told)))} The sources of software, policies, logs and models are~{cited}.\n"


def drawn_jobs(replications: int, jobs: int) -> str:
    """Return how many jobs of a model ran, in how many replications."""
    each = f" of {count(jobs // replications)} jobs" if jobs % replications == 0 else f", {count(jobs)} jobs in all"
    return f"{counted(replications, 'replication')}{each}"


def without_logs(missing: list[str], drawn: bool) -> str:
    """Return which logs the results lack, and that the drawn log, if it is there, is no real one; empty if neither holds."""
    lost = f"{joined(missing)} {'was' if len(missing) == 1 else 'were'} missing." if missing else ""
    return " ".join(filter(None, (lost, figure.NO_REAL_LOG if drawn else "")))


def policy_words(policies: list[Row]) -> list[str]:
    """Return the labels of policies; settings of one policy stand together behind its name, unless a label says it, too.

    The study's own policies stand behind what they are: the function and the file that has it, and a curve that was chosen.
    """
    settings: dict[str, list[str]] = {}
    for row in policies:
        settings.setdefault(own_words(row) or row["name"], []).append(row["label"])
    return [
        words
        for name, shown in settings.items()
        for words in (shown if name in map(str.casefold, shown) else [f"{name} ({some(shown)})"])
    ]


def own_words(row: Row) -> str:
    """Return which function of which file a policy is, and the speed-up of jobs that it sizes; empty for a built-in policy."""
    given = figure.own_parameters(row)
    if not given:
        return ""
    law = given.get("speed_up", HUANG)
    curve = "" if law == HUANG else f" under the speed-up of {law.capitalize()}"
    return f"{given['function']} of {Path(given['file']).name}{curve}"


def describing(policies: list[Row]) -> str:
    """Return where policies are described, built-in ones and the study's own."""
    own = sum(bool(figure.own_parameters(row)) for row in policies)
    told = [
        *(["the command “slotwise policies NAME” describes a built-in policy"] if own < len(policies) else []),
        *(["the study's folder has its own policies"] if own else []),
        "provenance.json lists the parameters",
    ]
    return f"{capitalised(joined(told))}."


def some(names: list[str]) -> str:
    """Return names in a list; of many, the first ones and how many more there are."""
    more = len(names) - MOST_NAMES
    return (
        "; ".join(names)
        if more <= 0
        else f"{'; '.join(names[:MOST_NAMES])}; and {more} more, which provenance.json lists"
    )


def artifact(study: str, known: Row, store: str, judged: bool) -> str:
    """Return the appendix on the artifact, ordered as the badges of the ACM."""
    command = f"\\texttt{{{escaped(f'slotwise study run {study}')}}}"
    checks = known["checks"]
    badges = {
        "Artifacts Available": escaped(
            "slotwise is open source (MIT licence). Name here the archive and the DOI of the version that you deposit; "
            "provenance.json gives the SHA-256 digests of logs and schedules."
        ),
        "Artifacts Evaluated -- Functional": f"{command} "
        + escaped(
            f"simulates {counted(len(known['workloads']), 'workload')} under "
            f"{counted(len(known['policies']), 'policy', 'policies')}, checks the "
            f"{counted(len(known['runs']), 'schedule')}{', judges the claims' if judged else ''} and writes the report. "
            f"The checker made {count(checks['checked'])} checks and found {counted(checks['violations'], 'violation')}."
        ),
        "Artifacts Evaluated -- Reusable": escaped(
            "The study is a folder of YAML, SQL and Python that states workloads, policies, claims and figures. Policies are "
            "specified in their docstrings; each has a second implementation for tests."
        ),
        "Results Reproduced": escaped(
            "Equal inputs give equal bytes on any machine. Compare the schedule digests of your run with those in "
            f"provenance.json; the SHA-256 digest of the store begins with {store[:12]}."
        ),
    }
    items = "\n".join(f"\\item[{badge}] {text}" for badge, text in badges.items())
    return f"\\section*{{Artifact appendix}}\n\\begin{{description}}\n{items}\n\\end{{description}}\n"


def floating(name: str, width: str) -> str:
    """Return a figure as a float with its caption below."""
    kind = "figure" if width == COLUMN else "figure*"
    return (
        f"\\begin{{{kind}}}\n\\centering\n\\includegraphics{{figures/{name}.pdf}}\n\\input{{figures/{name}.tex}}\n"
        f"\\end{{{kind}}}\n"
    )


def results_text(claims: list[Row]) -> str:
    """Return how many claims have which verdict, and one of them with its verdict, its number and its interval as macros."""
    verdicts = [claim["verdict"] for claim in claims]
    counts = joined([f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts)])
    if not claims:
        return "The study judges no claims. The supplement has all figures and the artifact appendix."
    told = [escaped(f"The study judges {counted(len(claims), 'claim')}: {counts}.")]
    measured = next((claim for claim in claims if claim["verdict"] != "not testable"), None)
    if measured is not None:
        told.append(example(measured))
    return " ".join([*told, "The supplement has all figures, claims and the artifact appendix."])


def example(claim: Row) -> str:
    """Return a claim as a sentence of a paper: what it says, its verdict, what the source prints and what we found."""
    macro = f"\\slotwise{{{claim['claim']}"
    begin = escaped(f"The verdict on “{claim['headline']}” is")
    printed = escaped(f"the source prints {claim['printed']}") if claim["printed"] else "the source prints no number"
    _, interval = value_and_interval(claim)
    spread = f" ({escaped(claim['interval_name'] or 'interval')} {macro}-interval}})" if interval else ""
    return f"{begin} {macro}-verdict}}: {printed}, we found {macro}}}{spread}."


def main_text(known: Row, said: str, placed: list[str]) -> str:
    """Return the sample paper: methods, results with some figures, and references."""
    figures = "\n".join(placed)
    body = f"\\section{{Methods}}\n\\input{{methods.tex}}\n\n\\section{{Results}}\n{said}\n\n{figures}"
    return document(known["title"], f"{body}\\bibliographystyle{{plain}}\n\\bibliography{{references}}\n")


def supplement_text(known: Row, placed: list[str]) -> str:
    """Return the supplement: every figure, every claim and the artifact appendix. LaTeX holds few floats at a time."""
    figures = "\n".join(f"{one}\\clearpage" if place % 12 == 0 else one for place, one in enumerate(placed, start=1))
    return document(
        f"{known['title']}: supplement", f"{figures}\\input{{claims.tex}}\n\\clearpage\n\\input{{artifact.tex}}\n"
    )


def document(title: str, body: str) -> str:
    """Return a whole LaTeX document."""
    return (
        f"{PREAMBLE}\\input{{numbers.tex}}\n\\title{{{escaped(title)}}}\n\\author{{}}\n\\date{{}}\n"
        f"\\begin{{document}}\n\\maketitle\n{body}\\end{{document}}\n"
    )
