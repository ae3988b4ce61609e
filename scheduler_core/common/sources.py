"""The files that a module reaches by imports. Schedules, outputs of rules and compiled kernels depend on them.

The scan is static. It reads import statements, also those inside functions, and runs nothing. It leaves out imports that serve
only annotations (``if TYPE_CHECKING:``), which change nothing at run time. It does not see modules that a program finds by name
while it runs (policies, families, models, figures): a caller that depends on one names it. The scan follows the ``__init__`` of
a package only where a statement imports from the package itself.

Regular expressions find the statements. A syntax tree takes six times as long (0.7 s for all modules), and every process that
loads kernels scans. A test compares both for every module.
"""

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
    """Return the file of a module by its dotted name; ``None`` for a module of another project."""
    if name.partition(".")[0] not in PACKAGES:
        return None
    stem = ROOT.joinpath(*name.split("."))
    return next((str(file) for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()), None)


@cache
def imported_by(file: str) -> tuple[str, ...]:
    """Return the project's files that one file imports directly."""
    text = Path(file).read_text(encoding="utf-8")
    reached: dict[str, None] = {}
    for match in IMPORT.finditer(ANNOTATIONS_ONLY.sub("", text)):
        for name in imported_names(match):
            found = module_file(name)
            if found:
                reached[found] = None
    return tuple(reached)


def imported_names(statement: re.Match[str]) -> Iterable[str]:
    """Return the dotted names that a statement may import: modules, and names in them that may be modules."""
    names = COMMENT.sub("", statement["names"] or statement["modules"]).strip("()").split(",")
    words = [name.split()[0] for name in names if name.split()]
    package = statement["package"]
    if package is None:
        return words
    if module_file(package) is None:
        return ()
    return [package, *(f"{package}.{word}" for word in words)]


def closure(*modules: str | Path) -> list[Path]:
    """Return the files that some modules reach by imports, and their own files, sorted by name.

    A module is a dotted name or a Python file; a name of no module of the project raises :class:`ModuleNotFoundError`.
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
    """Return the file of a module, given by name or path."""
    if isinstance(module, Path):
        return str(module)
    found = module_file(module)
    if found is None:
        raise ModuleNotFoundError(f"{ROOT}: there is no module '{module}'")
    return found


def digest(files: Iterable[Path | str]) -> str:
    """Return the sha256 of some files: of their bytes and their names within the project."""
    together = hashlib.sha256()
    for file in sorted(map(str, files)):
        together.update(f"{os.path.relpath(file, ROOT)} {file_digest(file)}\n".encode())
    return together.hexdigest()


@cache
def file_digest(file: str) -> str:
    """Return the sha256 of a file's bytes. Each process reads a file once."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()
