"""Records of PBS for the tests of importing: a good one."""

GOOD = {
    "user": "mary",
    "group": "physics",
    "jobname": "my job",
    "queue": "batch",
    "ctime": "1704880800",
    "qtime": "1704880800",
    "etime": "1704880800",
    "start": "1704880860",
    "exec_host": "node1/0-7+node2/0-7",
    "Resource_List.nodect": "2",
    "Resource_List.nodes": "2:ppn=8",
    "Resource_List.walltime": "02:00:00",
    "Resource_List.mem": "16gb",
    "end": "1704884460",
    "Exit_status": "0",
    "resources_used.walltime": "01:00:00",
}


def record(kind="E", job="123.server", time="01/10/2024 11:01:00", **changes):
    fields = {name: value for name, value in (GOOD | changes).items() if value}
    return f"{time};{kind};{job};" + " ".join(f"{name}={value}" for name, value in fields.items())
