"""Machine code in the cache is used again as long as nothing that it was made from has changed, and never longer."""

import os
import shutil
import subprocess
import sys

from scheduler_core.common import sources

KERNEL = "from scheduler_core.kernel.jit import kernel, kernel_entry\n"
STEP = KERNEL + "@kernel\ndef step(x):\n    return x + 1\n"
LOOP = KERNEL + "from scheduler_core.{family}.step import step\n@kernel_entry\ndef loop(x):\n    return step(step(x))\n"
CALL = """
from scheduler_core.one.loop import loop as one
from scheduler_core.two.loop import loop as two
for loop in (one, two):
    print(loop(1), "from the cache" if loop.stats.cache_hits else "compiled")
"""


def small_project(folder):
    """A project with the kernels' decorators and two families: a loop each, whose step stands in another file."""
    for name in ("common/sources.py", "kernel/jit.py", "kernel/compiler.py"):
        (folder / "scheduler_core" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sources.ROOT / "scheduler_core" / name, folder / "scheduler_core" / name)
    for family in ("one", "two"):
        (folder / "scheduler_core" / family).mkdir()
        (folder / "scheduler_core" / family / "step.py").write_text(STEP)
        (folder / "scheduler_core" / family / "loop.py").write_text(LOOP.format(family=family))
    for package in ("", "common", "kernel", "one", "two"):
        (folder / "scheduler_core" / package / "__init__.py").touch()
    return folder


def call(folder, home=None, code=CALL):
    """What both loops return in a process of its own, and where their machine code came from."""
    settings = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(home or folder)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )


def test_an_edited_callee_is_compiled_again_and_other_families_are_not(tmp_path):
    folder = small_project(tmp_path)
    assert call(folder)[:2] == ["3 compiled", "3 compiled"]
    assert call(folder)[:2] == ["3 from the cache", "3 from the cache"]
    (folder / "scheduler_core/one/step.py").write_text(STEP.replace("x + 1", "x + 5"))
    assert call(folder)[:2] == ["11 compiled", "3 from the cache"]
    (folder / "scheduler_core/one/step.py").write_text(STEP.replace("x + 1", "x + 7"))  # as long as before
    assert call(folder)[:2] == ["15 compiled", "3 from the cache"]
    (folder / "scheduler_core/kernel/jit.py").open("a").write("EDITED = True\n")
    assert call(folder)[:2] == ["15 compiled", "3 compiled"]


def test_checkouts_share_machine_code_of_the_same_text(tmp_path):
    first, second = (small_project(tmp_path / name) for name in ("first", "second"))
    assert call(first, home=tmp_path)[:2] == ["3 compiled", "3 compiled"]
    (second / "scheduler_core/one/step.py").write_text(STEP.replace("x + 1", "x + 5"))
    assert call(second, home=tmp_path)[:2] == ["11 compiled", "3 from the cache"]


def test_machine_code_that_nobody_asked_for_in_a_month_is_removed(tmp_path):
    folder = small_project(tmp_path)
    call(folder)
    cache = folder / ".cache/slotwise/kernels"
    old, *others = sorted(cache.iterdir())
    os.utime(old, (0, 0))
    call(folder, code="from scheduler_core.kernel.jit import remove_unused; remove_unused()")
    assert sorted(cache.iterdir()) == others


def test_without_a_folder_of_the_user_machine_code_stays_beside_the_package(tmp_path):
    folder = small_project(tmp_path / "project")
    home = tmp_path / "home"
    home.write_text("A file where the folder of the user should be.")
    assert call(folder, home=home)[:2] == ["3 compiled", "3 compiled"]
    assert call(folder, home=home)[:2] == ["3 from the cache", "3 from the cache"]
    assert (folder / "scheduler_core/__pycache__/kernels").is_dir()


def test_numba_finds_other_functions_as_it_does_without_slotwise(tmp_path):
    folder = small_project(tmp_path)
    (folder / "own.py").write_text("import numba\n@numba.njit(cache=True)\ndef own(x):\n    return x\n")
    call(folder, code="import scheduler_core.one.loop; from own import own; own(1)")
    assert list((folder / "__pycache__").glob("own*.nbc"))


CONSTANTS = """
@kernel
def step(by, x):
    return x + by
@kernel_entry
def loop(x, narrow):
    return step(1, x) + step(2, x) + step(x, 3) + step(narrow[0], x)
"""
CALL_CONSTANTS = """
import numpy as np
from scheduler_core.one.loop import loop, step
print(loop(4, np.array([5], np.int32)), len(step.signatures))
"""


def test_a_kernel_is_compiled_once_for_constants_and_narrower_numbers(tmp_path):
    folder = small_project(tmp_path)
    (folder / "scheduler_core/one/loop.py").write_text(KERNEL + CONSTANTS)
    assert call(folder, code=CALL_CONSTANTS)[0] == "27 1"
