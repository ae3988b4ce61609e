"""Files as they come: compressed, damaged, foreign, and what their reader says about them."""

import gzip
import os

import pytest

from scheduler_core.common.errors import LogError, ParameterError
from scheduler_core.contracts import Workload
from tests.traces.swf_lines import SECOND, line, write
from traces import IngestOptions, ingest, read_log
from traces.accounting import HeaderAccounting, summary


def test_gzip_is_told_by_content_not_by_name(tmp_path):
    text = write(tmp_path, line()).read_bytes()
    (tmp_path / "packed.swf").write_bytes(gzip.compress(text))
    (tmp_path / "plain.swf.gz").write_bytes(text)
    packed, plain = ingest(tmp_path / "packed.swf"), ingest(tmp_path / "plain.swf.gz")
    assert packed.workload.digest == plain.workload.digest
    assert packed.accounting.sha256 == plain.accounting.sha256
    assert packed.accounting.file == "packed.swf"
    assert plain.workload.provenance["source"] == "plain"


def test_line_ends_of_windows_and_bytes_of_latin1_are_fine(tmp_path):
    path = tmp_path / "windows.swf"
    path.write_bytes("; MaxProcs: 8\r\n; Installation: Zürich\r\n\r\n".encode("latin-1") + line().encode() + b"\r\n")
    result = ingest(path)
    assert result.accounting.header == {"MaxProcs": "8", "Installation": "Zürich"}
    assert (result.accounting.kept, result.accounting.blank) == (1, 1)


def test_what_a_header_says_is_decided_and_counted_when_the_log_is_read(tmp_path):
    header = "; MaxProcs: 8\n; MaxProcs: 9\n; UnixStartTime: soon\n; TimeZone: inf\n;\n"
    result = ingest(write(tmp_path, line(), header=header))
    assert result.workload.machine.processors == 8
    assert result.workload.provenance["header"] == {"MaxProcs": 8}
    assert result.workload.provenance["clock"] is None
    counted = {
        "lines": 5,
        "kept": 2,
        "repaired": {},
        "rejected": {"repeated_key": 1, "not_a_number": 1, "not_finite": 1},
        "unused": [
            "line 3, UnixStartTime: soon: words where a number is expected",
            "line 4, TimeZone: inf: a number that is NaN or infinite",
            "line 2, MaxProcs: 9: a key that a line further up has already: the first line counts "
            "(the header's size is MaxProcs: 8)",
        ],
    }
    assert result.workload.provenance["accounting"]["header"] == counted
    assert result.accounting.to_dict()["header_lines"]["rejected"] == counted["rejected"]
    short, whole = result.accounting.summary(), summary(result.accounting.counts, whole=True)
    assert "header: 3 rejected, line 2, MaxProcs: 9" in short
    assert "TimeZone" not in short
    assert "header: 3 rejected (1 not_a_number, 1 not_finite, 1 repeated_key), line 3, UnixStartTime" in whole
    assert result.accounting.header["UnixStartTime"] == "soon"


def test_a_size_that_is_taken_from_another_key_is_said(tmp_path):
    result = ingest(write(tmp_path, line(), header="; MaxNodes: 16\n; MaxProcs: inf\n"))
    assert result.workload.machine.processors == 16
    said = "line 2, MaxProcs: inf: a number that is NaN or infinite (the header's size is MaxNodes: 16)"
    assert said in result.accounting.summary()


def test_a_machine_size_that_cannot_be_used_is_quoted(tmp_path):
    with pytest.raises(LogError, match="line 1 has 'MaxProcs: -4'"):
        ingest(write(tmp_path, line(), header="; MaxProcs: -4\n"))


def test_an_accounting_of_a_header_adds_up():
    with pytest.raises(LogError, match="does not add up"):
        HeaderAccounting(lines=3, kept=1, rejected={"not_a_number": 1})


def test_the_accounting_rides_in_the_provenance(tmp_path):
    path = write(tmp_path, line(), line().replace(" ", " x", 1), "short")
    counts = read_log(path).provenance["accounting"]
    assert counts["kept"] == 1
    assert sum(counts["rejected"].values()) == 2
    assert counts["lines"] == counts["comments"] + counts["kept"] + 2
    workload = read_log(path)
    workload.write(tmp_path / "w.parquet")
    assert Workload.read(tmp_path / "w.parquet").provenance["accounting"] == counts


PACKED = gzip.compress((f"; MaxProcs: 8\n{line()}\n" * 2000).encode(), mtime=0)
MALFORMED = {
    "empty": (b"", "the file is empty"),
    "empty gzip": (gzip.compress(b""), "the file is empty"),
    "comments only": (b"; MaxProcs: 8\n;\n", "no jobs in 2 lines"),
    "blank lines only": (b"\n\n\n", "no jobs in 3 lines"),
    "binary": (bytes(range(256)) * 20, r"line \d+: this is a binary file"),
    "prose": (b"Dear reader,\nhow are you?\n", "line 1: not one of 2 lines looks like a job"),
    "truncated gzip": (PACKED[: len(PACKED) // 2], r"line \d+: the gzip stream is damaged or ends too early"),
    "head of gzip only": (PACKED[:5], "line 1: the gzip stream"),
    "gzip without its end": (PACKED[:-8], "line 4001: the gzip stream"),
    "gzip with a wrong checksum": (PACKED[:-8] + b"\0" * 8, "the gzip stream"),
    "gzip with a damaged middle": (PACKED[:40] + b"\xff" * 40 + PACKED[80:], "the gzip stream"),
    "gzip with something after it": (PACKED + b"junk", "the gzip stream"),
    "bzip2": (b"BZh91AY&SY", "bzip2"),
    "xz": (b"\xfd7zXZ\x00\x00", "xz file"),
    "zip": (b"PK\x03\x04abc", "zip archive"),
    "Zstandard": (b"\x28\xb5\x2f\xfd123", "Zstandard"),
    "parquet": (b"PAR1....PAR1", "parquet"),
    "UTF-16": (line().encode("utf-16"), "line 1: this is UTF-16 text"),
    "UTF-16 without a mark": (line().encode("utf-16-le"), "binary file"),
    "no machine": (
        line().encode(),
        r"how large the machine is.*--procs.*; jobs held at most \d+ for 99.9% of the time",
    ),
    "nothing left": (f"; MaxProcs: 2\n{line()}\n".encode(), r"not one job is left.*larger_than_machine"),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_file_is_refused_in_words(tmp_path, what):
    content, words = MALFORMED[what]
    path = tmp_path / "bad.swf"
    path.write_bytes(content)
    with pytest.raises(LogError, match=words) as error:
        ingest(path)
    assert str(path) in str(error.value)


def test_what_is_no_file_is_refused_in_words(tmp_path, monkeypatch):
    with pytest.raises(LogError, match="no such file"):
        ingest(tmp_path / "missing.swf")
    with pytest.raises(LogError, match="this is a folder"):
        ingest(tmp_path)
    with pytest.raises(LogError, match="cannot be read"):
        ingest("nul\0byte.swf")
    path = write(tmp_path, line())

    def vanish(self):
        raise OSError("Stale file handle")

    monkeypatch.setattr("scheduler_core.common.inputs.read_bytes", vanish)
    with pytest.raises(LogError, match="Stale file handle"):
        ingest(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused_in_words(tmp_path):
    path = write(tmp_path, line())
    path.chmod(0)
    with pytest.raises(LogError, match="Permission denied"):
        ingest(path)


def test_another_text_than_the_expected_one_is_refused(tmp_path):
    path = write(tmp_path, line())
    sha256 = ingest(path).accounting.sha256
    assert ingest(path, expected_sha256=sha256.upper()).accounting.sha256 == sha256
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(LogError, match=f"not the text expected.*expected {sha256}"):
        ingest(path, expected_sha256=sha256)


# The machine and the options


def test_the_machine_can_be_given(tmp_path):
    header = "; Computer: IBM SP\n; Installation: SDSC\n; MaxNodes: 2\n; MaxProcs: 8\n"
    path = write(tmp_path, line(), line(job=2, allocated=6), header=header)
    machine = ingest(path).workload.machine
    assert (machine.processors, machine.processors_per_node, machine.name) == (8, 4, "IBM SP, SDSC")
    given = ingest(path, processors=5)
    assert (given.workload.machine.processors, given.workload.machine.processors_per_node) == (5, 1)
    assert given.accounting.rejected == {"larger_than_machine": 1}


@pytest.mark.parametrize("processors", [0, -4, 2.5, "8", True])
def test_a_machine_that_makes_no_sense_is_refused(tmp_path, processors):
    with pytest.raises(ParameterError, match="processors must be a whole number of at least 1"):
        ingest(write(tmp_path, line()), processors=processors)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"overun": "kill"}, "ingest has no parameter 'overun'; did you mean 'overrun'"),
        ({"overrun": "kil"}, "must be one of raise_estimate, kill"),
        ({"nonpositive_runtime": 1}, "nonpositive_runtime must be '"),
    ],
)
def test_options_are_validated(tmp_path, values, words):
    with pytest.raises(ParameterError, match=words):
        read_log(write(tmp_path, line()), **values)


def test_the_provenance_names_source_and_options(tmp_path):
    header = "; Computer: CM-5\n; Note: a\n; Note: b\n; MaxProcs: 8\n; UnixStartTime: 7\n"
    result = ingest(write(tmp_path, line(), header=header), IngestOptions(overrun="kill"), name="mine")
    provenance = result.workload.provenance
    assert provenance == {
        "kind": "log",
        "source": "mine",
        "file": "some.swf",
        "sha256": result.accounting.sha256,
        "format": "Standard Workload Format",
        "options": IngestOptions(overrun="kill").values(),
        "header": {"Computer": "CM-5", "UnixStartTime": 7, "MaxProcs": 8, "Note": ["a", "b"]},
        "clock": {"start_s": 7, "utc_offset_s": 0, "zone": ""},
        "accounting": result.accounting.counts,
    }
    result.workload.write(tmp_path / "w.parquet")
    assert Workload.read(tmp_path / "w.parquet").provenance == provenance


def test_read_log_reads_paths(tmp_path):
    path = write(tmp_path, line(estimate=60))
    assert read_log(str(path), overrun="kill").jobs["estimate_us"].to_list() == [60 * SECOND]
    options = IngestOptions(overrun="kill")
    assert read_log(path, options=options, processors=4).machine.processors == 4
    with pytest.raises(LogError, match="no such file"):
        read_log(tmp_path / "other.swf")
