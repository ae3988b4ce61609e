"""The oracle of the grid: a cluster in slices that makes all reservations and slots anew at every instant."""

from collections.abc import Sequence

from scheduler_core.declarations.policy import Policy
from tests.oracles.grid.booking import Slide, Slot
from tests.oracles.grid.slices import BookedJob, Rules, SliceCluster
from tests.oracles.job import Job as Asked
from tests.oracles.plan import earliest
from tests.oracles.slices.state import CLASSES, Job, Slice


class RecalculatingCluster(SliceCluster):
    """One cluster under SCOJO-PECT whose reservations are recalculated; a slot may be kept until the latest finish."""

    def promise(self, job: Job, group: int) -> None:
        """Promise nothing."""

    def look_at_slots(self, piece: Slice) -> None:
        """Leave slots that are reached where they are."""

    # Kept slots ------------------------------------------------------------------------------------------------

    def is_kept(self, job: Job) -> bool:
        """Tell whether a job, which has a slot, has a kept one."""
        if self.rules.reservations != "kept" or not isinstance(job, BookedJob):
            return False
        return self.time <= job.booking.frame.latest

    def has_passed(self, job: BookedJob) -> bool:
        """Tell whether a job is held back past its bound, without a kept slot."""
        return super().has_passed(job) and not (job.reservation is not None and self.is_kept(job))

    def last_instant(self, job: BookedJob) -> int:
        """Return the last instant at which the slot of a held back job counts: a kept one until its latest finish."""
        kept_until = job.booking.frame.latest if self.rules.reservations == "kept" else 0
        return max(job.booking.bound, kept_until)

    # Step 2 ----------------------------------------------------------------------------------------------------

    def move_reservations(self) -> None:
        """Make all reservations and slots of all classes anew."""
        self.room = set()
        for kind in CLASSES:
            self.recalculate(kind)

    def recalculate(self, kind: int) -> None:
        """Make the reservations and slots of a class anew; a job without one is set aside."""
        jobs = [job for job in self.queue(kind) if job.reservation is not None]
        was = {job: job.reservation for job in jobs}
        kept = [job for job in jobs if self.is_kept(job)]
        for job in jobs:
            job.reservation = None
        for job in kept:
            begin = max(was[job], self.clock(kind))
            job.reservation = earliest(self.processors, self.plan(kind), begin, job.estimate, job.size)
        others, moved = [job for job in jobs if job not in kept], True
        while moved:
            for job in others:
                job.reservation = None
            for job in others:
                job.reservation = self.best_for(job)
            moved = False
            for job in kept:
                if not job.booking.pinned and self.best_for(job) < job.reservation:
                    job.reservation, moved = self.best_for(job), True
        for job in jobs:
            if isinstance(job, BookedJob) and not self.stays(job, was[job]):
                self.slid(job, self.why(job, was[job]))

    def stays(self, job: BookedJob, was: int) -> bool:
        """Tell whether a slot is where it was, or a kept one only moved on to the clock."""
        now = self.clock(job.kind)
        return job.reservation == was or (self.is_kept(job) and was < now == job.reservation)

    def why(self, job: BookedJob, was: int) -> str:
        """Return why a slot moved."""
        if self.is_due(job):
            return "freed"
        return "recalculated" if job.reservation > was else "room"

    def slid(self, job: BookedJob, cause: str) -> Slot:
        """Write down where a slot is now; a kept one that is reached before the bound is as one at the bound."""
        begin = job.reservation
        if self.is_kept(job):
            begin = max(begin, self.reading(job.kind, job.booking.bound))
        slot = self.slot(job.kind, begin, job.estimate, job.booking.bound)
        self.slides.append(Slide(job.asked.job, self.time, *slot, cause))
        return slot


def cluster_in_slices(policy: Policy, jobs: Sequence[Asked], processors: int, rules: Rules) -> SliceCluster:
    """Make a cluster in slices with the rule for its reservations."""
    made = SliceCluster if rules.reservations == "rebooked" else RecalculatingCluster
    return made(policy, jobs, processors, rules)
