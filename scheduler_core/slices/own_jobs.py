"""The jobs of the slice's own class: put back on their processors, started as reserved, or EASY (Kanavallil 2007, 5.1.4)."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel_step
from scheduler_core.slices.class_plan import cancel_reservation, change_plan, keeps_all, keeps_first, plan_of, reserve
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.frames import may_start
from scheduler_core.slices.lend import overtakes
from scheduler_core.slices.state import Cluster
from scheduler_core.slices.stretches import begin_stretch, start


@kernel_step
def resume_own(cluster: Cluster) -> None:
    """Put every started job of the slice's class back on its processors."""
    kind = cluster.clock.slice
    for k in range(cluster.classes[kind].started):
        begin_stretch(cluster.started[kind, k], kind, cluster)


@kernel_step
def start_own(cluster: Cluster) -> None:
    """Start the waiting jobs of the slice's class whose time has come."""
    kind = cluster.clock.slice
    if keeps_all(kind, cluster):
        start_reserved(kind, cluster)
    else:
        start_easily(kind, cluster)


@kernel_step
def start_reserved(kind: int, cluster: Cluster) -> None:
    """Start every job whose reservation is now; find out when the next one is."""
    reading, following = cluster.classes[kind].clock, NEVER_US
    job = first_in_queue(kind, cluster)
    while job >= 0:
        after = next_in_queue(job, kind, cluster)
        reserved = cluster.state[job].reserved
        if reserved > reading:
            following = min(following, reserved)
        elif reserved == reading and (cluster.state[job].booking < 0 or may_start(job, cluster)):
            cluster.counters.backfilled += overtakes(job, kind, cluster)
            start(job, kind, cluster)
        job = after
    cluster.clock.next_reservation = following


@kernel_step
def note_next_reservation(kind: int, cluster: Cluster) -> None:
    """Find out when the next reservation of the slice's class is."""
    reading, following = cluster.classes[kind].clock, NEVER_US
    job = first_in_queue(kind, cluster)
    while job >= 0:
        if cluster.state[job].reserved > reading:
            following = min(following, cluster.state[job].reserved)
        job = next_in_queue(job, kind, cluster)
    cluster.clock.next_reservation = following


@kernel_step
def start_easily(kind: int, cluster: Cluster) -> None:
    """Start jobs from the head of the queue; behind the first that cannot start, start jobs that do not delay it.

    With first fit nothing is reserved, so that every job starts that fits.
    """
    reading, plan = cluster.classes[kind].clock, plan_of(kind, cluster)
    blocked = -1
    job = first_in_queue(kind, cluster)
    if job >= 0:
        cancel_reservation(job, kind, cluster)
    while job >= 0:
        after = next_in_queue(job, kind, cluster)
        asked = cluster.asked[job]
        if profile.fits_from(plan, reading, asked.processors, asked.estimate):
            change_plan(kind, reading, reading + asked.estimate, -asked.processors, cluster)
            cluster.counters.backfilled += overtakes(job, kind, cluster)
            start(job, kind, cluster)
        elif blocked < 0 and keeps_first(kind, cluster):
            reserve(job, kind, cluster)
            blocked = job
        job = after
    cluster.clock.next_reservation = cluster.state[blocked].reserved if blocked >= 0 else NEVER_US
