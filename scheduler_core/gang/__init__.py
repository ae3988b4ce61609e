"""Gang scheduling on the Ousterhout matrix: slots take turns, and in its slot a job runs on all its processors at once.

This page is the part of the specification that the policies of this family share; each docstring says what it adds.
``v`` is the slot clock now, ``p`` the time of a pass, ``n`` a job's `size`, ``N`` the processors it holds. All times are
whole microseconds. *Position* is the row in the workload: by submission, then job number.

The matrix
----------
A *slot* (a row of the Ousterhout matrix) is a set of jobs on disjoint processors. Slots stand in the order of their
creation; a slot that holds no job is removed; there are at most ``level``. A job holds its processors in one slot, and they
need not be contiguous: it gets the lowest-numbered free processors of its slot. Slots have stable numbers: a new slot takes
the lowest number that is not in use.

The slot clock
--------------
While L slots take turns, each has the share 1 / L of the time, or 1 / (L (1 + ``switch_cost``)) with ``switch_slows`` and
L > 1. Turns are fluid: the *slot clock* (see :data:`scheduler_core.gang.family.LEVELS_COLUMNS`) advances by floor(length x
share) over a maximal interval of equal level and share. A job works at the rate r per unit of slot clock; r is 1 for a job on
``n`` processors. The work asked is w = min(run time, estimate).

Segments
--------
A *segment* is an interval in which a job's slots, its processors (where they are named) and its rate do not change.

* A segment that begins at slot clock b with work w left and a stall h due ends the job at slot clock b + h + ceil(w / r).
* If it is broken off at slot clock v, u = min(h, v - b) of the stall is done, its work is floor(r (v - b - u)), but at most
  w - 1, and h - u is still due.
* A job finishes at the first microsecond at which the slot clock has reached its end.

Passes
------
Submissions and completions are acted on only at *slice boundaries*. The slice is ``slice_s`` (``slice="fixed"``), or
``slice_s`` x ``level`` / L (``scaled``; rounded down to the microsecond, L at least 1), so that a cycle through all slots keeps
its length. Boundaries lie whole slices after the last pass at which the length of the slice changed (after time 0 at first).
An event at time t is acted on at the first boundary at or after t; with ``slice_s`` = 0 at t itself. Everything up to a
boundary is one *pass* at time p. In every pass jobs that have finished leave the matrix first, and jobs that have been
submitted join the queue. A job's start is the pass that placed it. Its finish is exact; its processors are free from the next
pass on. At the end of a pass the level becomes the number of slots; the slot clock follows it from p on.

The queue
---------
``queue="fcfs"``: in order of position. ``priority``: jobs of the class short have priority 10, medium 5, long 0; higher first,
then by position. A job's class is the column `class`; where that is missing, by estimate: up to and with ``short_limit_s`` short,
up to and with ``medium_limit_s`` medium, else long. With ``aging_s`` a waiting job's priority is min(10, own + 5 floor((p -
submission) / ``aging_s``)).

Packing
-------
The packing rule finds a slot for one job at a stated size, among the slots in order: ``first_fit`` the first with enough free
processors; ``best_fit`` the slot with fewest free processors among those with enough, ties the first. If there is none, a new
slot is opened at the end, unless there are ``level`` already.

Backfilling
-----------
Jobs behind the head of the queue (the *candidates*, in queue order) may be placed when the head cannot. Times are slot clock,
predictions come from estimates: a segment's *expected end* is b + h + ceil((estimate - work done before the segment) / r), a
candidate's length is d = ceil(estimate / r).

* ``greedy``: each candidate is placed if the packing rule finds a slot.
* ``head``: no candidate delays the head. Only existing slots are used. The *shadow* of a slot is the earliest expected end
  at which, with the jobs that end by then, it has enough free processors for the head. Let B be the slot with the smallest
  shadow t (ties the first), and *extra* its free processors at t (all ends up to and at t counted) less those of the head. A
  candidate is placed in the first slot with enough free processors that is not B, or that is B while the candidate ends by
  t (v + d <= t) or needs no more than extra; in the last case, if it does not end by t, extra shrinks by its size.
* ``all``: no candidate delays any earlier job. Only existing slots are used. The free processors of each slot over future
  slot clock follow from the expected ends. Each job, from the head on, the first ``backfill_depth`` of the queue, takes the
  earliest interval of its length d, over all slots (ties the first slot), in which the slot has enough processors
  throughout; a job whose interval begins now is placed.

Speed-up
--------
A job whose size varies has the bounds n_min <= N <= n_max: the columns `size_min` and `size_max`; where a column is missing or
null, max(1, n // 2) and min(processors, 2 n), at least n. n_max is never above the processors of the machine. Its speed-up S is
0.80 N at n_min, 0.65 N at n and 0.50 N at n_max, linear between. Its rate is S(N) / S(n), as one division of whole numbers::

    N = n:  1
    N < n:  (80 n_min (n - n_min) + (65 n - 80 n_min) (N - n_min)) / (65 n (n - n_min))
    N > n:  (65 n (n_max - n) + (50 n_max - 65 n) (N - n)) / (65 n (n_max - n))

Arithmetic
----------
Shares, rates and what is computed from them are double-precision numbers, one operation after the other, then rounded down or
up as stated.

Counters
--------
``passes``; ``backfilled``: jobs placed by backfilling; ``resizings`` and ``resized_processors``: how often running jobs were
resized, and by how many processors; ``slots_opened``; ``busy_us`` and ``idle_us``: processor-microseconds of slot clock with and
without a job between the first start and the last finish (idle time also counts processors x time at level 0);
``resizing_us``: stalls x the larger size; ``low_us``, ``normal_us`` and ``high_us``: time by load from the first start to the
last finish (all of it normal where a policy does not classify the load).

Sources: X. Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, chapters 6 and 7;
F. A. B. da Silva, Modelisation et analyse d'une classe d'algorithmes d'ordonnancement pour machines paralleles, doctoral
thesis, Universite Paris VI, 2000, chapters 3 to 5.
"""
