"""Reader of WfCommons: workflow instances as JSON, formats 1.0 to 1.5."""

import json
from typing import Any

from scheduler_core.common.errors import LogError
from traces.workflows.graph import Task
from traces.workflows.parsed import Parsed, legible, place_of, processors_of, runtime_of, size_of

RUNTIMES = ("runtimeInSeconds", "runtime")
CORES = ("coreCount", "cores")
SIZES = ("sizeInBytes", "size")
KINDS = {
    type(None): "nothing",
    list: "a list",
    str: "a text",
    bool: "a truth value",
    int: "a number",
    float: "a number",
}


def parse_wfcommons(raw: bytes, file: str) -> Parsed:
    """Return the content of a WfCommons instance.

    Up to format 1.4 ``workflow.tasks`` describes tasks completely. Since 1.5 ``workflow.specification`` has tasks, dependencies
    and files, and ``workflow.execution`` has run times and cores. Raise :class:`LogError` when the text is not such JSON; the
    message names the line of the JSON error, or the missing key.
    """
    try:
        whole = json.loads(raw)
    except RecursionError as error:
        raise LogError(f"{file}: this is no JSON that can be read: too many brackets within each other") from error
    except ValueError as error:
        raise LogError(f"{file}: this is no JSON ({error})") from error
    workflow = mapping(whole.get("workflow") if isinstance(whole, dict) else None, "workflow", file)
    parsed = Parsed(legible(str(whole.get("name") or "")) or file, both_say=True)
    what = f"{file}: workflow {parsed.name}"
    entries, sizes, ran = parts(workflow, what)
    for entry in entries:
        name = parsed.begin(str(entry.get("id") or entry.get("name") or ""), "task", what)
        parsed.tasks.append(task_of({**entry, **ran.get(name, {})}, name, what, parsed))
        read, written = files_of(entry, sizes, what)
        parsed.read.append(read)
        parsed.written.append(written)
    by_name = {str(entry.get("name")): place for place, entry in enumerate(entries)}
    places = {**by_name, **parsed.places}  # before format 1.4 tasks are referred to by name
    for place, entry in enumerate(entries):
        for parent in names_in(entry, "parents", what):
            parsed.stated.append((place_of(places, str(parent), what), place))
        for child in names_in(entry, "children", what):
            parsed.stated.append((place, place_of(places, str(child), what)))
    return parsed


def parts(
    workflow: dict[str, Any], what: str
) -> tuple[list[dict[str, Any]], dict[str, int], dict[str, dict[str, Any]]]:
    """Return the tasks, the sizes of files by id, and the executions of tasks by id."""
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
        found = KINDS.get(type(value), "an object")
        raise LogError(f"{what}: expected an object under '{key}' of a WfCommons file; found {found}")
    return value


def rows(value: Any, key: str, what: str) -> list[dict[str, Any]]:
    """Return a value that must be a list of objects."""
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise LogError(f"{what}: expected a list of objects under '{key}' of a WfCommons file")
    return value


def first_of(entry: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """Return the value of the first key that is present; None if none is."""
    return next((entry[key] for key in keys if key in entry), None)


def task_of(entry: dict[str, Any], name: str, what: str, parsed: Parsed) -> Task:
    """Return the task of an entry."""
    before = sum(parsed.repaired.values())
    runtime_s = runtime_of(first_of(entry, RUNTIMES), name, what, parsed)
    cores = first_of(entry, CORES)
    if cores is None:
        cores = 1
        if sum(parsed.repaired.values()) == before:
            parsed.repair("one_processor")
    kind = str(entry.get("category") or entry.get("name") or "")
    return Task(legible(name), runtime_s, processors_of(cores, name, what), legible(kind))


def names_in(entry: dict[str, Any], key: str, what: str) -> list[str]:
    """Return the names that a task lists under a key, which may be missing."""
    return [str(name) for name in listed(entry, key, what)]


def listed(entry: dict[str, Any], key: str, what: str) -> list[Any]:
    """Return a list in the entry of a task; an empty one if the key is missing."""
    value = entry.get(key)
    if value is not None and not isinstance(value, list):
        task, found = entry.get("id") or entry.get("name"), KINDS.get(type(value), "an object")
        raise LogError(f"{what}, task {task}: expected a list under '{key}'; found {found}")
    return value or []


def files_of(entry: dict[str, Any], sizes: dict[str, int], what: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return the files that a task reads, and the files it writes, with sizes in bytes."""
    if "files" in entry:
        linked = [one for one in listed(entry, "files", what) if isinstance(one, dict)]
        known = [
            (one.get("link"), str(one.get("name") or one.get("id")), size_of(first_of(one, SIZES))) for one in linked
        ]
        return (
            {name: size for link, name, size in known if link == "input"},
            {name: size for link, name, size in known if link == "output"},
        )
    return (
        {name: sizes.get(name, 0) for name in names_in(entry, "inputFiles", what)},
        {name: sizes.get(name, 0) for name in names_in(entry, "outputFiles", what)},
    )
