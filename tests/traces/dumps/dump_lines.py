"""Lines of `sacct -P` for the tests of importing: a good one, and files of them."""

from scheduler_core.common.errors import SlotwiseError
from traces.dumps.importing import import_dump
from traces.dumps.reading import ImportOptions

GOOD = {
    "JobIDRaw": "100",
    "JobID": "100",
    "Cluster": "elm",
    "User": "mary",
    "Account": "physics",
    "Partition": "batch",
    "QOS": "normal",
    "Submit": "2024-01-10T10:00:00",
    "Eligible": "2024-01-10T10:00:00",
    "Start": "2024-01-10T10:01:00",
    "End": "2024-01-10T11:01:00",
    "ElapsedRaw": "3600",
    "Timelimit": "02:00:00",
    "NNodes": "2",
    "ReqMem": "8G",
    "ReqTRES": "billing=8,cpu=8,mem=8G,node=2",
    "AllocTRES": "billing=8,cpu=8,mem=8G,node=2",
    "State": "COMPLETED",
    "JobName": "solve",
}
CANCELLED = {
    "State": "CANCELLED by 1000",
    "Start": "None",
    "ElapsedRaw": "0",
    "AllocTRES": "",
    "End": "2024-01-10T10:05:00",
}


def row(**changes):
    return GOOD | changes


def dump(*rows, columns=tuple(GOOD), delimiter="|", end=""):
    lines = [delimiter.join(columns), *(delimiter.join(one[name] for name in columns) for one in rows)]
    return "".join(f"{line}{end}\n" for line in lines)


def write(tmp_path, text, name="dump.txt"):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def read(tmp_path, *rows, columns=tuple(GOOD), **options):
    return import_dump(write(tmp_path, dump(*rows, columns=columns)), ImportOptions(**options))


def read_lines(tmp_path, *lines, **options):
    """Import records as they stand."""
    return import_dump(write(tmp_path, "".join(f"{line}\n" for line in lines)), ImportOptions(**options))


def fates(imported):
    """Return how many lines had each fate, by rule where one applied."""
    return {rule or fate: count for fate, rule, count in imported.accounting.rows() if count}


def jobs(imported):
    """Return the 18 numbers of each job of a log."""
    lines = [line for line in imported.log.text.splitlines() if not line.startswith(";")]
    return [[int(field) for field in line.split()] for line in lines]


def header(imported):
    return [line.removeprefix("; ") for line in imported.log.text.splitlines() if line.startswith(";")]


def counted_or_refused(path):
    """Import a dump of any bytes: every line counts once, or the error names the file."""
    try:
        accounting = import_dump(path).accounting
    except SlotwiseError as refusal:
        assert str(path) in str(refusal)  # noqa: PT017
        return
    assert accounting.lines == sum(count for _, _, count in accounting.rows())
