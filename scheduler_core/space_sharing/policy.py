"""What the policies of space sharing have in common: they are parametrisations of one event loop."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import Policy
from scheduler_core.space_sharing.rules import Instant, TiedCompletions, words_of


def instant_parameter() -> Any:
    """Declare ``instant``, as several policies have it."""
    meaning = "when a pass is made: after everything at one instant, or after every event"
    return parameter("batch", meaning, choices=words_of(Instant))


def tied_completions_parameter() -> Any:
    """Declare ``tied_completions``, as several policies have it."""
    meaning = "order in which the completions of one instant are taken: by position, or as their jobs started"
    return parameter("position", meaning, choices=words_of(TiedCompletions))


@dataclass(frozen=True)
class SpaceSharingPolicy(Policy):
    """A policy of space sharing.

    Where the workload credits jobs with waiting time (``credit_us``), the order of submission, ``fcfs``, takes each job as
    submitted so much earlier. In a standstill of the workload no pass is made and no job starts; running jobs go on. It ends all
    reservations: the first pass at its end makes them anew, those of conservative backfilling in the order of the queue.

    The engine reads the parameters under the policy's own names. ``fixed`` has the rules that are no parameters of the policy
    (:class:`~scheduler_core.space_sharing.rules.Rules` lists all rules).
    """

    fixed: ClassVar[dict[str, str]] = {}
