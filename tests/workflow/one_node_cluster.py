"""A SLURM cluster of one machine, for the time of a test."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CONFIGURATION = Path("/etc/slurm/slurm.conf")
KEY = Path("/etc/munge/munge.key")
DAEMONS = ("munged", "slurmctld", "slurmd")
SETTINGS = """\
ClusterName=slotwise
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={port}
SlurmdPort={node_port}
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
"""


def why_not() -> str:
    """Return why there can be no cluster here; empty when there can be one."""
    missing = [name for name in DAEMONS if shutil.which(name, path=f"/usr/sbin:{os.environ['PATH']}") is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    return "" if os.geteuid() == 0 else "the daemons need root"


def free_port() -> int:
    """Find a port on which no process listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


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
def kept(path: Path) -> Iterator[None]:
    """Restore a file afterwards, or remove it if it did not exist."""
    before = path.read_bytes() if path.exists() else None
    try:
        yield
    finally:
        if before is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(before)


@contextmanager
def daemon(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a daemon in the foreground of a child process, and end it afterwards."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def authentication(folder: Path) -> Iterator[None]:
    """Run munged with a new key, unless one is running already."""
    if subprocess.run(["munge", "-n"], capture_output=True, check=False).returncode == 0:
        yield
        return
    with kept(KEY):
        KEY.write_bytes(os.urandom(1024))
        KEY.chmod(0o400)
        shutil.chown(KEY, "munge", "munge")
        runtime = Path("/run/munge")
        runtime.mkdir(mode=0o755, exist_ok=True)
        shutil.chown(runtime, "munge", "munge")
        as_munge = ("setpriv", "--reuid=munge", "--regid=munge", "--init-groups")
        with daemon(*as_munge, "/usr/sbin/munged", "--foreground"):
            wait_for("MUNGE", ["munge", "-n"])
            yield


@contextmanager
def cluster(folder: Path, cpus: int = 2) -> Iterator[None]:
    """Run slurmctld and slurmd for this machine alone; restore an existing configuration afterwards."""
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    host = socket.gethostname().split(".")[0]
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // (1 << 20)
    ports = {"port": free_port(), "node_port": free_port()}
    settings = SETTINGS.format(host=host, folder=folder, cpus=cpus, memory=memory, **ports)
    with authentication(folder), kept(CONFIGURATION):
        CONFIGURATION.write_text(settings, encoding="utf-8")
        with daemon("/usr/sbin/slurmctld", "-D"):
            wait_for("UP", ["scontrol", "ping"])
            with daemon("/usr/sbin/slurmd", "-D", "-N", host):
                wait_for("idle", ["sinfo", "--noheader", "--format=%T"])
                yield
