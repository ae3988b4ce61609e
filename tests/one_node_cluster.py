"""A SLURM cluster of one machine, for the time of a test; all its files are in one folder."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

PROGRAMS = dict.fromkeys(("munged", "slurmctld", "slurmd", "sbatch", "scancel", "squeue", "sacct"), "slurm-wlm")
"""What must be installed, and the package of Debian that has it."""

ACCOUNTING_PROGRAMS = {
    **dict.fromkeys(("slurmdbd", "sacctmgr"), "slurmdbd"),
    **dict.fromkeys(("mariadbd", "mariadb-install-db"), "mariadb-server"),
}
"""The same for a cluster with accounting."""

SETTINGS = """\
ClusterName=elm
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={controller}
SlurmdPort={node}
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MpiDefault=none
ReturnToService=2
MinJobAge=600
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=short Nodes=ALL MaxTime=5 State=UP
PartitionName=long Nodes=ALL MaxTime=60 State=UP
"""
WITH_ACCOUNTING = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={accounting}
AccountingStoragePass={folder}/munge.socket
"""
ACCOUNTING = """\
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={accounting}
SlurmUser=root
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database}
StorageUser=slurm
StoragePass=slurm
StorageLoc=accounting
"""
USERS = """\
CREATE DATABASE accounting;
CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'slurm';
GRANT ALL ON accounting.* TO slurm@'127.0.0.1';
"""


def program(name: str) -> str | None:
    """Return the path of a program; None if it is not installed."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")


def why_not(*, accounting: bool = False) -> str:
    """Return why there can be no cluster here; empty when there can be one."""
    needed = PROGRAMS | (ACCOUNTING_PROGRAMS if accounting else {})
    missing = [name for name in needed if program(name) is None]
    if missing:
        packages = dict.fromkeys(needed[name] for name in missing)
        return f"not installed: {', '.join(missing)}; install {' '.join(packages)}"
    return "" if os.geteuid() == 0 else "the daemons need root"


def free_port() -> int:
    """Find a port on which no process listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def called(*words: str) -> str:
    """Return what a command prints; it must succeed."""
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def wait_for(words: str, command: list[str], seconds: float = 30.0) -> None:
    """Wait until a command prints ``words``."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        if words in told.stdout:
            return
        time.sleep(0.3)
    raise RuntimeError(f"{' '.join(command)} never said '{words}': {told.stdout}{told.stderr}")


@contextmanager
def daemon(name: str, *options: str) -> Iterator[None]:
    """Run a daemon in the foreground of a child process, and end it afterwards."""
    command = [str(program(name)), *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def authentication(folder: Path) -> Iterator[None]:
    """Run munged with a key and a socket of its own."""
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    files = {"key-file": key, "socket": folder / "munge.socket", "pid-file": folder / "munged.pid"}
    files |= {"log-file": folder / "munged.log", "seed-file": folder / "munged.seed"}
    with daemon("munged", "--foreground", "--force", *(f"--{name}={path}" for name, path in files.items())):
        wait_for("MUNGE", ["munge", "-n", f"--socket={files['socket']}"])
        yield


@contextmanager
def database(folder: Path, port: int) -> Iterator[None]:
    """Run a database in which SLURM keeps its accounting."""
    data, users = folder / "database", folder / "users.sql"
    users.write_text(USERS, encoding="utf-8")
    root = ("--no-defaults", f"--datadir={data}", "--user=root")
    called("mariadb-install-db", *root, "--auth-root-authentication-method=normal", "--skip-test-db")
    where = (f"--socket={folder}/database.socket", f"--port={port}", "--bind-address=127.0.0.1", "--skip-name-resolve")
    with daemon("mariadbd", *root, *where, f"--init-file={users}", f"--pid-file={folder}/database.pid"):
        wait_for(
            "up", [sys.executable, "-c", f"import socket; socket.create_connection(('127.0.0.1', {port})); print('up')"]
        )
        yield


@contextmanager
def cluster(cpus: int = 2, *, accounting: bool = False) -> Iterator[Path]:
    """Run a cluster with the partitions ``all``, ``short`` and ``long``; yield its settings, which ``SLURM_CONF`` names."""
    host = socket.gethostname().split(".")[0]
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // (1 << 20)
    with tempfile.TemporaryDirectory(prefix="elm") as name, pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)  # jobs of other users run their scripts from the spool
        for part in ("state", "spool"):
            (folder / part).mkdir()
        ports = {name: free_port() for name in ("controller", "node", "accounting", "database")}
        settings = SETTINGS + WITH_ACCOUNTING if accounting else SETTINGS
        written = settings.format(host=host, folder=folder, cpus=cpus, memory=memory, **ports)
        conf = folder / "slurm.conf"
        conf.write_text(written, encoding="utf-8")
        patch.setenv("SLURM_CONF", str(conf))
        stack.enter_context(authentication(folder))
        if accounting:
            (folder / "slurmdbd.conf").write_text(ACCOUNTING.format(folder=folder, **ports), encoding="utf-8")
            (folder / "slurmdbd.conf").chmod(0o600)
            stack.enter_context(database(folder, ports["database"]))
            stack.enter_context(daemon("slurmdbd", "-D"))
            wait_for("Cluster", ["sacctmgr", "-P", "show", "cluster"])
            called("sacctmgr", "-i", "add", "cluster", "elm")
        stack.enter_context(daemon("slurmctld", "-D"))
        wait_for("UP", ["scontrol", "ping"])
        stack.enter_context(daemon("slurmd", "-D", "-N", host))
        wait_for("idle", ["sinfo", "--noheader", "--partition=all", "--format=%T"])
        yield conf
