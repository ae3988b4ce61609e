"""`slotwise policies [--json]`."""

from __future__ import annotations

import argparse
import json
from typing import Any

from scheduler_core.policy import Policy, policies


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """List every policy with its parameters, units, defaults and source."""
    listed = [describe_policy(kind) for kind in policies().values()]
    if arguments.json:
        print(json.dumps(listed, indent=2))
        return 0
    for policy in listed:
        print(f"{policy['name']}: {policy['summary']}")
        print(f"    source: {policy['source']}")
        for preset in policy["presets"]:
            settings = ", ".join(f"{key}={value}" for key, value in preset["parameters"].items())
            print(f"    also as {preset['name']}: {settings}")
        for entry in policy["parameters"]:
            print(f"    --set {entry['name']}={entry['default']}  {allowed_words(entry)}")
            print(f"        {entry['meaning']}")
        print()
    return 0


def describe_policy(kind: type[Policy]) -> dict[str, Any]:
    """Give a policy's description as plain data."""
    return {
        "name": kind.name,
        "label": kind.label,
        "summary": (kind.__doc__ or "").strip().splitlines()[0],
        "source": kind.source,
        "presets": [
            {"name": name, "label": label, "parameters": values} for name, (label, values) in kind.presets.items()
        ],
        "parameters": kind.describe_parameters(),
    }


def allowed_words(entry: dict[str, Any]) -> str:
    """Say which values a parameter may have."""
    parts = [str(choice) for choice in entry["choices"]]
    if entry["minimum"] is not None:
        parts.append(f"a number from {entry['minimum']:g}" + (f" {entry['unit']}" if entry["unit"] else ""))
    return f"({', '.join(parts)})" if parts else f"({entry['type']})"
