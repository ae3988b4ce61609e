"""Reader of DAX: XML with ``<adag>``, a ``<job>`` per task and a ``<child>`` per task with dependencies."""

import xml.etree.ElementTree as ElementTree
from typing import Any

from scheduler_core.common.errors import LogError
from traces.workflows.graph import Task
from traces.workflows.parsed import Parsed, legible, place_of, processors_of, runtime_of, size_of


def parse_dax(raw: bytes, file: str) -> Parsed:
    """Return the content of a DAX file.

    A task is a ``job`` with ``id``, ``name`` (its kind), ``runtime`` in seconds and optionally ``cores``. Its ``uses`` names a
    file that it reads (``link="input"``) or writes (``output``), with ``size`` in bytes. ``child`` and the ``parent`` in it
    name tasks by ``ref``. Raise :class:`LogError` when the text is not such XML; the message names the line of the first XML
    error.
    """
    if b"<!DOCTYPE" in raw[:4096] or b"<!ENTITY" in raw:
        raise LogError(f"{file}: a DAX file declares no entities; take the DOCTYPE out of it")
    try:
        root = ElementTree.fromstring(raw)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise LogError(f"{file}, line {line}, column {column + 1}: this is no XML ({error})") from error
    except (LookupError, ValueError) as error:
        raise LogError(f"{file}: this is no XML that can be read ({error})") from error
    if plain(root.tag) != "adag":
        raise LogError(f"{file}: expected <adag> around the workflow of a DAX file; found <{plain(root.tag)}>")
    parsed = Parsed(legible(root.get("name") or "") or file)
    what, places = f"{file}: workflow {parsed.name}", parsed.places
    for job in elements(root, "job"):
        name = parsed.begin(job.get("id"), "job", what)
        parsed.tasks.append(task_of(job, name, what, parsed))
        parsed.read.append(files_of(job, "input"))
        parsed.written.append(files_of(job, "output"))
    for child in elements(root, "child"):
        after = place_of(places, child.get("ref") or "", what)
        for parent in elements(child, "parent"):
            parsed.stated.append((place_of(places, parent.get("ref") or "", what), after))
    return parsed


def task_of(job: Any, name: str, what: str, parsed: Parsed) -> Task:
    """Return the task of an element."""
    runtime_s = runtime_of(job.get("runtime"), name, what, parsed)
    cores = job.get("cores") or job.get("numcores") or "1"
    return Task(legible(name), runtime_s, processors_of(cores, name, what), legible(job.get("name") or ""))


def elements(parent: Any, tag: str) -> list[Any]:
    """Return the elements of a tag in any namespace."""
    return [element for element in parent if plain(element.tag) == tag]


def plain(tag: Any) -> str:
    """Return a tag without its namespace."""
    return str(tag).rpartition("}")[2]


def files_of(job: Any, link: str) -> dict[str, int]:
    """Return the files that a task reads or writes, with sizes in bytes."""
    return {
        str(use.get("file") or use.get("name")): size_of(use.get("size"))
        for use in elements(job, "uses")
        if use.get("link") == link
    }
