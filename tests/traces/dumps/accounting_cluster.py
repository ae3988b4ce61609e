"""A SLURM cluster of one machine with accounting, for the time of a test; all its files are in one folder."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.workflow.one_node_cluster import daemon, free_port, wait_for

PROGRAMS = {
    **dict.fromkeys(("munged", "slurmctld", "slurmd", "sbatch", "scancel", "squeue", "sacct"), "slurm-wlm"),
    **dict.fromkeys(("slurmdbd", "sacctmgr"), "slurmdbd"),
    **dict.fromkeys(("mariadbd", "mariadb-install-db"), "mariadb-server"),
}
"""What must be installed, and the package of Debian that has it."""

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
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={accounting}
AccountingStoragePass={folder}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=short Nodes=ALL Default=YES MaxTime=5 State=UP
PartitionName=long Nodes=ALL MaxTime=60 State=UP
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


def why_not() -> str:
    """Return why there can be no cluster here; empty when there can be one."""
    missing = [name for name in PROGRAMS if program(name) is None]
    if missing:
        packages = dict.fromkeys(PROGRAMS[name] for name in missing)
        return f"not installed: {', '.join(missing)}; install {' '.join(packages)}"
    return "" if os.geteuid() == 0 else "the daemons need root"


def called(*words: str) -> str:
    """Return what a command prints; it must succeed."""
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@contextmanager
def authentication(folder: Path) -> Iterator[None]:
    """Run munged with a key and a socket of its own."""
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    files = {"key-file": key, "socket": folder / "munge.socket", "pid-file": folder / "munged.pid"}
    files |= {"log-file": folder / "munged.log", "seed-file": folder / "munged.seed"}
    options = [f"--{name}={path}" for name, path in files.items()]
    with daemon(str(program("munged")), "--foreground", "--force", *options):
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
    with daemon(str(program("mariadbd")), *root, *where, f"--init-file={users}", f"--pid-file={folder}/database.pid"):
        wait_for(
            "up", [sys.executable, "-c", f"import socket; socket.create_connection(('127.0.0.1', {port})); print('up')"]
        )
        yield


@contextmanager
def cluster(cpus: int = 2) -> Iterator[None]:
    """Run a cluster with two partitions, ``short`` and ``long``, whose commands the environment finds (``SLURM_CONF``)."""
    host = socket.gethostname().split(".")[0]
    before = os.environ.get("SLURM_CONF")
    with tempfile.TemporaryDirectory(prefix="elm") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)  # jobs of other users run their scripts from the spool
        for part in ("state", "spool"):
            (folder / part).mkdir()
        ports = {name: free_port() for name in ("controller", "node", "accounting", "database")}
        (folder / "slurm.conf").write_text(
            SETTINGS.format(host=host, folder=folder, cpus=cpus, **ports), encoding="utf-8"
        )
        (folder / "slurmdbd.conf").write_text(ACCOUNTING.format(folder=folder, **ports), encoding="utf-8")
        (folder / "slurmdbd.conf").chmod(0o600)
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        try:
            stack.enter_context(authentication(folder))
            stack.enter_context(database(folder, ports["database"]))
            stack.enter_context(daemon(str(program("slurmdbd")), "-D"))
            wait_for("Cluster", ["sacctmgr", "-P", "show", "cluster"])
            called("sacctmgr", "-i", "add", "cluster", "elm")
            stack.enter_context(daemon(str(program("slurmctld")), "-D"))
            wait_for("UP", ["scontrol", "ping"])
            stack.enter_context(daemon(str(program("slurmd")), "-D", "-N", host))
            wait_for("idle", ["sinfo", "--noheader", "--format=%T"])
            yield
        finally:
            stack.close()
            if before is None:
                del os.environ["SLURM_CONF"]
            else:
                os.environ["SLURM_CONF"] = before
