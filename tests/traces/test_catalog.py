"""The catalogue of logs, and finding them."""

import dataclasses

import pytest
import yaml

from scheduler_core.common.errors import LogError, StudyError
from scheduler_core.contracts import WORKLOAD_COLUMNS
from traces import catalog as module
from traces.catalog import catalog, find_log, folders, get_log, known_log, missing_workload, read_catalog
from traces.fetch import check

NAMES = ["LANL-CM5-1994-4.1-cln", "SDSC-Par-1996-3.1-cln", "SDSC-SP2-1998-4.2-cln"]
NAMES += ["SDSC-BLUE-2000-4.2-cln", "SDSC-DS-2004-2.1-cln", "CTC-SP2-1996-3.1-cln"]


def test_the_catalogue_knows_the_logs_of_the_archive():
    assert set(NAMES) <= set(catalog())
    assert len({entry.sha256 for entry in catalog().values()}) == len(catalog())
    assert len({entry.citation for entry in catalog().values()}) == len(catalog())
    for name in NAMES:
        entry = catalog()[name]
        assert entry.name == name
        assert name in entry.citation
        assert entry.contributor in entry.citation
        assert entry.url == entry.page + entry.file
        assert entry.url.startswith("https://www.cs.huji.ac.il/labs/parallel/workload/l_")
        assert entry.quirks
        assert "Experience with using the Parallel Workloads Archive" in entry.archive_citation
        assert entry.contributor in entry.acknowledgement
    assert "Regents" in get_log("SDSC-SP2").terms
    assert get_log("SDSC-DS").terms == get_log("SDSC-SP2").terms


@pytest.mark.logs
@pytest.mark.parametrize("name", catalog())
def test_a_log_at_hand_is_the_one_of_its_entry(name):
    path = find_log(name)
    if path is None:
        pytest.skip(f"{name} is not at hand: {', '.join(map(str, folders()))}")
    check(get_log(name), path)


def test_a_log_from_elsewhere_names_its_own_archive(tmp_path):
    own = {"archive": "logs of a laboratory", "archive_terms": "", "archive_citation": "A. Person, 2020."}
    entries = read_catalog(changed(tmp_path, entry_with(**own)))
    entry = entries["SDSC-SP2-1998-4.2-cln"]
    assert (entry.archive, entry.archive_terms, entry.archive_citation) == tuple(own.values())
    assert "by way of the logs of a laboratory" in entry.acknowledgement
    assert "Parallel Workloads Archive" in entries["SDSC-DS-2004-2.1-cln"].acknowledgement


def test_an_entry_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        get_log("SDSC-SP2").processors = 3


@pytest.mark.parametrize("word", ["SDSC-SP2-1998-4.2-cln", "SDSC-SP2", "sdsc-sp2", "SDSC-SP2-1998-4.2-cln.swf.gz"])
def test_a_log_has_several_names(word):
    assert get_log(word) is catalog()["SDSC-SP2-1998-4.2-cln"]


def test_an_unknown_log_is_an_error_that_names_the_nearest():
    assert known_log("SDSC-SPP2") is None
    with pytest.raises(LogError, match="no log 'SDSC-SPP2'; did you mean 'SDSC-SP2'"):
        get_log("SDSC-SPP2")


def place(folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("x", encoding="utf-8")
    return folder / name


def test_logs_are_looked_for_in_order(root, monkeypatch):
    assert find_log("SDSC-SP2") is None
    shared = place(root / "shared" / "traces", "SDSC-SP2-1998-4.2-cln.swf.gz")
    assert find_log("SDSC-SP2") == shared
    own = place(root / "project" / "traces" / "logs", "SDSC-SP2-1998-4.2-cln.swf")
    assert find_log("SDSC-SP2") == own
    packed = place(root / "project" / "traces" / "logs", "SDSC-SP2-1998-4.2-cln.swf.gz")
    assert find_log("SDSC-SP2-1998-4.2-cln") == packed
    one, two = root / "one", root / "two"
    monkeypatch.setenv("SLOTWISE_TRACES", f"{one}:{two}")
    named = place(two, "SDSC-SP2-1998-4.2-cln.swf.gz")
    assert find_log("SDSC-SP2") == named
    assert folders()[:2] == [one, two]


def test_a_log_of_no_catalogue_is_found_by_its_name(root):
    mine = place(root / "project" / "traces" / "logs", "mine.swf")
    assert find_log("mine") == mine
    assert find_log("yours") is None


def test_a_folder_is_no_log(root):
    (root / "project" / "traces" / "logs" / "mine.swf").mkdir(parents=True)
    assert find_log("mine") is None


def changed(tmp_path, change):
    content = yaml.safe_load(module.CATALOGUE.read_text(encoding="utf-8"))
    change(content)
    path = tmp_path / "catalog.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def entry_with(**values):
    return lambda content: content["logs"]["SDSC-SP2-1998-4.2-cln"].update(values)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (entry_with(procesors=3), "SDSC-SP2-1998-4.2-cln: there is no key 'procesors'; did you mean 'processors'"),
        (lambda c: c["logs"]["SDSC-DS-2004-2.1-cln"].pop("url"), "SDSC-DS-2004-2.1-cln: key 'url' is missing"),
        (entry_with(processors="128"), "processors: expected a whole number; found '128'"),
        (entry_with(processors=True), "processors: expected a whole number; found True"),
        (entry_with(processors=0), "processors: expected at least 1; found 0"),
        (entry_with(jobs=-1), "jobs: expected at least 1"),
        (entry_with(quirks="none"), "quirks: expected a list of sentences; found 'none'"),
        (entry_with(quirks=[3]), "quirks: expected a list of sentences"),
        (entry_with(label=7), "label: expected text; found 7"),
        (entry_with(label=" "), "label: expected a label"),
        (entry_with(label="SDSC-DS"), "label 'SDSC-DS' is already that of"),
        (entry_with(sha256="2BB6"), "sha256: expected 64 hexadecimal digits"),
        (entry_with(url="ftp://x"), "url: expected an address"),
        (
            entry_with(file="../other.swf.gz"),
            "file: expected SDSC-SP2-1998-4.2-cln.swf.gz, or another file of that kind",
        ),
        (lambda c: c["logs"].update(x=3), "x: expected keys with values; found 3"),
        (lambda c: c.update(logs=[]), "logs: expected names with entries"),
        (lambda c: c["archive"].pop("terms"), "archive: key 'terms' is missing"),
        (lambda c: c.pop("archive"), "the catalogue: key 'archive' is missing"),
    ],
)
def test_a_wrong_catalogue_is_refused_in_words(tmp_path, change, words):
    path = changed(tmp_path, change)
    with pytest.raises(StudyError, match=words) as error:
        read_catalog(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"), [("logs: [", "be read"), ("- a\n", "keys"), ("", "keys"), (None, "be read")]
)
def test_a_catalogue_that_is_none_is_refused(tmp_path, text, words):
    path = tmp_path / "catalog.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=f"catalogue.*{words}"):
        read_catalog(path)


def test_a_missing_log_gives_no_jobs_on_its_machine():
    workload = missing_workload(get_log("SDSC-BLUE"))
    assert (len(workload), workload.machine.processors, workload.machine.processors_per_node) == (0, 1152, 8)
    assert list(workload.jobs.columns) == list(WORKLOAD_COLUMNS)
    assert workload.provenance["missing"] is True
    assert workload.provenance["source"] == "SDSC-BLUE-2000-4.2-cln"
