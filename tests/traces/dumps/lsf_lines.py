"""Records of LSF for the tests of importing: a good one, in the layouts of several versions."""

QUOTED = {
    *("type", "version", "user", "queue", "resources", "dependency", "pre_execution", "from_host", "folder", "input"),
    *("output", "errors", "script", "name", "command", "mail", "project", "shell", "time_event"),
}

GOOD = {
    "type": "JOB_FINISH",
    "version": "10.1",
    "event_time": 1704884460,
    "job": 123,
    "user_number": 1000,
    "options": 33,
    "requested": 16,
    "submit": 1704880800,
    "begin": 0,
    "deadline": 0,
    "start": 1704880860,
    "user": "mary",
    "queue": "batch",
    "resources": 'select[type == "any"]',
    "dependency": "",
    "pre_execution": "",
    "from_host": "login",
    "folder": "/home/mary/my work",
    "input": "",
    "output": "out",
    "errors": "err",
    "script": "1704880800.123",
    "asked": (),
    "held": ("8*node1", "8*node2"),
    "status": 64,
    "host_factor": "60.0",
    "name": "my job",
    "command": 'solve "it" now',
    "usage": (-1,) * 19,
    "mail": "",
    "project": "physics",
    "exit_status": 0,
    "most_processors": 16,
    "shell": "",
    "time_event": "",
    "index": 0,
}
LATER = '2048 0 "" "" "" "" 0 "" {reason} "" -1 "/mary" "" "" "" -1 "" "" 5136 "" 1704880860 "" ""'
EXTENSIONS = '2 1032 "0" 1033 "a b"'
USAGE_OF_HOSTS = '2 node1 1306 0 12 24 0 "node2" 1291 0 64 66 0'
LAST = '{limit} 4194304 2048 "select[type == any]" "" -1 "" -1 0 "" 0 0 "" 3600 "/home/mary" 0'


def quoted(text):
    return '"' + str(text).replace('"', '""') + '"'


def written(name, value):
    if isinstance(value, tuple) and name != "usage":
        return " ".join([str(len(value)), *map(quoted, value)])
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return quoted(value) if name in QUOTED else str(value)


def record(limit=7200, reason=0, later=True, last=LAST, **changes):
    """Return a line; ``later`` adds the fields of newer versions, of which the run limit is one."""
    line = " ".join(written(name, value) for name, value in (GOOD | changes).items())
    if not later:
        return line
    return " ".join((line, LATER.format(reason=reason), EXTENSIONS, USAGE_OF_HOSTS, last.format(limit=limit)))
