"""Python and the command ``slotwise`` in processes forked from one that has imported what they need: most of a short process.

:func:`programs` returns a folder with the programs ``python`` and ``slotwise``. A program hands its words, streams, folder and
environment to a server. The server forks, and the fork becomes the program. The server itself runs nothing, because the threads
of polars would be missing in its forks.
"""

import atexit
import functools
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import NoReturn

from tests.paths import PROJECT

PROGRAM = """\
#!/bin/sh
exec {python} -IS -c '
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect("{address}")
    socket.send_fds(server, [b"0"], [0, 1, 2])
    server.sendall(json.dumps(["{name}", sys.argv[1:], os.getcwd(), dict(os.environ), os.getppid()]).encode() + b"\\n")
    code = int(server.recv(8))
if code < 0:
    os.kill(os.getpid(), -code)
sys.exit(code)
' "$@"
"""
OTHERS = ("altair", "duckdb", "numba", "polars", "smart_open", "snakemake.cli", "snakemake.report", "snakemake.script")
"""What every program finds imported."""

OURS = ("slotwise", "scheduler_core", "traces", "reports", "workflow")
"""The packages of the project, which programs in a copy of it import themselves."""

PLAIN = "NUMBA_DISABLE_JIT"
"""What numba must be told before it is imported."""


@functools.cache
def programs(*, of_a_copy: bool = False) -> Path:
    """Return the folder of the programs; their server ends with this process.

    Programs of a copy of the project have none of its modules imported, and their kernels run as plain Python.
    """
    folder = Path(tempfile.mkdtemp(prefix="forked-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    address = folder / "server"
    for name in ("python", "slotwise"):
        (folder / name).write_text(PROGRAM.format(python=sys.executable, address=address, name=name))
        (folder / name).chmod(0o755)
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}  # which programs have of their own
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forked", str(address)],
        cwd=PROJECT,
        env={**kept, "PYTHONUNBUFFERED": "1", **({PLAIN: "1"} if of_a_copy else {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,  # pipes, as what may be streams of programs: Python would seek in a file
    )
    assert server.stdout
    told = server.stdout.readline()
    assert told == b"ready\n", (told + server.stdout.read()).decode()
    return folder


def import_ours() -> None:
    """Import the packages of the project, and load the machine code of kernels that the cache has."""
    from numba.core.dispatcher import Dispatcher

    for package in OURS:
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if found.name.startswith("workflow.scripts"):
                continue  # they run as they are imported
            for kernel in vars(importlib.import_module(found.name)).values():
                if isinstance(kernel, Dispatcher) and hasattr(kernel._cache, "_cache_file"):
                    for signature, *_ in kernel._cache._cache_file._load_index():
                        kernel.compile(signature)


def serve(address: str) -> None:
    """Fork a process for every program that hands itself over, until the process that started this one ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for these processes
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready")
        while listening in select.select([listening, sys.stdin], [], [])[0]:
            program, _ = listening.accept()
            if os.fork() == 0:
                run_for(program, address)
            program.close()


def run_for(program: socket.socket, address: str) -> NoReturn:
    """Become a program in a process forked from this one, and hand back its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(program, 1, 3)
    with program.makefile("rb") as handed:
        name, words, folder, environment, parent = json.loads(handed.readline())
    if child := os.fork():
        if program in select.select([program, os.pidfd_open(child)], [], [])[0]:
            os.kill(child, signal.SIGKILL)  # the program was killed
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        program.sendall(str(code).encode())
        os._exit(0)
    program.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    assert environment.get(PLAIN) == os.environ.get(PLAIN)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.getppid = lambda: parent  # as of the program; the pipeline knows by it that its lock is held by who started it
    sys.executable = str(Path(address).with_name("python"))
    try:
        code = run(name, words)
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    os._exit(code)  # at once: taking all modules down, page by page copied, would take as long as importing them


def run(name: str, words: list[str]) -> int:
    """Run a program; return the exit code of one that does not raise it."""
    sys.argv = [name, *words]
    if name == "slotwise":
        from slotwise.cli.main import main

        return main()
    first, *rest = words
    sys.argv = [first, *rest[1:]] if first in ("-c", "-m") else words
    sys.path[0] = "" if first == "-c" else str(Path.cwd() if first == "-m" else Path(first).parent.resolve())
    sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if first == "-c":
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif first == "-m":
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(first, run_name="__main__")
    return 0


if __name__ == "__main__":
    for module in OTHERS:
        importlib.import_module(module)
    if PLAIN in os.environ:
        assert not set(OURS) & sys.modules.keys(), "a copy of the project could not import its own"
    else:
        import_ours()
    gc.freeze()
    serve(sys.argv[1])
