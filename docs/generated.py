"""Pages of the reference, written from what the program says of itself."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import slotwise
from docs.pictures import TEN_JOBS, drawn_schedules
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.families import families
from scheduler_core.declarations.policy import family_of, policies
from slotwise.cli.main import COMMANDS, build_parser, subcommands
from slotwise.cli.policies import ROLE, allowed_words, as_set, describe_policy, written
from slotwise.decisions.gantt import COLOURS

PROJECT = Path(__file__).parents[1]

FILE_LINK = re.compile(r"\[([^]]+)\]\((?!#|https?:)[^)]+\)")
"""A link to a file of the project; the site has no page for it, so it shows the name only."""

SHORT = 5
"""The most lines of a family's docstring that say no more than its name."""


def pages() -> dict[str, str]:
    """Return every generated page by its path in the site."""
    return {
        "reference/command-line.md": command_line(),
        "reference/python.md": python(),
        "reference/policies/index.md": list_of_policies(),
        **{f"reference/policies/{name}.rst": policy_page(name) for name in policies()},
        **{f"reference/policies/{name}-family.rst": family_page(name) for name in families_with_a_page()},
        "static/ten-jobs.js": ten_jobs(),
        "reference/study-keys.md": copied("config/README.md", "# Study keys"),
        "reference/logs.md": copied("traces/README.md", "# Logs and workloads"),
        "reference/store.md": copied("reports/measure/sql/README.md", "# Store and metrics"),
        "reference/glossary.md": copied("GLOSSARY.md", "# Glossary"),
        "guides/contributing.md": copied("CONTRIBUTING.md", "# Contributing"),
    }


def copied(name: str, title: str) -> str:
    """Return a page of the project under the title that it has on the site."""
    text = (PROJECT / name).read_text(encoding="utf-8")
    return FILE_LINK.sub(r"`\1`", f"{title}\n{text.partition(chr(10))[2]}")


def ten_jobs() -> str:
    """Return the ten jobs and the colours of charts, as a script for the page on which jobs are dragged."""
    workload = slotwise.read_log(TEN_JOBS)
    columns = {"number": "job", "submit": "submit_us", "run": "runtime_us", "estimate": "estimate_us", "size": "size"}
    jobs = [
        {key: row[name] // MICROSECONDS if name.endswith("_us") else row[name] for key, name in columns.items()}
        for row in workload.jobs.to_dicts()
    ]
    said = {"processors": workload.machine.processors, "jobs": jobs, "colours": COLOURS}
    return f"const tenJobs = {json.dumps(said)};\n"


def command_line() -> str:
    """Return the page of every command: what `--help` prints."""
    os.environ |= {"COLUMNS": "84", "NO_COLOR": "1"}  # argparse asks them for the width of a line, and for colours
    parts = ["# Command line", "", "This is what `--help` prints.", "", help_of("slotwise", build_parser())]
    for command in COMMANDS:
        parser = subcommands(build_parser(command))[command]
        parts += [f"## {command}", "", help_of(f"slotwise {command}", parser)]
        for action, inner in subcommands(parser).items():
            parts += [f"### {command} {action}", "", help_of(f"slotwise {command} {action}", inner)]
    return "\n".join(parts)


def help_of(command: str, parser: Any) -> str:
    """Return the help of a command as a block."""
    return f"```text\n$ {command} --help\n{parser.format_help().rstrip()}\n```\n"


def python() -> str:
    """Return the page of `import slotwise`: every name of `slotwise.__all__` with its docstring."""
    lines = ["# Python", "", "`import slotwise as sw` loads each of these names on first use.", "", "```{eval-rst}"]
    for name in slotwise.__all__:
        kind = "class" if isinstance(getattr(slotwise, name), type) else "function"
        lines += [f".. auto{kind}:: slotwise.{name}", ""]
    return "\n".join([*lines, "```", ""])


def heading(text: str, line: str) -> list[str]:
    """Return a heading of reStructuredText."""
    return [text, line * len(text), ""]


def list_of_policies() -> str:
    """Return the page that lists the policies by family."""
    lines = ["# Policies", "", "`slotwise policies NAME` prints the same descriptions.", ""]
    for found in sorted(families().values(), key=lambda one: one.name != "space_sharing"):
        names = [name for name, kind in policies().items() if family_of(kind) == found.name]
        if not names:  # all its policies are the user's own
            continue
        lines += [f"## {found.label}", ""]
        if found.name in families_with_a_page():
            lines += [f"- [What all of them share]({found.name}-family)"]
        lines += [entry_of(describe_policy(policies()[name])) for name in names]
        lines += [""]
    hidden = "\n".join([*policies(), *(f"{name}-family" for name in families_with_a_page())])
    return "\n".join([*lines, "```{toctree}", ":hidden:", "", hidden, "```", ""])


def entry_of(policy: dict[str, Any]) -> str:
    """Return the line of a policy in the list of policies, with the names of its presets."""
    presets = ", ".join(f"`{preset['name']}`" for preset in policy["presets"])
    return f"- [{policy['name']}]({policy['name']}): {policy['summary']}" + (f" Presets: {presets}." if presets else "")


def families_with_a_page() -> list[str]:
    """Return the families whose package explains what their policies share."""
    return [name for name in families() if len(family_text(name).splitlines()) > SHORT]


def family_text(name: str) -> str:
    """Return the docstring of the package of a family."""
    return inspect.getdoc(importlib.import_module(f"scheduler_core.{name}")) or ""


def family_page(name: str) -> str:
    """Return the page of a family: the part of the specification that its policies share."""
    return "\n".join([*heading(families()[name].label, "="), without_roles(family_text(name)), ""])


def policy_page(name: str) -> str:
    """Return the page of a policy: algorithm, pictures, presets, parameters and source."""
    policy = describe_policy(policies()[name])
    summary, _, rest = without_roles(policy["text"]).partition("\n\n")
    lines = [*heading(name, "="), summary, ""]
    found = families()[family_of(policies()[name])]
    if found.name in families_with_a_page():
        lines += [f"Family: :doc:`{found.label} <{found.name}-family>`.", ""]
    for shown in drawn_schedules().get(name, ()):
        lines += [f".. figure:: /pictures/{shown}.svg", f"   :alt: Gantt chart of ten jobs under {shown}", ""]
        lines += [f"   ``{shown}``: the schedule of the :doc:`ten jobs </tutorials/ten-jobs>`.", ""]
    lines += [rest, "", f"**Source:** {policy['source']}", ""]
    if policy["presets"]:
        presets = [
            (f"``{preset['name']}``", preset["label"], f"``{written(preset['parameters']) or ' '}``")
            for preset in policy["presets"]
        ]
        lines += [*heading("Presets", "-"), *table(("preset", "label", "parameters"), presets)]
    if policy["parameters"]:
        parameters = [
            (f"``{entry['name']}``", entry["meaning"], values_of(entry), f"``{as_set(entry['default'])}``")
            for entry in policy["parameters"]
        ]
        lines += [*heading("Parameters", "-"), *table(("parameter", "meaning", "values", "default"), parameters)]
    return "\n".join(lines)


def values_of(entry: dict[str, Any]) -> str:
    """Return which values a parameter may have."""
    words = allowed_words(entry)
    return "true, false" if words == "bool" else words


def without_roles(text: str) -> str:
    """Return a docstring without links to the code, in which a bar is a bar: ``|a - b|`` names no substitution."""
    parts = ROLE.sub(r"``\1``", text).split("``")
    return "``".join(part if place % 2 else part.replace("|", "\\|") for place, part in enumerate(parts))


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a table of reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in (head, *rows):
        lines += [f"   {'* -' if place == 0 else '  -'} {cell}" for place, cell in enumerate(row)]
    return [*lines, ""]
