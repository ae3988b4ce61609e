"""Facts that a policy of this family states, so that the checker's rules need not know it by name."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SpaceSharingFacts:
    """The ceilings of users; None where there is none."""

    user_jobs: int | None = None  # running jobs
    user_time: int | None = None  # remaining requested time of running jobs, in processors times microseconds
