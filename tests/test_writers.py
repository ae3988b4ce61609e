"""Every file is written through `scheduler_core/common/files.py`, which knows what may be written over."""

import ast
import re

import pytest

from tests.paths import PROJECT

ROOT = PROJECT
PACKAGES = ("slotwise", "scheduler_core", "traces", "reports", "workflow")
HOME = "scheduler_core/common/files.py"
EXEMPT = {
    "workflow/adapter.py": "the log of a job, which has to be there, half-written, when the job fails",
    "scheduler_core/kernel/jit.py": "folders of the machine code that numba writes",
    "slotwise/cli/main.py": "standard output, sent to nowhere when its reader has gone",
}
"""Modules that open a file themselves, and why."""

METHODS = {
    *("write_text", "write_bytes", "touch", "mkdir", "rmdir", "unlink", "symlink_to", "hardlink_to", "chmod"),
    *("write_parquet", "write_csv", "write_ipc", "write_json", "write_ndjson", "write_excel", "write_database", "save"),
    *("sink_parquet", "sink_csv", "sink_ipc", "to_parquet", "to_csv", "to_json", "savefig", "savez", "tofile"),
    *("makedirs", "remove", "removedirs", "link", "symlink", "mkfifo", "copytree", "rmtree", "copyfile"),
    *("copy2", "move", "urlretrieve", "extractall"),
}
"""Calls that make, change or remove files, by their last name."""

LISTS = {"remove"}
"""Methods of lists too, which take no path: they count only when called on a module."""


def calls(tree):
    """Yield every call with the names that an enclosing `with replacing(...) as name` gives."""

    def walk(node, given):
        if isinstance(node, ast.With):
            mine = {
                item.optional_vars.id
                for item in node.items
                if isinstance(item.optional_vars, ast.Name)
                and isinstance(item.context_expr, ast.Call)
                and last_name(item.context_expr.func) in {"replacing", "replacing_folder"}
            }
            given = given | mine
        elif isinstance(node, ast.FunctionDef):
            given = frozenset()
        if isinstance(node, ast.Call):
            yield node, given
        for child in ast.iter_child_nodes(node):
            yield from walk(child, given)

    yield from walk(tree, frozenset())


def last_name(func):
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def writes(call):
    """Tell whether a call makes, changes or removes a file."""
    name = last_name(call.func)
    method = isinstance(call.func, ast.Attribute)
    if name == "open":
        words = [*call.args, *(keyword.value for keyword in call.keywords)]
        modes = [word.value for word in words if isinstance(word, ast.Constant) and isinstance(word.value, str)]
        return any(re.fullmatch("[rwaxbt+]+", mode) and set(mode) & set("wax+") for mode in modes)
    if name == "replace" and method:
        return len(call.args) == 1 and not call.keywords  # of a path; that of text takes two
    if name == "rename":
        return not any(isinstance(word, ast.Dict | ast.DictComp) for word in call.args)  # not of a table's columns
    if name == "connect":
        return bool(call.args) and all(keyword.arg != "read_only" for keyword in call.keywords)
    if name in LISTS:
        return method and isinstance(call.func.value, ast.Name) and call.func.value.id in {"os", "shutil"}
    return method and name in METHODS


def goes_to(call, given):
    """Tell whether one of the given names stands anywhere in a call."""
    return any(isinstance(node, ast.Name) and node.id in given for node in ast.walk(call))


def own_writers(text):
    """List the lines of a module that write a file past `replacing`."""
    found = calls(ast.parse(text))
    return sorted({call.lineno for call, given in found if writes(call) and not goes_to(call, given)})


def modules():
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "__pycache__" not in path.parts:
                yield str(path.relative_to(ROOT))


@pytest.mark.parametrize(
    "line",
    [
        "Path(out).write_text(text)",
        "frame.write_parquet(out)",
        "open(out, 'w').write(text)",
        "out.open(mode='ab')",
        "part.replace(out)",
        "out.unlink()",
        "os.remove(out)",
        "part.rename(out)",
        "shutil.copytree(a, out)",
        "duckdb.connect(str(out))",
        "with other(out) as temporary:\n    temporary.write_text(text)",
    ],
)
def test_a_writer_of_its_own_is_found(line):
    assert own_writers(line)


@pytest.mark.parametrize(
    "line",
    [
        "write_text(out, text)",
        "with replacing(out) as temporary:\n    frame.write_parquet(temporary)",
        "with replacing(out) as temporary, duckdb.connect(str(temporary)) as connection:\n    pass",
        "text.replace('a', 'b')",
        "names.remove(one)",
        "table.rename({'a': 'b'})",
        "out.open('rb')",
        "duckdb.connect(str(out), read_only=True)",
    ],
)
def test_other_calls_are_left_alone(line):
    assert not own_writers(line)


def test_every_writer_goes_through_the_one_that_knows_what_may_be_written_over():
    found = {name: own_writers((ROOT / name).read_text(encoding="utf-8")) for name in modules() if name != HOME}
    assert not {name: lines for name, lines in found.items() if lines and name not in EXEMPT}
    assert all(found[name] for name in EXEMPT), "a module is exempt that writes nothing any more"


def test_no_query_writes_a_file():
    for path in (ROOT / "reports").rglob("*.sql"):
        assert not re.search(r"\b(COPY|EXPORT|ATTACH)\b", path.read_text(encoding="utf-8")), path
