"""Who may import whom: data flows one way, and the front door alone joins the packages."""

import ast

import pytest

from tests.paths import PROJECT

ROOT = PROJECT
PACKAGES = ("scheduler_core", "traces", "reports", "workflow")
ALLOWED = {
    "scheduler_core": {"scheduler_core"},
    "traces": {"traces", "scheduler_core"},
    "reports": {"reports", "scheduler_core", "traces"},
    "workflow": set(PACKAGES),
}
ROOMS_OF_REPORTS = {
    "measure": {"measure"},
    "ledger": {"measure", "ledger"},
    "draw": {"measure", "draw"},
    "diagrams": {"measure", "draw", "diagrams"},
    "figures": {"measure", "draw", "diagrams", "figures"},
    "pages": {"measure", "ledger", "draw", "diagrams", "figures", "pages"},
}
"""Rooms of reports, and those each may import from."""

FRONT_DOORS_OF_REPORTS = {"__init__.py", "build.py"}
"""Modules of reports that stand in no room: they join them."""

OPEN_PARTS_OF_THE_CORE = {"contracts", "errors", "files", "units", "parameters", "family", "kernel"}

OPEN_PARTS_FOR_ORACLES = {"policy", "units"}
"""What an oracle may know of the core: the parameters of a policy, and how times are counted."""

OPEN_PARTS_OF_THE_CHECKER = {"checker", "contracts", "errors", "family", "policy", "units"}

OPEN_MODULES_FOR_THE_CHECKER = (".facts", ".jit")
"""What the checker may use besides: what policies state of themselves, and how a function is compiled."""


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module


def modules(package):
    return sorted(path for path in (ROOT / package).rglob("*.py") if "__pycache__" not in path.parts)


def test_there_are_modules_to_look_at():
    assert all(len(modules(package)) > 3 for package in PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_data_flows_one_way(package):
    for path in modules(package):
        if path.is_relative_to(ROOT / "scheduler_core" / "cli"):
            continue
        ours = {name for name in imports_of(path) if name.split(".")[0] in PACKAGES}
        wrong = {name for name in ours if name.split(".")[0] not in ALLOWED[package]}
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


@pytest.mark.parametrize("package", ["traces", "reports"])
def test_only_the_open_parts_of_the_core_are_used(package):
    for path in modules(package):
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] == "scheduler_core" and len(parts) > 1:
                assert parts[1] in OPEN_PARTS_OF_THE_CORE, f"{path.relative_to(ROOT)} imports {name}"


def test_oracles_import_nothing_of_the_engines():
    paths = sorted((ROOT / "tests" / "oracles").rglob("*.py"))
    assert len(paths) > 15
    for path in paths:
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] in PACKAGES:
                assert parts[:2] in [["scheduler_core", part] for part in OPEN_PARTS_FOR_ORACLES], (
                    f"{path} imports {name}"
                )
            if parts[0] == "tests":
                assert parts[1] == "oracles", f"{path.relative_to(ROOT)} imports {name}"


def test_rooms_of_the_report_import_in_one_direction():
    for path in modules("reports"):
        place = path.relative_to(ROOT / "reports").parts
        if len(place) == 1:
            assert place[0] in FRONT_DOORS_OF_REPORTS, f"{path.name} stands in no room"
            continue
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] == "reports":
                assert len(parts) > 1, f"reports/{'/'.join(place)}: name the room"
                assert parts[1] in ROOMS_OF_REPORTS[place[0]], f"reports/{'/'.join(place)} imports {name}"


def test_only_the_workflow_knows_of_snakemake():
    for package in ("scheduler_core", "traces", "reports"):
        for path in modules(package):
            assert not any(name.split(".")[0] == "snakemake" for name in imports_of(path)), path


def test_the_checker_shares_no_code_with_the_engines():
    for path in modules("scheduler_core/checker"):
        for name in imports_of(path):
            if name.startswith("scheduler_core"):
                assert name.split(".")[1] in OPEN_PARTS_OF_THE_CHECKER or name.endswith(OPEN_MODULES_FOR_THE_CHECKER), (
                    f"{path.name} imports {name}"
                )


def test_no_module_imports_the_command_line():
    for package in PACKAGES:
        for path in modules(package):
            inside = path.is_relative_to(ROOT / "scheduler_core" / "cli")
            assert inside or not any(name.startswith("slotwise.cli") for name in imports_of(path)), path
