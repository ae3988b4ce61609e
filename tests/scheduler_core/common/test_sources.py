"""The files that a module reaches: the quick scan against the syntax tree, and the files of a policy."""

import ast
from pathlib import Path

import pytest

from scheduler_core.common import sources
from scheduler_core.declarations.policy import policies

PACKAGES = ("scheduler_core", "traces", "reports", "workflow")
MODULES = sorted(path for package in PACKAGES for path in (sources.ROOT / package).rglob("*.py"))


def imports_at_run_time(tree):
    """Every import statement of a module but those that serve annotations only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        yield from imports_at_run_time(node)


def plainly_imported(path):
    """The project's files that a module imports, by the syntax tree."""
    names = set()
    for node in imports_at_run_time(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {entry.name for entry in node.names}
        else:
            assert node.level == 0, f"{path}: relative imports are not followed"
            names |= {node.module, *(f"{node.module}.{entry.name}" for entry in node.names)}
    return {file for file in map(sources.module_file, names) if file}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(sources.ROOT)))
def test_the_scan_finds_what_the_syntax_tree_holds(path):
    assert set(sources.imported_by(str(path))) == plainly_imported(path)


def reached(*modules):
    return {str(path.relative_to(sources.ROOT)) for path in sources.closure(*modules)}


def test_imports_are_followed_to_the_end_and_imports_inside_functions_too():
    files = reached("scheduler_core.space_sharing.engine")
    assert {"scheduler_core/space_sharing/event_loop.py", "scheduler_core/kernel/heap.py"} <= files
    assert "scheduler_core/checker/check.py" in reached("scheduler_core.runs.simulation")
    assert not any(file.startswith(("reports/", "traces/", "scheduler_core/gang/")) for file in files)


def test_a_name_of_no_module_is_an_error():
    with pytest.raises(ModuleNotFoundError, match=r"there is no module 'scheduler_core\.no_such'"):
        sources.closure("scheduler_core.no_such")


def test_packages_of_others_in_the_same_folder_are_not_followed(tmp_path, monkeypatch):
    (tmp_path / "numpy.py").touch()
    (tmp_path / "traces.py").touch()
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    assert sources.module_file.__wrapped__("numpy") is None
    assert sources.module_file.__wrapped__("traces") == str(tmp_path / "traces.py")


def test_statements_are_read_as_people_write_them(tmp_path):
    file = tmp_path / "module.py"
    file.write_text(
        "import scheduler_core.common.units as u, os\n"
        "from scheduler_core.kernel import (  # the first (of two)\n    heap,  # a heap :)\n    queue as waiting,\n)\n"
        "def late():\n    from scheduler_core.common.errors import nearest\n"
        "if TYPE_CHECKING:\n    from scheduler_core.contracts import Workload\n\n    import scheduler_core.common.files\n"
        "from numpy import array\n"
    )
    assert {Path(found).name for found in sources.imported_by(str(file))} == {
        "units.py",
        "__init__.py",
        "heap.py",
        "queue.py",
        "errors.py",
    }


@pytest.mark.parametrize("name", sorted(policies()))
def test_a_policy_depends_on_what_makes_checks_and_writes_its_runs_and_on_no_other_family(name):
    kind = policies()[name]
    own, *others = kind.source_files()
    files = {str(path.relative_to(sources.ROOT)) for path in others}
    family = kind.__module__.split(".")[1]
    assert own.is_file()
    assert {"scheduler_core/runs/folder.py", "scheduler_core/declarations/policy.py"} <= files
    assert any(file.startswith(f"scheduler_core/{family}/") and file.endswith("event_loop.py") for file in files)
    assert {f"scheduler_core/checker/{family}/rules.py", f"scheduler_core/{family}/family.py"} <= files
    assert {"contracts/schedule.py", "checker/check.py", "runs/simulation.py"} <= {f.partition("/")[2] for f in files}
    of_clusters = ("space_sharing", "slices") if family == "grid" else ()  # whose policies run its clusters
    assert all(f"scheduler_core/{other}/local_scheduler.py" in files for other in of_clusters)
    others = {"space_sharing", "gang", "slices", "grid"} - {family, *of_clusters}
    elsewhere = {f"scheduler_core/{other}/" for other in others}
    assert not any(file.startswith((*elsewhere, "reports/", "traces/")) for file in files)


def test_machine_code_does_not_depend_on_the_tables():
    for family in ("space_sharing", "gang", "slices"):
        assert not any(f.startswith("scheduler_core/contracts") for f in reached(f"scheduler_core.{family}.event_loop"))


def test_a_digest_tells_names_and_bytes_apart(tmp_path):
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text("same")
    second.write_text("same")
    assert sources.digest([first]) != sources.digest([second])
    assert sources.digest([first, second]) == sources.digest([second, first])
