"""The testable sentences of sources: read and checked, complete, and shown with what becomes of each."""

import duckdb
import pytest

from reports.ledger.claims import Bench, Ledger, add_sentences
from reports.ledger.sentences import read_sentences
from reports.measure.store import make_tables
from reports.pages.claim_rows import claim_rows
from reports.pages.sources_page import counts, coverage, fitted
from scheduler_core.common.errors import StudyError
from tests.paths import STUDIES, study_file
from workflow.studies import read_study

LISTED = sorted(path.parent.name for path in STUDIES.glob("*/sentences.yaml"))


WORDS = {"faster": "It runs faster.", "other": "It is other."}


def written(**changes):
    one = {"section": "section 4", "sentence": "It is faster.", "claims": ["faster"]} | changes
    return {"source": "A. Author, A paper, 2020", "sentences": [{key: value for key, value in one.items() if value}]}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"claims": ["fastr"]}, "sentences.0.claims: the study has no claim 'fastr'; did you mean 'faster'"),
        ({"claims": None}, "sentences.0.claims: is missing; give claims that test the sentence"),
        ({"section": None}, "sentences.0.section"),
        (
            {"sentence": None, "claims": None, "reason": "lost"},
            "sentences.0.sentence: is missing; it must be given where",
        ),
        ({"claim": "faster"}, "sentences.0.claim: there is no such key; did you mean 'claims'"),
        ({"claims": "faster"}, "sentences.0.claims: expected a list of ids of claims of the study; found 'faster'"),
    ],
)
def test_wrong_sentences_are_refused(changes, words):
    with pytest.raises(StudyError) as error:
        read_sentences(written(**changes), WORDS, "sentences.yaml")
    assert f"sentences.yaml: {words}" in str(error.value)


@pytest.mark.parametrize("answer", [{}, {"claims": None, "reason": "lost"}, {"claims": None, "needs": "a run"}])
def test_a_sentence_has_claims_or_a_reason_or_says_what_is_missing(answer):
    assert len(read_sentences(written(**answer), WORDS, "here").sentences) == 1


def test_a_sentence_has_its_own_words_or_those_of_its_first_claim():
    for own, words in (("In words.", "In words."), (None, "It runs faster.")):
        (one,) = read_sentences(written(sentence=own, claims=["faster", "other"]), WORDS, "here").written["sentences"]
        assert one["sentence"] == words


@pytest.mark.parametrize("study", LISTED)
def test_every_claim_belongs_to_a_sentence(study):
    found = read_study(study_file(study))
    tested = [claim for one in found.sentences.sentences for claim in one.claims]
    assert set(tested) == {claim.id for claim in found.claims}


def test_the_five_sources_are_listed():
    assert {"scojo_gang", "scojo_coscheduling", "group_optimisation", "lomarc", "grid_reservations", "gang_theory",
            "gang_packing", "gang_variants", "concurrent_gang", "concurrent_gang_analysis"} == set(LISTED)  # fmt: skip
    sources = {read_study(study_file(study)).sentences.source for study in LISTED}
    assert len(sources) == 5


@pytest.fixture
def store():
    with duckdb.connect() as connection:
        make_tables(connection)
        yield connection


def test_the_pages_say_what_becomes_of_each_sentence(store):
    claims = [
        ("faster", "reproduced", ""),
        ("slower", "not reproduced", "the load"),
        ("wider", "cannot tell", "aging\nthe load"),
    ]
    for position, (claim, verdict, chosen) in enumerate(claims):
        row = {
            "study": "s",
            "claim": claim,
            "headline": claim,
            "verdict": verdict,
            "fitted": chosen,
            "position": position,
            **dict.fromkeys(("rows", "reproduced"), 2),
            **dict.fromkeys(("refuted", "undecided", "untestable"), 0),
        }
        marks = ", ".join("?" * len(row))
        store.execute(f"INSERT INTO claims ({', '.join(row)}) VALUES ({marks})", list(row.values()))
    store.execute("INSERT INTO studies (study, title, position) VALUES ('s', 'A study', 0)")
    entries = [*written(claims=["faster", "slower"])["sentences"], *written(claims=None, reason="lost")["sentences"],
               *written(claims=None, needs="a run", paraphrased=True)["sentences"]]  # fmt: skip
    ledger = Ledger()
    add_sentences(ledger, Bench(store, {"study": "s", "sentences": {"source": "A paper", "sentences": entries}}))
    ledger.record(store)
    claims = claim_rows(store)
    page = coverage(store, claims)
    assert page["counts"] == {"all": 3, "tested": 1, "untestable": 1, "open": 1}
    (source,) = page["sources"]
    assert source["source"] == "A paper"
    assert [claim["verdict"] for claim in source["sentences"][0]["claims"]] == ["reproduced", "not reproduced"]
    assert [claim["mix"] for claim in source["sentences"][0]["claims"]] == ["2 of 2"] * 2
    assert [row["reason"] or row["needs"] for row in source["sentences"][1:]] == ["lost", "a run"]
    assert [row["paraphrased"] for row in source["sentences"]] == [False, False, True]
    (study,) = fitted(claims)["studies"]
    assert [(row["fitted"], len(row["claims"])) for row in study["choices"]] == [("the load", 2), ("aging", 1)]


def test_without_sentences_there_is_nothing_to_show(store):
    assert coverage(store, [])["sources"] == []
    assert counts([])["all"] == 0
