"""What becomes of the lines of `sacct -P`, one odd case at a time."""

import pytest

from scheduler_core.common.errors import LogError, ParameterError
from tests.traces.dumps.dump_lines import CANCELLED, GOOD, dump, fates, header, jobs, read, row, write
from traces import ingest
from traces.dumps.importing import import_dump
from traces.dumps.reading import ImportOptions


def test_a_completed_job_becomes_a_line_of_18_numbers(tmp_path):
    imported = read(tmp_path, row())
    assert jobs(imported) == [[1, 0, 60, 3600, 8, -1, -1, 8, 7200, 1024**2, 1, 1, 1, 1, 1, 1, -1, -1]]
    assert fates(imported) == {"kept": 1, "header": 1}


def test_the_header_says_when_where_and_how(tmp_path):
    assert header(read(tmp_path, row(), timezone="Europe/Berlin", nodes=4)) == [
        "Version: 2.2",
        "Computer: elm",
        "Conversion: slotwise import, from accounting of SLURM (sacct -P)",
        "MaxJobs: 1",
        "MaxRecords: 1",
        "UnixStartTime: 1704877200",
        "TimeZoneString: Europe/Berlin",
        "StartTime: Wed Jan 10 10:00:00 CET 2024",
        "EndTime: Wed Jan 10 11:01:00 CET 2024",
        "MaxNodes: 4",
        "MaxProcs: 8",
        "Note: MaxProcs is the most processors that jobs held at once: a lower bound, derived from the log",
        "MaxQueues: 1",
        "Queue: 1 normal",
        "MaxPartitions: 1",
        "Partition: 1 batch",
        "Note: users, groups and executables are numbers in the order of first appearance",
        "Note: a job cancelled before it started has a wait until then, and no run time or allocated processors",
    ]
    assert "Note: no time zone was given, so local times of the dump were read as UTC" in header(read(tmp_path, row()))


def test_the_log_is_read_by_ingest(tmp_path):
    imported = read(tmp_path, row(), row(JobIDRaw="101", JobID="101", Submit="2024-01-10T10:00:05"), processors=64)
    path = write(tmp_path, imported.log.text, "log.swf")
    workload = ingest(path).workload
    assert (len(workload), workload.machine.processors, workload.machine.name) == (2, 64, "elm")
    assert workload.provenance["clock"] == {"start_s": 1704880800, "utc_offset_s": 0, "zone": "UTC"}
    assert workload.provenance["accounting"]["header"]["rejected"] == {}


def test_the_machine_has_the_most_processors_held_at_once(tmp_path):
    second = row(JobIDRaw="2", JobID="2", Start="2024-01-10T10:31:00", End="2024-01-10T11:31:00")
    third = row(JobIDRaw="3", JobID="3", Start="2024-01-10T11:01:00", End="2024-01-10T12:01:00")
    assert read(tmp_path, row(), second, third).log.processors == 16


def test_a_brief_peak_is_no_size_of_the_machine(tmp_path):
    """In a year whose clock was set back without a word, two jobs on 8 processors seem to overlap for ten minutes."""
    year = row(JobIDRaw="1", JobID="1", Start="2023-01-01T00:00:00", End="2024-01-10T10:11:00", ElapsedRaw="")
    second = row(JobIDRaw="2", JobID="2")
    imported = read(tmp_path, year, second, processors=8)
    assert (imported.log.processors, [note for note in imported.notes if "at once" in note]) == (8, [])
    assert read(tmp_path, year, second).log.processors == 8
    longer = row(JobIDRaw="1", JobID="1", Start="2023-01-01T00:00:00", End="2024-01-10T11:01:01", ElapsedRaw="")
    later = row(JobIDRaw="2", JobID="2", End="2024-01-10T11:01:01", ElapsedRaw="")
    assert read(tmp_path, longer, later).log.processors == 16


def test_steps_are_counted_and_are_no_jobs(tmp_path):
    steps = [row(JobID=f"100.{name}", JobIDRaw=f"100.{name}") for name in ("batch", "extern", "0")]
    steps += [row(JobID="7_4.0", JobIDRaw="9.0"), row(JobID="123+0.0", JobIDRaw="123.0")]
    assert fates(read(tmp_path, row(), *steps)) == {"kept": 1, "header": 1, "step": 5}


def test_jobs_of_arrays_and_of_heterogeneous_jobs_are_jobs(tmp_path):
    ids = {"11": "10_1", "12": "10_2", "20": "20+0", "21": "20+1"}
    imported = read(tmp_path, *(row(JobIDRaw=raw, JobID=job) for raw, job in ids.items()))
    assert len(jobs(imported)) == 4
    assert [name for kind, _, name in imported.log.names if kind == "job"] == list(ids.values())


@pytest.mark.parametrize("job", ["123_[5-9]", "123_[1-10%2]", "123_[1,3,5-7]", "123_[1-4,..."])
def test_tasks_of_an_array_that_never_started_share_a_job(tmp_path, job):
    cancelled = read(tmp_path, row(JobID=job, **CANCELLED))
    assert fates(cancelled) == {"array_in_one_line": 1, "header": 1}
    with pytest.raises(LogError, match=r"not one job is left of 2 lines.*1 not_finished.*; line 2 is rejected"):
        read(tmp_path, row(JobID=job, State="PENDING", Start="Unknown", End="Unknown", AllocTRES=""))


def test_a_job_cancelled_in_the_queue_has_its_wait_and_the_requested_processors(tmp_path):
    expected = [1, 0, 300, -1, -1, -1, -1, 8, 7200, 1024**2, 5, 1, 1, 1, 1, 1, -1, -1]
    assert jobs(read(tmp_path, row(**CANCELLED))) == [expected]
    as_before_21 = {**CANCELLED, "Start": CANCELLED["End"]}
    assert jobs(read(tmp_path, row(**as_before_21))) == [expected]


def test_without_columns_of_allocation_ncpus_counts(tmp_path):
    columns = [name for name in GOOD if name not in ("AllocTRES", "ReqTRES")] + ["NCPUS"]
    cancelled = row(JobIDRaw="101", NCPUS="3", **{**CANCELLED, "Start": CANCELLED["End"]})
    found = jobs(read(tmp_path, row(NCPUS="4"), cancelled, columns=columns))
    assert [(job[4], job[7]) for job in found] == [(4, 4), (-1, 3)]


def test_trackable_resources_win_over_counts_of_cpus(tmp_path):
    columns = (*GOOD, "AllocCPUS", "ReqCPUS", "NCPUS")
    counts = {"AllocCPUS": "2", "ReqCPUS": "3", "NCPUS": "5"}
    full = row(AllocTRES="billing=64,cpu=64,gres/gpu=8,mem=1T,node=2", ReqTRES="cpu=32,node=1", **counts)
    bare = row(JobIDRaw="101", AllocTRES="", ReqTRES="", **counts)
    assert [(job[4], job[7]) for job in jobs(read(tmp_path, full, bare, columns=columns))] == [(64, 32), (2, 3)]


def test_of_a_job_requeued_the_last_attempt_counts(tmp_path):
    first = row(State="NODE_FAIL", End="2024-01-10T10:05:00", ElapsedRaw="240")
    last = row(Submit="2024-01-10T10:07:00", Start="2024-01-10T10:08:00", End="2024-01-10T10:09:00", ElapsedRaw="60")
    for rows in ((first, last), (last, first)):
        imported = read(tmp_path, *rows)
        assert fates(imported) == {"kept": 1, "header": 1, "earlier_attempt": 1}
        assert jobs(imported)[0][:4] == [1, 0, 60, 60]


@pytest.mark.parametrize(("jobs", "told"), [(50, True), (150, False)])
def test_many_attempts_that_are_left_out_are_told(tmp_path, jobs, told):
    others = [row(JobIDRaw=str(number)) for number in range(101, 100 + jobs)]
    notes = read(tmp_path, row(State="PREEMPTED"), row(Submit="2024-01-10T12:00:00"), *others).notes
    assert any(note.startswith("1 attempt of jobs that were preempted or requeued") for note in notes) is told


def test_a_job_number_used_again_by_another_user_is_another_job(tmp_path):
    assert len(jobs(read(tmp_path, row(), row(User="john", Submit="2024-01-10T10:00:30")))) == 2


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("COMPLETED", 1),
        ("FAILED", 0),
        ("TIMEOUT", 0),
        ("NODE_FAIL", 0),
        ("OUT_OF_ME+", 0),
        ("PREEMPTED", 0),
        ("BOOT_FAIL", 0),
        ("CANCELLED by 1000", 5),
        ("CANCELLED+", 5),
        ("CANCEL+", 5),
        ("DEADLINE", 5),
    ],
)
def test_states_become_the_status_of_the_format(tmp_path, state, status):
    assert jobs(read(tmp_path, row(State=state)))[0][10] == status


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"State": "RUNNING", "End": "Unknown"}, "not_finished"),
        ({"State": "SUSPENDED"}, "not_finished"),
        ({"State": "REQUEUED"}, "not_finished"),
        ({"State": "REVOKED"}, "other_machine"),
        ({"State": "DANCING"}, "unknown_state"),
        ({"State": ""}, "unknown_state"),
        ({"State": "RE+"}, "unknown_state"),
        ({"Start": "Unknown"}, "no_start"),
        ({"End": "Unknown", "ElapsedRaw": ""}, "no_end"),
        ({"Submit": "Unknown", "Eligible": "Unknown"}, "no_submit"),
        ({"Submit": "yesterday"}, "bad_time"),
        ({"Submit": "9999-01-01T00:00:00"}, "bad_time"),
        ({"ElapsedRaw": "-5"}, "bad_time"),
        ({"Timelimit": "soon"}, "bad_time"),
        ({"AllocTRES": "cpu=many"}, "bad_number"),
        ({"AllocTRES": "cpu=99999999999"}, "bad_number"),
        ({"AllocTRES": "", "ReqTRES": ""}, "no_processors"),
        ({"End": "2024-01-10T09:00:00", "ElapsedRaw": ""}, "end_before_start"),
        ({"JobID": "x", "JobIDRaw": "x"}, "no_job_number"),
        ({"JobName": "a|b"}, "wrong_fields"),
    ],
)
def test_a_line_that_is_no_job_is_rejected_by_a_rule(tmp_path, changes, rule):
    assert fates(read(tmp_path, row(JobIDRaw="1", JobID="1"), row(**changes))) == {"kept": 1, rule: 1, "header": 1}


@pytest.mark.parametrize(
    ("changes", "rule", "numbers"),
    [
        ({"End": "Unknown"}, "end_from_elapsed", [0, 60, 3600, 8]),
        ({"End": "2024-01-10T07:01:00"}, "end_from_elapsed", [0, 60, 3600, 8]),
        ({"Submit": "Unknown"}, "submit_from_eligible", [0, 60, 3600, 8]),
        ({"Submit": "2024-01-10T10:03:00"}, "submit_after_start", [0, 0, 3600, 8]),
        ({"AllocTRES": ""}, "requested_processors", [0, 60, 3600, 8]),
        ({"End": "2024-01-10T10:31:00", "ElapsedRaw": "5400"}, "clock_went_back", [0, 60, 5400, 8]),
        ({"End": "2024-01-10T12:01:00"}, "clock_went_forward", [0, 60, 3600, 8]),
    ],
)
def test_a_line_is_repaired_by_a_rule(tmp_path, changes, rule, numbers):
    imported = read(tmp_path, row(**changes))
    assert fates(imported) == {rule: 1, "header": 1}
    assert jobs(imported)[0][1:5] == numbers
    assert imported.accounting.examples == {rule: [{"line": 2, "found": ""}]}


def test_a_suspended_job_has_the_time_between_start_and_end(tmp_path):
    assert jobs(read(tmp_path, row(ElapsedRaw="1800")))[0][3] == 3600


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1-00:00:00", 86400),
        ("2-03:04:05", 183845),
        ("1-12", 129600),
        ("1-12:30", 131400),
        ("100:00:00", 360000),
        ("10:00", 600),
        ("00:30.500", 30),
        ("UNLIMITED", -1),
        ("Partition_Limit", -1),
        ("", -1),
    ],
)
def test_limits(tmp_path, text, seconds):
    assert jobs(read(tmp_path, row(Timelimit=text)))[0][8] == seconds


def test_raw_limits_are_minutes(tmp_path):
    columns = [name if name != "Timelimit" else "TimelimitRaw" for name in GOOD]
    rows = [row(JobIDRaw=str(n), TimelimitRaw=text) for n, text in enumerate(("90", "UNLIMITED", "Partition_Limit"))]
    assert [job[8] for job in jobs(read(tmp_path, *rows, columns=columns))] == [5400, -1, -1]


@pytest.mark.parametrize(
    ("memory", "kilobytes"),
    [("4Gc", 4 * 1024**2), ("4Gn", 1024**2), ("8192M", 1024**2), ("8", 1024), ("0", -1), ("", -1), ("?", -1)],
)
def test_memory_is_per_processor(tmp_path, memory, kilobytes):
    assert jobs(read(tmp_path, row(ReqMem=memory)))[0][9] == kilobytes


def test_several_clusters_need_a_choice(tmp_path):
    rows = (row(), row(Cluster="oak"), row(Cluster="oak", JobIDRaw="101", JobID="101"))
    with pytest.raises(
        LogError, match=r"dump of 2 clusters, elm \(1 line\), oak \(2 lines\); choose one with --cluster"
    ):
        read(tmp_path, *rows)
    assert fates(read(tmp_path, *rows, cluster="oak")) == {"kept": 2, "header": 1, "other_cluster": 1}
    with pytest.raises(ParameterError, match="no line is of the cluster 'ash'; the dump has elm"):
        read(tmp_path, *rows, cluster="ash")


def test_partitions_may_be_chosen(tmp_path):
    rows = (row(), row(Partition="gpu", JobIDRaw="1"), row(Partition="gpu,batch", JobIDRaw="2", **CANCELLED))
    step = row(Partition="", JobID="100.0", JobIDRaw="100.0")
    imported = read(tmp_path, *rows, step, partitions=("batch",))
    assert fates(imported) == {"kept": 2, "header": 1, "step": 1, "other_partition": 1}
    with pytest.raises(ParameterError, match="no job is of the partition 'fast'; the dump has batch, gpu"):
        read(tmp_path, *rows, partitions=("fast",))


def test_missing_columns_are_named_together_with_the_call(tmp_path):
    columns = [name for name in GOOD if name not in ("Submit", "Eligible", "State")]
    with pytest.raises(
        LogError, match=r"dump.txt: no column Submit, State among JobIDRaw.*sacct -a -P --noconvert -D -X"
    ):
        read(tmp_path, row(), columns=columns)


def test_columns_that_are_not_used_are_named(tmp_path):
    imported = read(tmp_path, row(MaxRSS="1K", Reservation=""), columns=(*GOOD, "MaxRSS", "Reservation"))
    assert imported.notes == ["columns that are not used: MaxRSS, Reservation"]
    assert imported.accounting.ignored_columns == ["MaxRSS", "Reservation"]


def test_a_dump_without_limits_says_so(tmp_path):
    imported = read(tmp_path, row(), columns=[name for name in GOOD if name != "Timelimit"])
    assert (jobs(imported)[0][8], "requested times are unknown" in imported.notes[0]) == (-1, True)


def test_jobs_without_a_limit_beside_others_are_counted(tmp_path):
    others = [
        row(JobIDRaw=f"{job}", JobID=f"{job}", Timelimit=text)
        for job, text in ((1, "UNLIMITED"), (2, "Partition_Limit"))
    ]
    never = row(JobIDRaw="3", JobID="3", Timelimit="UNLIMITED", **CANCELLED)
    assert read(tmp_path, row(), *others, never).notes == ["2 jobs without a run limit: simulations take the run time"]
    assert read(tmp_path, row(), never).notes == []


@pytest.mark.parametrize("delimiter", ["|", ";", "\t"])
@pytest.mark.parametrize("end", ["", "delimiter", "\r"])
def test_delimiters_and_line_ends(tmp_path, delimiter, end):
    text = dump(row(), delimiter=delimiter, end=delimiter if end == "delimiter" else end)
    assert jobs(import_dump(write(tmp_path, text))) == jobs(read(tmp_path, row()))


def test_a_bar_in_the_name_of_a_job_moves_no_value_into_another_column(tmp_path):
    """The last value is empty, so that one field too many looks like a delimiter at the end of the line."""
    columns = (*GOOD, "Reason")
    rows = row(Reason=""), row(JobIDRaw="101", JobName="a|b", Reason="")
    imported = import_dump(write(tmp_path, dump(*rows, columns=columns)))
    assert fates(imported) == {"kept": 1, "wrong_fields": 1, "header": 1}
    assert "leave its column out" in str(imported.accounting.examples["wrong_fields"])


def test_quoted_commas_are_no_delimiters(tmp_path):
    quoted = row(ReqTRES='"cpu=8,node=2"', AllocTRES='"cpu=8,node=2"')
    assert jobs(import_dump(write(tmp_path, dump(quoted, delimiter=",")))) == jobs(read(tmp_path, row()))


def test_joined_dumps_repeat_the_header_and_may_have_empty_lines(tmp_path):
    text = dump(row()) + "\n" + dump(row(JobIDRaw="101"))
    assert fates(import_dump(write(tmp_path, text))) == {"kept": 2, "header": 2, "blank": 1}


def test_no_name_of_a_person_leaves_the_dump(tmp_path):
    bad = row(JobIDRaw="7", JobName="mary|mary"), row(JobIDRaw="8", State="?")
    imported = read(tmp_path, row(JobName="mary.sh"), *bad)
    assert "mary" not in imported.log.text
    assert "physics" not in imported.log.text
    assert "mary" not in str(imported.accounting.to_dict())


def test_a_dump_whose_lines_do_not_fit_its_header_is_refused(tmp_path):
    """Commas separate columns here and stand in their values, so only the job that held one resource can be read."""
    text = dump(row(), row(JobIDRaw="101"), row(JobIDRaw="102", ReqTRES="cpu=1", AllocTRES="cpu=1"), delimiter=",")
    with pytest.raises(
        LogError, match=r"2 lines do not have as many fields .* only 1 job could be read; line 2 is rejected"
    ):
        import_dump(write(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (dump(row()).partition("\n")[2], "call sacct without -n or --noheader"),
        ('{"meta": {}, "jobs": []}\n', "JSON: call sacct with -P instead of --json"),
        (dump(row(), delimiter="   "), "columns of sacct in print: call it with -P"),
        (
            dump(row(Start="10/01/2024 10:01")),
            r"10/01/2024 10:01 in line 2 may have the day or the month first, .*--dates",
        ),
        (dump(row(Start="10 Jan 10:01")), r"expected 2024-01-31T08:00:00 \(sacct writes it if SLURM_TIME_FORMAT"),
    ],
)
def test_a_call_of_sacct_with_other_options_is_told_what_to_change(tmp_path, text, words):
    with pytest.raises(LogError, match=words):
        import_dump(write(tmp_path, text))


@pytest.mark.parametrize(
    ("held", "asked", "gpus"),
    [
        ("cpu=8,gres/gpu=2,gres/gpu:a100=2", "cpu=8,gres/gpu=4", (2, 4)),
        ("cpu=8,gres/gpu:a100=1,gres/gpu:v100=2", "", (3, 3)),
        ("", "cpu=8,gres/gpu=4", (4, 4)),
    ],
)
def test_gpus_may_be_counted_in_place_of_processors(tmp_path, held, asked, gpus):
    with_gpus = row(AllocTRES=held, ReqTRES=asked)
    imported = read(tmp_path, with_gpus, row(JobIDRaw="101", JobID="101"), gpus=True)
    assert (jobs(imported)[0][4], jobs(imported)[0][7], imported.log.processors) == (*gpus, gpus[0])
    assert fates(imported)["no_gpus"] == 1
    assert imported.notes == []
    assert "Note: the processors of this log are GPUs; jobs without GPUs are left out" in header(imported)


def test_gpus_of_columns_are_named_by_columns(tmp_path):
    path = write(tmp_path, "q,b,e,g\n1704880800,1704880860,1704884460,4\n")
    with pytest.raises(
        ParameterError, match=r"--gpus: GPUs are counted .*; found separated columns.* processors=COLUMN"
    ):
        import_dump(path, ImportOptions(columns="submit=q,start=b,end=e,processors=g", gpus=True))


def test_jobs_with_gpus_are_counted_and_their_steps_are_not(tmp_path):
    gpus = "billing=8,cpu=8,gres/gpu=2,mem=8G,node=1"
    rows = (
        row(),
        row(JobIDRaw="101", JobID="101", AllocTRES=gpus),
        row(JobIDRaw="101.0", JobID="101.0", AllocTRES=gpus),
    )
    (note,) = [one for one in read(tmp_path, *rows).notes if "GPU" in one]
    assert note.startswith("1 job with GPUs: simulations schedule processors only")
    assert not any("GPU" in one for one in read(tmp_path, row()).notes)
    elsewhere = row(JobIDRaw="102", JobID="102", Partition="gpu", AllocTRES=gpus)
    assert not any("GPU" in one for one in read(tmp_path, row(), elsewhere, partitions=("batch",)).notes)
