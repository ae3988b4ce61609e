"""Bookings in space sharing: tasks of workflows hold processors until they run. This page is their specification.

A *booking* is a job (size, run time, estimate) with the start of its frame (``earliest_us``, EST), the end of it (``latest_us``,
LFT: a statistic, nothing is cancelled past it), the time at which its data are expected (``expected_us``), and whether it is
*pinned*. Machines under ``conservative`` and under ``easy`` with one reservation take bookings; other policies take none. Jobs
of the machine itself are submitted as ever, and without bookings nothing here changes a schedule.

The *length* of a booking is its estimate (under ``conservative(plan_by="runtime")`` what the plan knows: its run time, at most
its estimate). It runs for ``min(runtime, estimate)``.

**Bound.** A booking is *held back* until it is released with the time at which its data are there (``ready_us``) and the EST
then in force; it may be released as it is booked. Its bound is max(EST, expected) while it is held back, and max(EST, ready)
once it is released. It *may start* at t when it is released and its bound is t or earlier. One that is still held back when its
bound lies in the past, or is booked so, is *set aside*: its data are late, and it has no hold until it is released.
(At the bound itself it is not late: a predecessor on the same machine may be done at that very time, and the release follows.)

**Hold.** A booking holds processors for its length, from the *begin* of its hold on. No job may start that would need them by
the estimates: under ``conservative`` a hold is taken off *free(t)* as reservations are; under ``easy`` a job starts (as head, or
as a candidate) only if, for its estimate, what running jobs hold until their expected ends and what is held leave it its
processors. A hold under ``easy`` counts for the head's reservation, too: the shadow time is the earliest time, now or later,
from which the expected ends of the running jobs and the holds leave the head its processors for its estimate; the extra
processors are the fewest that are left beside it in that time.

**Place.** The begin of a hold that is made at t, for a bound b, with x = max(t, b):

* ``conservative``: the earliest time, x or later, from which *free(t)* has the processors for the length.
* ``easy``: the time at which a job submitted at x, behind all others, would start if no further job came, every job ran for its
  estimate, and every other hold stayed until it has lasted its length.

That is also what is predicted for a request with its earliest time b (but that a request has no run time: its estimate is its
length). Jobs whose submission is later than t are not known at t.

**An instant t.** It happens at completions and submissions, at the begin of a hold, at the bound of a released booking, a
microsecond after the bound of one held back, and at the time of a call (a booking, a release, a reservation dropped) when the
machine goes on. In order:

1. In order of booking: one held back whose bound is earlier than t is set aside. One that is released and whose hold begins at t,
   but whose bound is later (its data come later than its hold), gets a new hold at its place. One that was set aside and has been
   released gets a hold at its place. Who lost a hold so is pinned no more.
2. Completions, submissions and the pass of the policy, as without bookings; also a pass when the plan was given processors, or
   when under ``easy`` a hold that had kept a job waiting is gone.
3. Bookings whose hold begins at t and that may start, start, in order of booking. From then on they are running jobs, expected to
   end with their hold; by position they stand behind the jobs that have come, or have been started so, before.
4. Bookings that have a hold and are not pinned are brought forward, in order of booking:

   * ``conservative`` with ``compression``: off the plan and back at its place, which is never later than it was; where that is t
     it starts.
   * ``easy``: one that may start, starts if it fits on the free processors, leaves every other hold its processors and does not
     delay the head (where a job waits): it is expected to end by the shadow time, or takes no more than the extra processors.
     The head's reservation is computed anew for each. One that may not start keeps its hold.
5. Where step 4 moved or started one, the instant is gone through again from step 2.

So jobs of the machine come first where a hole opens, and bookings take what these leave, in order of booking.

**Calls** go by what has happened and been planned: a job submitted at t counts in a prediction made at t once the machine has
gone on (be it to t). What is booked at t gets its hold at once, before the next call; the answer is the begin of it, and the
begin plus the length. A release shows its effects when the machine goes on.

**Slides.** Each time a hold is made or moved is a slide, with its cause: booked (made as it was booked), not_ready (made anew, in
step 1), freed (brought forward for the first time since its release), room (brought forward otherwise). A booking that starts
before the begin of its hold slides to t as it starts.
"""
