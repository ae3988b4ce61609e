"""WfCommons: workflow instances as JSON, of format 1.0 to 1.5."""

from __future__ import annotations

import json
from typing import Any

from scheduler_core.errors import LogError
from traces.workflows.graph import Task
from traces.workflows.reading import Parsed, place_of, runtime_of, size_of

RUNTIMES = ("runtimeInSeconds", "runtime")
CORES = ("coreCount", "cores")
SIZES = ("sizeInBytes", "size")


def parse_wfcommons(raw: bytes, file: str) -> Parsed:
    """Return what a WfCommons instance says.

    Up to format 1.4 ``workflow.tasks`` has everything of a task; since 1.5 ``workflow.specification`` has the tasks, who waits
    for whom and the files, and ``workflow.execution`` how long tasks ran on how many cores.

    Raises
    ------
    LogError
        When the text is no JSON of that form; the message names the line where the JSON breaks off, or the key that is missing.
    """
    try:
        whole = json.loads(raw)
    except ValueError as error:
        raise LogError(f"{file}: this is no JSON ({error})") from error
    workflow = mapping(whole.get("workflow") if isinstance(whole, dict) else None, "workflow", file)
    parsed = Parsed(str(whole.get("name") or file), both_say=True)
    what, places = f"{file}: workflow {parsed.name}", {}
    entries, sizes, ran = parts(workflow, what)
    for entry in entries:
        name = str(entry.get("id") or entry.get("name") or "")
        if not name or name in places:
            found = "none" if not name else f"{name} twice"
            raise LogError(f"{what}: expected an id of its own for every task; found {found}")
        places[name] = len(parsed.tasks)
        parsed.tasks.append(task_of({**entry, **ran.get(name, {})}, name, what, parsed))
        read, written = files_of(entry, sizes)
        parsed.read.append(read)
        parsed.written.append(written)
    by_name = {str(entry.get("name")): place for place, entry in enumerate(entries)}
    places = {**by_name, **places}  # before format 1.4 tasks are referred to by name
    for place, entry in enumerate(entries):
        for parent in entry.get("parents") or ():
            parsed.stated.append((place_of(places, str(parent), what), place))
        for child in entry.get("children") or ():
            parsed.stated.append((place, place_of(places, str(child), what)))
    return parsed


def parts(
    workflow: dict[str, Any], what: str
) -> tuple[list[dict[str, Any]], dict[str, int], dict[str, dict[str, Any]]]:
    """Return the tasks, the sizes of files by id, and what is known of the runs of tasks by id."""
    if "specification" not in workflow:
        return rows(workflow.get("tasks") or workflow.get("jobs"), "workflow.tasks", what), {}, {}
    specification = mapping(workflow["specification"], "workflow.specification", what)
    files = specification.get("files") or []
    sizes = {
        str(one.get("id")): size_of(first_of(one, SIZES)) for one in rows(files, "workflow.specification.files", what)
    }
    execution = mapping(workflow.get("execution"), "workflow.execution", what)
    ran = {str(one.get("id")): one for one in rows(execution.get("tasks"), "workflow.execution.tasks", what)}
    return rows(specification.get("tasks"), "workflow.specification.tasks", what), sizes, ran


def mapping(value: Any, key: str, what: str) -> dict[str, Any]:
    """Return a value that must be an object."""
    if not isinstance(value, dict):
        raise LogError(f"{what}: expected an object under '{key}' of a WfCommons file; found {type(value).__name__}")
    return value


def rows(value: Any, key: str, what: str) -> list[dict[str, Any]]:
    """Return a value that must be a list of objects."""
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise LogError(f"{what}: expected a list of objects under '{key}' of a WfCommons file")
    return value


def first_of(entry: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """Return the value of the first key that is there; None where none is."""
    return next((entry[key] for key in keys if key in entry), None)


def task_of(entry: dict[str, Any], name: str, what: str, parsed: Parsed) -> Task:
    """Return a task as its entries say."""
    before = sum(parsed.repaired.values())
    runtime_s = runtime_of(first_of(entry, RUNTIMES), name, what, parsed)
    cores = first_of(entry, CORES)
    if cores is None:
        cores = 1
        if sum(parsed.repaired.values()) == before:
            parsed.repair("one_processor")
    if isinstance(cores, bool) or not isinstance(cores, (int, float)) or cores < 1 or cores != int(cores):
        raise LogError(f"{what}, task {name}: expected a number of processors of at least 1; found {cores!r}")
    return Task(name, runtime_s, int(cores), str(entry.get("category") or entry.get("name") or ""))


def files_of(entry: dict[str, Any], sizes: dict[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the files that a task reads and those it writes, with their sizes in bytes."""
    if "files" in entry:
        linked = [one for one in entry["files"] if isinstance(one, dict)]
        known = [
            (one.get("link"), str(one.get("name") or one.get("id")), size_of(first_of(one, SIZES))) for one in linked
        ]
        return (
            {name: size for link, name, size in known if link == "input"},
            {name: size for link, name, size in known if link == "output"},
        )
    return (
        {str(name): sizes.get(str(name), 0) for name in entry.get("inputFiles") or ()},
        {str(name): sizes.get(str(name), 0) for name in entry.get("outputFiles") or ()},
    )
