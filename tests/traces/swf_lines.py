"""Lines of the Standard Workload Format for the tests of ingesting: a good one, and files of them."""

from traces import IngestOptions, ingest

SECOND = 10**6
NAMES = (
    *("job", "submit", "wait", "runtime", "allocated", "cpu", "used_memory", "requested", "estimate", "memory"),
    *("status", "user", "group", "executable", "queue", "partition", "after", "think"),
)
GOOD = dict(zip(NAMES, (1, 10, 5, 100, 4, 90, -1, 4, 200, -1, 1, 7, 2, 3, 0, 1, -1, -1), strict=True))


def line(**changes):
    return " ".join(str(value) for value in (GOOD | changes).values())


def write(tmp_path, *lines, header="; MaxProcs: 8\n"):
    path = tmp_path / "some.swf"
    path.write_text(header + "".join(f"{text}\n" for text in lines), encoding="latin-1")
    return path


def read(tmp_path, *lines, options=None, **keywords):
    return ingest(write(tmp_path, *lines), IngestOptions.build(options or {}), **keywords)


def first(result):
    return result.workload.jobs.row(0, named=True)


EIGHT_JOBS = "; MaxProcs: 8\n" + "".join(f"{line(job=job, submit=10 * job)}\n" for job in range(1, 9))
"""A log of good jobs, 10 s apart."""

SIXTY_JOBS = "; MaxProcs: 64\n" + "".join(
    f"{k + 1} {9000 * k} -1 {7000 + k} {12 + k % 9} -1 -1 {12 + k % 9} 9000 -1 1 1 1 1 {k % 3} {1 + k % 2} -1 -1\n"
    for k in range(60)
)
"""A log of three queues (0 to 2) and two partitions (1 and 2)."""
