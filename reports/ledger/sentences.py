"""The testable sentences of a source, with the claims that test them or the reason why none does.

A study states them in ``sentences.yaml``, in the order of the source. Snakemake reads this module at every start, so it imports
nothing heavy.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.declarations.written import Expected, Written, complaint, key, parse

Text = Annotated[str, Field(min_length=1), Expected("text")]


class Sentence(Written):
    """A testable sentence of a source."""

    section: Text = key("the place in the source")
    sentence: Text = key("the source's words; … marks what is left out", "", otherwise="those of its first claim")
    paraphrased: bool = key("the words are not the source's", False)
    claims: Annotated[list[str], Expected("a list of ids of claims of the study")] = key(
        "ids of the claims that test it", [], otherwise="none"
    )
    reason: str = key("why no claim can test it, or what is left untested", "", otherwise="none")
    needs: str = key("what a claim needs that does not exist yet", "", otherwise="none")

    @model_validator(mode="after")
    def _check_answered(self) -> Self:
        if not (self.claims or self.reason or self.needs):
            raise complaint(
                "is missing; give claims that test the sentence, a 'reason' why none can, or what one 'needs'", "claims"
            )
        if not (self.sentence or self.claims):
            raise complaint("is missing; it must be given where there is no claim", "sentence")
        return self


class Sentences(Written):
    """The testable sentences of a source, as far as one study treats it."""

    source: Text = key("the source, as its claims cite it; studies of one source state the same text")
    sentences: Annotated[list[Sentence], Expected("a list of sentences")] = key(
        "the sentences, in the order of the source"
    )


def read_sentences(written: Any, claims: Mapping[str, str], where: str) -> Sentences:
    """Return the sentences of a study, checked and whole; ``where`` starts every message.

    ``claims`` has the words of each claim by its id: a sentence without words has those of its first claim.

    Raises
    ------
    StudyError
        When a key is wrong, or a sentence names a claim that the study does not have.
    """
    found = parse(Sentences, written, where)
    for place, one in enumerate(found.sentences):
        for claim in one.claims:
            if claim not in claims:
                raise StudyError(
                    f"{where}: sentences.{place}.claims: the study has no claim '{claim}'; {nearest(claim, claims)}"
                )
    whole = [
        {"sentence": claims[one.claims[0]]} | one.written if one.claims else one.written for one in found.sentences
    ]
    return parse(Sentences, found.written | {"sentences": whole}, where)
