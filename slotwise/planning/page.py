"""The page of a what-if: one file that opens from disk, and the tables behind it."""

from __future__ import annotations

import math
import re
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.pages.words import coded
from scheduler_core.common.comma_separated import comma_separated
from scheduler_core.common.files import replacing_folder, write_text
from scheduler_core.contracts import write_parquet
from scheduler_core.declarations.words import capitalised, counted
from slotwise.planning import charts, words
from slotwise.planning.recorded import use_sentences
from slotwise.planning.simulations import NO_GAPS, Result, Simulated, WhatIf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PICTURES: dict[str, tuple[Callable[[WhatIf], Any], str]] = {
    "trust": (charts.trust, "Weekly mean waits, recorded and simulated"),
    "ratios": (charts.ratios, "Change of the mean wait under each scenario"),
    "growth": (charts.growth, "Mean wait over the load"),
    "users": (charts.users, "Mean wait of each user before and after"),
    "weeks": (charts.weeks, "Weekly mean waits before and after"),
    "use": (charts.use, "Utilisation by week, recorded and simulated"),
    "queue": (charts.queue, "Waiting jobs by week, recorded and simulated"),
    "hours": (charts.hours, "Mean wait by hour of submission before and after"),
}
"""The pictures of the page and their names; one that a log cannot fill is left out."""

TITLES = {"queue": "queue", "partition": "partition", "size": "processors", "run time": "run time", "group": "group"}
MOST_GROUPS = 12

UNIT = re.compile(r"(\d) (%|s\b|h\b|min\b|days\b)")

SCENARIO_COLUMNS = (
    "scenario",
    "mean wait",
    "change of mean wait",
    "change of mean bounded slowdown",
    "median wait",
    "95 % of jobs wait at most",
    "longest wait",
    "utilisation",
    "processors",
    "jobs never run",
)

TUNED_COLUMNS = (
    "setting",
    "change of mean wait, even weeks",
    "change of mean bounded slowdown, even weeks",
    "mean wait, all weeks",
    "mean bounded slowdown, all weeks",
    "95 % of jobs wait at most, all weeks",
    "longest wait, all weeks",
)


def write_page(found: WhatIf, path: Path, command: str) -> Path:
    """Write the page, and its tables into a folder beside it; return that folder."""
    folder = tables_folder(path)
    with replacing_folder(folder) as part:
        for name, table in tables(found).items():
            write_parquet(part / f"{name}.parquet", table, {"slotwise": f"whatif-{name}/v1"})
            write_text(part / f"{name}.csv", comma_separated(table.to_dicts()))
    write_text(path, page(found, command, folder.name))
    return folder


def tables_folder(path: Path) -> Path:
    """Return the folder for the tables behind a page."""
    return path.with_name(f"{path.stem}_tables")


def page(found: WhatIf, command: str, tables_folder: str) -> str:
    """Return the page as HTML."""
    import jinja2
    from markupsafe import Markup

    pictures = {
        name: Markup(charts.picture(drawn, title))
        for name, (draw, title) in PICTURES.items()
        if (drawn := draw(found)) is not None
    }
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, finalize=typeset
    )
    template = environment.from_string((Path(__file__).parent / "page.html").read_text(encoding="utf-8"))
    made_with = [f"{package} {version(package)}" for package in ("slotwise", "polars", "numpy", "numba")]
    shown = found.shown
    return template.render(
        found=found,
        shown=shown,
        letter=found.validation.grade.letter if found.validation else "",
        machine=machine_words(found),
        lost=lost_words(found),
        further=next_words(found),
        numbered="user" in shown.effect.groups and shown.effect.groups["user"]["user"].dtype.is_integer(),
        losers=with_recorded(found, "user", shown.effect.losers("user")),
        words={
            "grade": words.grade_sentence(found),
            "site": [
                *words.site_sentences(found.workload, found.pools),
                *words.rule_sentences(found.baseline.scenario.policy),
            ],
            "answer": list(words.answer_sentences(found)),
            "use": list(use_sentences(found.validation.use)) if found.validation else [],
            "growth": list(words.growth_sentences(found)) if found.growth else [f"{capitalised(NO_GAPS)}."],
            "bracket": list(words.bracket_sentences(found)),
            "tuned": list(words.tuned_sentences(found)),
            "shown": words.shown_sentence(found),
            "who": list(words.who_sentences(shown)),
        },
        pictures={name: pictures.get(name) for name in PICTURES},
        scenario_columns=SCENARIO_COLUMNS,
        scenario_rows=[(one.label, scenario_row(one)) for one in (found.baseline, *found.results)],
        tuned_columns=TUNED_COLUMNS,
        tuning=tuned_rows(found),
        colours={label: look.colour for label, look in charts.looks_of(found).items()},
        scenarios=[(one.label, " ".join(words.scenario_sentences(found, one))) for one in found.results],
        certificates=(1 + len(found.results)) * len(found.pools),
        accounting=accounting_words(found),
        command=Markup.escape(command),
        versions=", ".join(made_with),
        version=version("slotwise"),
        digest=found.workload.provenance.get("sha256", "unknown"),
        tables=tables_folder,
        titles=TITLES,
        hours=words.hours,
        percent=percent,
        number=lambda value: "–" if value is None else f"{value:.2f}",
        largest=lambda kind: largest(found, kind),
        capitalised=capitalised,
    )


def scenario_row(one: Simulated) -> tuple[str, ...]:
    """Return the cells of a scenario under :data:`SCENARIO_COLUMNS`; the baseline has no changes."""
    ratios = one.effect.ratios if isinstance(one, Result) else {}
    wait, slowdown = (words.short_change(ratios[name]) if ratios else "" for name in ("wait_h", "slowdown"))
    return (
        one.label if ratios else f"{one.label} (baseline)",
        words.hours(one.mean_wait_h),
        wait,
        slowdown,
        words.hours(one.median_wait_h),
        words.hours(one.wait_95_h),
        longest(one),
        percent(one.utilisation),
        f"{one.processors:,}",
        f"{one.rejected:,}",
    )


def longest(one: Simulated) -> str:
    """Return the longest wait in hours, however long, so that scenarios can be compared."""
    return f"{one.longest_wait_h:,.1f} h"


def percent(share: float | None) -> str:
    """Return a share in percent, or a dash where there is none."""
    return "–" if share is None or math.isnan(share) else f"{100 * share:.0f} %"


def typeset(value: Any) -> Any:
    """Return a text with numbers that stay with their units, and commands between backticks as code; anything else as it is."""
    return coded(UNIT.sub("\\1\N{NO-BREAK SPACE}\\2", value)) if type(value) is str else value


def tuned_rows(found: WhatIf) -> list[tuple[str, ...]]:
    """Return the baseline, the tuned setting and the lower bounds: changes on even weeks, then the means of all weeks."""
    tuned, best, bracket = found.tuned, found.tuned_result, found.bracket
    if tuned is None or best is None:
        return []
    changes = [words.short_change(tuned.even[metric]) for metric in ("mean_wait", "mean_bounded_slowdown")]
    rows = (
        (
            one.label,
            *even,
            words.hours(one.mean_wait_h),
            f"{one.mean_slowdown:.1f}",
            words.hours(one.wait_95_h),
            longest(one),
        )
        for one, even in ((found.baseline, ("(baseline)", "")), (best, changes))
    )
    least = (words.hours(bracket.least_wait_h), f"{bracket.bounds.slowdown:.1f}")
    return [*rows, ("No schedule without preemption is below", "", "", *least, "", "")]


def machine_words(found: WhatIf) -> str:
    """Return the size of the machine; for a part of one, that of the whole, too."""
    size = f"{found.baseline.processors:,}"
    if len(found.pools) > 1:
        pools = ", ".join(f"{name} on {jobs.machine.processors:,}" for name, jobs in found.pools.items())
        return f"{size} processors in {len(found.pools)} pools: {pools}"
    steps = found.workload.provenance.get("transformations", [])
    whole = next((step["of"] for step in steps if step["step"] == "usable"), None)
    part = whole is not None and whole > found.baseline.processors
    return f"{size} usable of {whole:,} processors" if part else f"{size} processors"


def lost_words(found: WhatIf) -> str:
    """Return how many jobs of the log are wider than the machine; empty when none is."""
    counts = found.workload.provenance.get("accounting")
    wide = counts["rejected"].get("larger_than_machine", 0) if counts else 0
    return (
        f"{counted(wide, 'job')} of the log {'is' if wide == 1 else 'are'} wider than the machine and left out of every number."
        if wide
        else ""
    )


FITTED = frozenset(("usable", "standstills", "closed_hours", "queue_credit", "pools"))
"""Steps of a workload that `slotwise fit` finds."""


def next_words(found: WhatIf) -> str:
    """Return what to try next if the grade is B and nothing was fitted, else nothing. At grade C the answer says it."""
    steps = {step["step"] for step in found.workload.provenance.get("transformations", [])}
    if found.validation is None or found.validation.grade.letter != "B" or steps & FITTED:
        return ""
    return "`slotwise fit` looks for a baseline that repeats the recorded waits better, and prints its command."


def with_recorded(found: WhatIf, kind: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of groups with ``recorded_h``, the group's mean recorded wait; None where it is unknown."""
    table = found.validation.groups.get(kind) if found.validation else None
    known = {} if table is None else dict(zip(table[kind].cast(pl.String), table["recorded_h"], strict=True))
    return [{**row, "recorded_h": known.get(str(row[kind]))} for row in rows]


def largest(found: WhatIf, kind: str) -> list[dict[str, Any]]:
    """Return the groups with most jobs under the change that the page looks at, in the order of the table."""
    table = found.shown.effect.groups[kind].with_row_index("place")
    most = table.sort("jobs", descending=True, maintain_order=True).head(MOST_GROUPS)
    return with_recorded(found, kind, most.sort("place").drop("place").to_dicts())


def accounting_words(found: WhatIf) -> str:
    """Return what became of the lines of the log."""
    counts = found.workload.provenance.get("accounting")
    if counts is None:
        return "The jobs come from a model or a workload file, not from a log."
    from traces.accounting import summary

    return f"The log: {summary(counts, whole=True)}.".replace("_", " ")


def tables(found: WhatIf) -> dict[str, pl.DataFrame]:
    """Return the tables behind the page by name."""
    scenarios = [
        {
            "scenario": one.label,
            "processors": one.processors,
            "jobs": one.jobs,
            "mean_wait_h": one.mean_wait_h,
            "median_wait_h": one.median_wait_h,
            "wait_95_h": one.wait_95_h,
            "longest_wait_h": one.longest_wait_h,
            "mean_slowdown": one.mean_slowdown,
            "utilisation": one.utilisation,
            "never_run": one.rejected,
            **{
                f"{name}_{end}": getattr(one.effect.ratios[name], end) if isinstance(one, Result) else None
                for name in ("wait_h", "slowdown", "response_h")
                for end in ("ratio", "low", "high")
            },
            "certificate": " ".join(one.certificate.split()),
        }
        for one in [found.baseline, *found.results]
    ]
    groups = [
        table.select(pl.lit(one.label).alias("scenario"), pl.all())
        for one in found.results
        for table in by_group(one.effect.groups, "before_h", "after_h")
    ]
    made = {
        "scenarios": pl.DataFrame(scenarios, infer_schema_length=None),
        **({"growth": pl.DataFrame([vars(one) for one in found.growth])} if found.growth else {}),
    }
    series = [(one.label, one.weeks) for one in (found.baseline, *found.results)]
    series += [] if found.recorded is None else [("recorded", found.recorded)]
    made["weeks"] = pl.concat(weeks.select(pl.lit(name).alias("scenario"), pl.all()) for name, weeks in series)
    if groups:
        made["groups"] = pl.concat(groups)
    if found.validation is not None:
        recorded = by_group(found.validation.groups, "recorded_h", "simulated_h")
        if recorded:
            made["recorded"] = pl.concat(recorded)
    return made


def by_group(tables: Mapping[str, pl.DataFrame], *columns: str) -> list[pl.DataFrame]:
    """Return tables of groups, by their kind, with the columns ``kind``, ``group``, ``jobs`` and those named."""
    return [
        table.select(pl.lit(kind).alias("kind"), pl.col(kind).cast(pl.String).alias("group"), "jobs", *columns)
        for kind, table in tables.items()
    ]
