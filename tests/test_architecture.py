"""Who may import whom: data flows one way, and only the front door joins the packages."""

import ast
import graphlib

import pytest

from tests.paths import PROJECT

ROOT = PROJECT

ALLOWED = {
    "scheduler_core": {"scheduler_core"},
    "traces": {"scheduler_core", "traces"},
    "reports": {"scheduler_core", "traces", "reports"},
    "workflow": {"scheduler_core", "traces", "reports", "workflow"},
    "slotwise": {"scheduler_core", "traces", "reports", "workflow", "slotwise"},
}
"""The packages that each package may import. Nothing may import `slotwise`."""

PACKAGES = tuple(ALLOWED)

ROOMS_OF_REPORTS = {
    "measure": {"measure"},
    "ledger": {"measure", "ledger"},
    "draw": {"measure", "draw"},
    "diagrams": {"measure", "draw", "diagrams"},
    "figures": {"measure", "draw", "diagrams", "families", "figures"},
    "pages": {"measure", "ledger", "draw", "diagrams", "figures", "pages"},
    "papers": {"measure", "draw", "pages", "papers"},
}
"""The rooms of `reports` that each room may import."""

FAMILY_MODULES = {"measures": {"measure"}, "packing": {"measure"}, "page": {"pages", "diagrams", "draw"}}
"""The rooms that a module of a family may import, by its name; all others draw, so they may import `draw` and `diagrams`."""

DRAWING = {"draw", "diagrams"}

FAMILIES_UPON = {"grid": {"slices"}}
"""The families that another one is built upon: clusters of a grid may be scheduled in slices."""

FRONT_DOORS_OF_REPORTS = {"__init__.py", "build.py"}
"""Modules of `reports` outside the rooms: they join them."""

OPEN_PARTS_OF_THE_CORE = {
    "common",
    "contracts",
    "kernel",
    "decisions",
    "declarations.families",
    "declarations.parameter_schema",
    "declarations.parameters",
    "declarations.words",
    "declarations.written",
}
"""What `traces` and `reports` may import from the core: never an engine, and never a policy."""

OPEN_PARTS_FOR_ORACLES = {"common.units", "declarations.policy"}
"""What an oracle may know of the core: the parameters of a policy, and the unit of time."""

OPEN_PARTS_OF_THE_CHECKER = {
    "checker",
    "common.errors",
    "common.table_thread",
    "common.units",
    "contracts",
    "declarations.families",
    "declarations.policy",
    "declarations.words",
    "kernel.jit",
}
"""What the checker may import from the core, besides the facts that policies state (`<family>/facts.py`)."""


def imports_of(path):
    """Yield the dotted name of everything a file imports: modules, and names from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def modules(package):
    return sorted(path for path in (ROOT / package).rglob("*.py") if "__pycache__" not in path.parts)


def is_open(name, parts):
    """Return whether a dotted name of the core lies in one of some parts of it."""
    inside = name.removeprefix("scheduler_core.")
    return any(inside == part or inside.startswith(f"{part}.") for part in parts)


def test_there_are_modules_to_look_at():
    assert all(len(modules(package)) > 3 for package in PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_data_flows_one_way(package):
    for path in modules(package):
        ours = {name.split(".")[0] for name in imports_of(path)} & {*PACKAGES, "studies", "tests"}
        assert ours <= ALLOWED[package], f"{path.relative_to(ROOT)} imports {ours - ALLOWED[package]}"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_circle_of_imports(package):
    """Deferred imports and those for annotations count, too."""
    names = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in modules(package)
    }
    imported = {
        name: {found if found in names else found.rpartition(".")[0] for found in imports_of(path)} - {name}
        for name, path in names.items()
    }
    graphlib.TopologicalSorter(imported).prepare()  # raises CycleError


def test_studies_never_import_the_front_door():
    assert not [
        path for path in modules("studies") if any(name.split(".")[0] == "slotwise" for name in imports_of(path))
    ]


@pytest.mark.parametrize("package", ["traces", "reports"])
def test_only_the_open_parts_of_the_core_are_used(package):
    for path in modules(package):
        for name in imports_of(path):
            if name.startswith("scheduler_core."):
                assert is_open(name, OPEN_PARTS_OF_THE_CORE), f"{path.relative_to(ROOT)} imports {name}"


def test_oracles_import_nothing_of_the_engines():
    paths = sorted((ROOT / "tests" / "oracles").rglob("*.py"))
    assert len(paths) > 15
    for path in paths:
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] in PACKAGES:
                assert is_open(name, OPEN_PARTS_FOR_ORACLES), f"{path.relative_to(ROOT)} imports {name}"
            if parts[0] == "tests":
                assert parts[1] == "oracles", f"{path.relative_to(ROOT)} imports {name}"


def rooms_open_to(path):
    """Return the rooms of `reports` that one of its modules may import."""
    room, *rest = path.relative_to(ROOT / "reports").with_suffix("").parts
    return ROOMS_OF_REPORTS[room] if room != "families" else FAMILY_MODULES.get(rest[-1], DRAWING)


def in_own_family(place, name):
    """Return whether a module in a place of `reports` imports from its family, or from one that it is built upon."""
    parts = name.split(".")
    return (
        place[0] == parts[1] == "families"
        and len(parts) > 2
        and parts[2] in {place[1], *FAMILIES_UPON.get(place[1], ())}
    )


def test_rooms_of_the_report_import_in_one_direction():
    for path in modules("reports"):
        place = path.relative_to(ROOT / "reports").parts
        if len(place) == 1:
            assert place[0] in FRONT_DOORS_OF_REPORTS, f"{path.name} is in no room"
            continue
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] == "reports" and not in_own_family(place, name):
                assert parts[1] in rooms_open_to(path), f"reports/{'/'.join(place)} imports {name}"


def test_only_the_workflow_knows_of_snakemake():
    for package in ("scheduler_core", "traces", "reports", "slotwise"):
        for path in modules(package):
            assert not any(name.split(".")[0] == "snakemake" for name in imports_of(path)), path


def test_the_checker_shares_no_code_with_the_engines():
    paths = modules("scheduler_core/checker")
    assert len(paths) > 40
    for path in paths:
        for name in imports_of(path):
            if name.startswith("scheduler_core."):
                facts = name.split(".")[2:3] == ["facts"]
                assert facts or is_open(name, OPEN_PARTS_OF_THE_CHECKER), f"{path.relative_to(ROOT)} imports {name}"
