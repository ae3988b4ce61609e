"""Which format a text has, by its first lines; light, because readers of other formats ask, too."""

import re

SLURM, PBS, LSF, SWF, COLUMNS = "slurm", "pbs", "lsf", "swf", "columns"
"""Formats: `sacct -P`, accounting of PBS and Torque, `lsb.acct` of LSF, Standard Workload Format, other separated columns."""

PROGRAMS = {SLURM: "SLURM (sacct -P)", PBS: "PBS or Torque", LSF: "LSF (lsb.acct)", COLUMNS: "separated columns"}
"""Whose accounting a format is."""

LOOKED_AT = 65_536
"""Bytes at the beginning of a text that are looked at."""

SLURM_COLUMNS = {
    *("jobid", "jobidraw", "jobname", "submit", "eligible", "start", "end", "elapsed", "elapsedraw", "timelimit"),
    *("timelimitraw", "state", "exitcode", "ncpus", "reqcpus", "alloccpus", "reqtres", "alloctres", "reqmem"),
}
"""Names of columns of sacct, in lower case; a header has at least three."""

PBS_RECORD = re.compile(r"\d{1,2}/\d{1,2}/\d{4} \d{1,2}:\d{2}:\d{2};[A-Za-z];[^;]*;")
LSF_RECORD = re.compile(r'"(JOB_FINISH|JOB_RESIZE|EVENT_ADRSV_FINISH)"\s+"?[\d.]+"?\s')
SWF_JOB = re.compile(r"\s*-?\d+(\s+[-+]?[\d.]+){17}\s*")


def format_of(data: bytes) -> str:
    """Return the format of a text: :data:`SLURM`, :data:`PBS`, :data:`LSF`, :data:`SWF`, or :data:`COLUMNS` for any other."""
    text = data[:LOOKED_AT].decode("utf-8-sig", "replace")
    first = next((line for line in text.splitlines() if line.strip()), "")
    if first.lstrip().startswith(";") or SWF_JOB.fullmatch(first):
        return SWF
    if PBS_RECORD.match(first):
        return PBS
    if LSF_RECORD.match(next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")):
        return LSF
    names = {name.strip(' "').casefold() for name in re.split(r"[|,;\t]", first)}
    return SLURM if len(names & SLURM_COLUMNS) >= 3 else COLUMNS


def advice(data: bytes, path: object) -> str:
    """Return what to do with a text that is a dump and no job log; empty for other texts."""
    kind = format_of(data)
    if kind not in (SLURM, PBS, LSF):
        return ""
    return f"this looks like accounting of {PROGRAMS[kind]}; make a job log of it first: slotwise import {path} --out LOG.swf"
