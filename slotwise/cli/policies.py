"""`slotwise policies [NAME] [--json]`."""

import argparse
import inspect
import json
import re
import textwrap
from typing import Any

from scheduler_core.declarations.policy import Policy, policies, policy_named

WIDTH = 100

NO_OTHERS = "all parameters at their defaults"
"""The description of a preset without parameters."""

ROLE = re.compile(r":\w+:`~?([^`]+)`")
"""A cross-reference of the documentation; the terminal shows its name only."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "name", nargs="?", metavar="POLICY", help="show one policy or preset in full: algorithm, parameters, source"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """List the policies, or show one in full."""
    kinds = [policy_named(arguments.name)[0]] if arguments.name else list(policies().values())
    if arguments.json:
        print(json.dumps([describe_policy(kind) for kind in kinds], indent=2))
    elif arguments.name:
        show(arguments.name)
    else:
        list_policies(kinds)
    return 0


def list_policies(kinds: list[type[Policy]]) -> None:
    """Print each policy with the first line of its text, its presets and the names of its parameters."""
    for kind in kinds:
        policy = describe_policy(kind)
        print(f"{policy['name']}: {policy['summary']}")
        if policy["presets"]:
            print(indented("also as", ", ".join(preset["name"] for preset in policy["presets"])))
        if policy["parameters"]:
            print(indented("parameters", ", ".join(entry["name"] for entry in policy["parameters"])))
    print("\n`slotwise policies NAME` shows the algorithm, the parameters and the source of a policy.")


def indented(what: str, text: str) -> str:
    """Return a text after a word, indented and wrapped."""
    first = f"    {what}: "
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False)


def show(word: str) -> None:
    """Print the algorithm, the parameters and the source of a policy or preset."""
    kind, values, label = policy_named(word)
    policy = describe_policy(kind)
    print(f"{word}: {label}")
    if word != kind.name:
        print(f"the policy {kind.name} with {written(values) or NO_OTHERS}")
    print(f"\n{ROLE.sub(lambda found: found[1], policy['text'])}\n")
    print(textwrap.fill(f"Source: {policy['source']}", WIDTH, subsequent_indent="    "))
    if policy["presets"]:
        print("\nPresets:")
    for preset in policy["presets"]:
        print(indented(preset["name"], f"{preset['label']}: {written(preset['parameters']) or NO_OTHERS}"))
    if policy["parameters"]:
        print("\nParameters (--set NAME=VALUE), with their defaults:")
    for entry in policy["parameters"]:
        print(f"    {entry['name']}={as_set(entry['default'])}  ({allowed_words(entry)})")
        print(textwrap.fill(entry["meaning"], WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8))


def written(values: dict[str, Any]) -> str:
    """Return parameters as the option ``--set`` takes them."""
    return ", ".join(f"{key}={as_set(value)}" for key, value in values.items())


def as_set(value: Any) -> str:
    """Return a value as the option ``--set`` takes it."""
    return (
        {True: "true", False: "false", None: "none"}[value]
        if value is None or value is True or value is False
        else str(value)
    )


def describe_policy(kind: type[Policy]) -> dict[str, Any]:
    """Return a policy's description as plain data."""
    text = inspect.getdoc(kind) or ""
    return {
        "name": kind.name,
        "label": kind.label,
        "summary": text.splitlines()[0] if text else "",
        "text": text,
        "source": kind.source,
        "presets": [
            {"name": name, "label": label, "parameters": values} for name, (label, values) in kind.presets.items()
        ],
        "parameters": kind.describe_parameters(),
    }


def allowed_words(entry: dict[str, Any]) -> str:
    """Return which values a parameter may have."""
    parts = [as_set(choice) for choice in entry["choices"]]
    unit = f" {entry['unit']}" if entry["unit"] else ""
    least, most = entry["minimum"], entry["maximum"]
    if least is not None or most is not None:
        bounds = [f"from {least:g}" if least is not None else "", f"to {most:g}" if most is not None else ""]
        parts.append(f"a number {' '.join(filter(None, bounds))}{unit}")
    return ", ".join(parts) if parts else f"{entry['type']}{unit}"
