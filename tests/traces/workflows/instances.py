"""WfCommons instances of format 1.3, written by tests."""

import json
from typing import Any


def task(name: str, **more: Any) -> dict[str, Any]:
    """Return a task of one processor and a second; ``more`` replaces and adds keys."""
    return {"name": name, "runtime": 1, "cores": 1, **more}


def instance(tasks: list[dict[str, Any]], name: str = "w") -> str:
    """Return an instance as text."""
    return json.dumps({"name": name, "workflow": {"tasks": tasks}})


TWO_ROOTS = [task("a", children=["c"]), task("b", children=["c"]), task("c", parents=["a", "b"])]
