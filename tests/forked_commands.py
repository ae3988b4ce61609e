"""The command ``slotwise`` in processes forked from one that has imported it and loaded its kernels: most of a short command.

``forked_commands()`` returns a folder for the path of a shell. Its program ``slotwise`` hands its words, streams, folder and
environment to a server. The server forks, and the fork becomes the command. The server itself runs no command, because the
threads of polars would be missing in its forks.
"""

import atexit
import functools
import gc
import importlib
import json
import os
import pkgutil
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

from slotwise.cli.main import main
from tests.paths import PROJECT

PROGRAM = """\
#!/bin/sh
exec {python} -IS -c '
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect("{address}")
    socket.send_fds(server, [b"0"], [0, 1, 2])
    server.sendall(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode())
    server.shutdown(socket.SHUT_WR)
    sys.exit(int(server.recv(8)))
' "$@"
"""
PACKAGES = ("slotwise", "scheduler_core", "traces")
"""What the server imports."""


@functools.cache
def forked_commands() -> Path:
    """Return the folder of the program; its server ends with this process."""
    folder = Path(tempfile.mkdtemp(prefix="forked-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program, address = folder / "slotwise", folder / "server"
    program.write_text(PROGRAM.format(python=sys.executable, address=address))
    program.chmod(0o755)
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forked_commands", str(address)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,  # pipes, as what may be streams of commands: Python would seek in a file
    )
    assert server.stdout
    told = server.stdout.readline()
    assert told == b"ready\n", (told + server.stdout.read()).decode()
    return folder


def import_all() -> None:
    """Import the packages, and load the machine code of kernels that the cache has."""
    from numba.core.dispatcher import Dispatcher

    for package in PACKAGES:
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            for kernel in vars(importlib.import_module(found.name)).values():
                if isinstance(kernel, Dispatcher) and hasattr(kernel._cache, "_cache_file"):
                    for signature, *_ in kernel._cache._cache_file._load_index():
                        kernel.compile(signature)


def serve(address: str) -> None:
    """Fork a process for every command that a program hands over, until the process that started this one ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for these processes
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready")
        while listening in select.select([listening, sys.stdin], [], [])[0]:
            program, _ = listening.accept()
            if os.fork() == 0:
                run_for(program)
            program.close()


def run_for(program: socket.socket) -> NoReturn:
    """Run the command that a program hands over in a process forked from this one, and hand back its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(program, 1, 3)
    with program.makefile("rb") as handed:
        words, folder, environment = json.load(handed)
    if child := os.fork():
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        program.sendall(str(code % 256).encode())
        os._exit(0)
    program.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["slotwise", *words]
    try:
        code = main()
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        traceback.print_exc()
        code = 1
    os._exit(code)  # at once: taking all modules down, page by page copied, would take as long as importing them


if __name__ == "__main__":
    import_all()
    gc.freeze()
    serve(sys.argv[1])
