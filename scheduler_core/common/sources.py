"""Which files of the project a module reaches: what a schedule, a rule's output or a kernel's machine code depends on.

The scan is static: it reads import statements, those inside functions too, and runs nothing. It leaves out imports that
only serve annotations (``if TYPE_CHECKING:``), which have no effect on what a module does, and modules that are found by
their name while the program runs (policies, families, models, figures); a program that depends on one of those names it. The
``__init__`` of a package is followed where something is imported from the package itself, not where it is passed through on
the way to one of its modules.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The folder that holds the project's packages; an installed project shares it with packages of others."""

PACKAGES = ("scheduler_core", "traces", "reports", "workflow", "studies", "slotwise")
"""The project's packages."""

ANNOTATIONS_ONLY = re.compile(r"^if TYPE_CHECKING:\n(?:(?:[ \t]+[^\n]*)?\n)+", re.M)
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<package>[\w.]+)[ \t]+import[ \t]*(?P<names>\((?:[^)#]|#[^\n]*)*\)|[^\n]*)"
    r"|import[ \t]+(?P<modules>[^\n]+))",
    re.M,
)
COMMENT = re.compile(r"#[^\n]*")


@cache
def module_file(name: str) -> str | None:
    """Return the file of a module of the project by its dotted name; ``None`` for one of another project."""
    if name.partition(".")[0] not in PACKAGES:
        return None
    stem = ROOT.joinpath(*name.split("."))
    return next((str(file) for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()), None)


@cache
def imported_by(file: str) -> tuple[str, ...]:
    """Return the project's files that the statements of one file import directly."""
    text = Path(file).read_text(encoding="utf-8")
    reached: dict[str, None] = {}
    for match in IMPORT.finditer(ANNOTATIONS_ONLY.sub("", text)):
        for name in imported_names(match):
            found = module_file(name)
            if found:
                reached[found] = None
    return tuple(reached)


def imported_names(statement: re.Match[str]) -> Iterable[str]:
    """Return the dotted names that one statement may import: modules, and things in them that may be modules."""
    names = COMMENT.sub("", statement["names"] or statement["modules"]).strip("()").split(",")
    words = [name.split()[0] for name in names if name.split()]
    package = statement["package"]
    if package is None:
        return words
    if module_file(package) is None:
        return ()
    return [package, *(f"{package}.{word}" for word in words)]


def closure(*modules: str | Path) -> list[Path]:
    """Return the files that some modules reach by imports, their own included, in the order of their names.

    Parameters
    ----------
    modules
        Dotted names of modules of the project, or paths of Python files.

    Raises
    ------
    ModuleNotFoundError
        When a name is that of no module of the project.
    """
    waiting = [file_of(module) for module in modules]
    reached = set(waiting)
    while waiting:
        for file in imported_by(waiting.pop()):
            if file not in reached:
                reached.add(file)
                waiting.append(file)
    return [Path(file) for file in sorted(reached)]


def file_of(module: str | Path) -> str:
    """Return the file of a module given by name or path."""
    if isinstance(module, Path):
        return str(module)
    found = module_file(module)
    if found is None:
        raise ModuleNotFoundError(f"{ROOT}: there is no module '{module}'")
    return found


def digest(files: Iterable[Path | str]) -> str:
    """Return the sha256 of some files, by their names within the project and their bytes."""
    together = hashlib.sha256()
    for file in sorted(map(str, files)):
        together.update(f"{os.path.relpath(file, ROOT)} {file_digest(file)}\n".encode())
    return together.hexdigest()


@cache
def file_digest(file: str) -> str:
    """Return the sha256 of the bytes of a file, read once per process."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()
