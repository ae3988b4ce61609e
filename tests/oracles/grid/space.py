"""The oracle of the grid: a cluster in space sharing, stepped instant by instant, that keeps bookings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.oracles.grid.booking import Booked, Done, Frame, Slide, Slot, booked
from tests.oracles.job import Job
from tests.oracles.plan import Use, earliest, fits


@dataclass(eq=False)
class Stay:
    """A job that runs: a booked one, or one of the machine's own."""

    job: Job
    begin: int

    @property
    def expected(self) -> int:
        """When it is expected to end."""
        return self.begin + self.job.estimate

    @property
    def leaves(self) -> int:
        """When it ends."""
        return self.begin + self.job.stay


@dataclass
class SpaceCluster:
    """A machine under conservative or EASY backfilling; ``to_come`` are its own jobs, in the order of the workload."""

    policy: str
    processors: int
    to_come: list[Job]
    time: int = -1
    queue: list[Job] = field(default_factory=list)
    running: list[Stay] = field(default_factory=list)
    reservations: dict[Job, int] = field(default_factory=dict)
    bookings: list[Booked] = field(default_factory=list)  # those that do not run yet, in order of booking
    holds: dict[int, int] = field(default_factory=dict)  # by number of the job: begin of its hold
    called: bool = False
    given: bool = False  # the plan was given processors since the last pass
    slides: list[Slide] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)
    lost: int = 0

    # What there is ---------------------------------------------------------------------------------------------

    def free(self) -> int:
        """Count the processors on which no job runs."""
        return self.processors - sum(stay.job.size for stay in self.running)

    def taken(self, without: Booked | None = None) -> list[Use]:
        """List what running jobs, reservations and holds take."""
        runs = [Use(stay.begin, stay.expected, stay.job.size) for stay in self.running]
        planned = [Use(begin, begin + job.estimate, job.size) for job, begin in self.reservations.items()]
        return [*runs, *planned, *self.held(without)]

    def held(self, without: Booked | None = None) -> list[Use]:
        """List what holds take."""
        others = [one for one in self.bookings if one is not without and one.asked.job in self.holds]
        begins = ((self.holds[one.asked.job], one.asked) for one in others)
        return [Use(begin, begin + job.estimate, job.size) for begin, job in begins]

    def next_instant(self) -> int | None:
        """Return when something happens next."""
        if self.called:
            return self.time
        times = [job.submit for job in self.to_come]
        times += [stay.leaves for stay in self.running]
        times += list(self.reservations.values())
        times += list(self.holds.values())
        times += [one.bound + (one.ready is None) for one in self.bookings]
        return min((time for time in times if time > self.time), default=None)

    # Calls -----------------------------------------------------------------------------------------------------

    def book(self, asked: Job, frame: Frame) -> Slot | None:
        """Book a job."""
        one = booked(asked, frame)
        self.bookings.append(one)
        self.called = True
        if one.ready is None and one.bound < self.time:
            return None
        return self.hold(one, "booked")

    def release(self, number: int, ready: int, earliest: int) -> None:
        """Let a booked job start."""
        next(one for one in self.bookings if one.asked.job == number).release(ready, earliest)
        self.called = True

    def submit(self, asked: Job) -> None:
        """Take a job that is submitted now or later."""
        self.to_come = sorted([*self.to_come, asked], key=lambda job: job.position)
        self.called = self.called or asked.submit == self.time

    def predict(self, asked: Job, earliest: int) -> Slot:
        """Say when a job would start and finish."""
        begin = self.place(asked, earliest, None)
        return Slot(begin, begin + asked.estimate)

    # Holds -----------------------------------------------------------------------------------------------------

    def hold(self, one: Booked, cause: str) -> Slot:
        """Make a hold at its place."""
        begin = self.place(one.asked, one.bound, one)
        return self.hold_at(one, begin, cause)

    def hold_at(self, one: Booked, begin: int, cause: str) -> Slot:
        """Make a hold."""
        slot = Slot(begin, begin + one.asked.estimate)
        self.holds[one.asked.job] = begin
        self.slides.append(Slide(one.asked.job, self.time, *slot, cause))
        return slot

    def place(self, asked: Job, bound: int, without: Booked | None) -> int:
        """Return where a hold would begin."""
        first = max(self.time, bound)
        if self.policy == "conservative":
            return earliest(self.processors, self.taken(without), first, asked.estimate, asked.size)
        return self.go_on(asked, first, without)

    def go_on(self, asked: Job, first: int, without: Booked | None) -> int:
        """Return when a job submitted then would start under EASY if all went as it is expected."""
        other = SpaceCluster("easy", self.processors, [Job(-1, first, asked.estimate, asked.estimate, asked.size)])
        other.time = self.time
        other.queue = list(self.queue)
        other.running = [Stay(believed(stay.job), stay.begin) for stay in self.running]
        held = self.held(without)
        while True:
            if other.to_come and other.to_come[0].submit <= other.time:
                other.queue.append(other.to_come.pop())
            other.easy_pass(held)
            started = [stay.begin for stay in other.running if stay.job.job == -1]
            if started:
                return started[0]
            ends = [stay.expected for stay in other.running] + [one.end for one in held]
            ends += [job.submit for job in other.to_come]
            other.time = min(time for time in ends if time > other.time)
            other.running = [stay for stay in other.running if stay.expected > other.time]
            held = [one for one in held if one.end > other.time]

    # An instant ------------------------------------------------------------------------------------------------

    def instant_at(self, time: int) -> None:
        """Do what happens at an instant."""
        self.time, self.called = time, False
        self.lose_slots()
        again = True
        while again:
            self.leave()
            self.arrive()
            self.make_pass()
            self.start_held()
            again = self.bring_forward()

    def lose_slots(self) -> None:
        """Step 1: holds that have come and may not be used; those that were set aside and have been released."""
        for one in self.bookings:
            number = one.asked.job
            begin, late = self.holds.get(number), one.ready is None and one.bound < self.time
            if begin is not None and (late or (begin == self.time and one.ready is not None and one.bound > begin)):
                del self.holds[number]
                self.given, one.pinned = True, False
                self.lost += 1
            if number not in self.holds and one.ready is not None:
                self.hold(one, "not_ready")

    def leave(self) -> None:
        """Let jobs leave whose work is done."""
        for stay in [stay for stay in self.running if stay.leaves == self.time]:
            self.running.remove(stay)
            self.given = self.given or stay.expected > self.time
            self.done.append(Done(stay.job.job, stay.begin, self.time))

    def arrive(self) -> None:
        """Let submitted jobs join the queue."""
        while self.to_come and self.to_come[0].submit <= self.time:
            job = self.to_come.pop(0)
            self.queue.append(job)

    def make_pass(self) -> None:
        """Make the pass of the policy."""
        if self.policy == "conservative":
            self.conservative_pass()
        else:
            self.easy_pass(self.held())
        self.given = False

    def conservative_pass(self) -> None:
        """Plan jobs that have come; where there is room, plan all anew; start those whose time has come."""
        for job in self.queue:
            if job not in self.reservations or self.given:
                self.reservations.pop(job, None)
                self.reservations[job] = earliest(self.processors, self.taken(), self.time, job.estimate, job.size)
        for job in [job for job in self.queue if self.reservations[job] == self.time]:
            del self.reservations[job]
            self.start(job)

    def start(self, job: Job) -> None:
        """Start a waiting job."""
        self.queue.remove(job)
        self.running.append(Stay(job, self.time))

    def leaves_holds(self, job: Job, held: Iterable[Use]) -> bool:
        """Tell whether a job that starts now leaves running jobs and holds their processors."""
        taken = [*(Use(stay.begin, stay.expected, stay.job.size) for stay in self.running), *held]
        return fits(self.processors, taken, self.time, job.estimate, job.size)

    def reservation_of(self, head: Job, held: Sequence[Use]) -> tuple[int, int]:
        """Return shadow time and extra processors of the head."""
        taken = [*(Use(stay.begin, stay.expected, stay.job.size) for stay in self.running), *held]
        shadow = earliest(self.processors, taken, self.time, head.estimate, head.size)
        extra = 0
        while fits(self.processors, taken, shadow, head.estimate, head.size + extra + 1):
            extra += 1
        return shadow, extra

    def easy_pass(self, held: Sequence[Use]) -> None:
        """Start the heads, reserve for the first that does not fit, backfill."""
        while self.queue and self.leaves_holds(self.queue[0], held):
            self.start(self.queue[0])
        if not self.queue:
            return
        shadow, extra = self.reservation_of(self.queue[0], held)
        for job in self.queue[1:]:
            by_shadow = self.time + job.estimate <= shadow
            if self.leaves_holds(job, held) and (by_shadow or job.size <= extra):
                self.start(job)
                extra -= 0 if by_shadow else job.size

    def start_held(self) -> None:
        """Step 3: start the bookings whose hold begins now."""
        for one in list(self.bookings):
            if self.holds.get(one.asked.job) == self.time and one.may_start(self.time):
                self.start_booked(one)

    def start_booked(self, one: Booked) -> None:
        """Let a booked job run."""
        self.bookings.remove(one)
        del self.holds[one.asked.job]
        self.running.append(Stay(one.asked, self.time))

    def bring_forward(self) -> bool:
        """Step 4: bring bookings forward; tell whether one was moved or started."""
        changed = False
        for one in list(self.bookings):
            begin = self.holds.get(one.asked.job)
            if begin is None or one.pinned:
                continue
            place = self.place(one.asked, one.bound, one) if self.policy == "conservative" else self.easy_place(one)
            if place is not None and place < begin:
                self.hold_at(one, place, one.forward())
                self.given = changed = True
                if place == self.time and one.may_start(self.time):
                    self.start_booked(one)
        return changed

    def easy_place(self, one: Booked) -> int | None:
        """Return now if a booking starts before its hold under EASY."""
        held = self.held(one)
        if not one.may_start(self.time) or not self.leaves_holds(one.asked, held):
            return None
        if not self.queue:
            return self.time
        shadow, extra = self.reservation_of(self.queue[0], held)
        return self.time if self.time + one.asked.estimate <= shadow or one.asked.size <= extra else None


def believed(job: Job) -> Job:
    """Return a job that runs for its estimate."""
    return Job(job.job, job.submit, job.estimate, job.estimate, job.size)
