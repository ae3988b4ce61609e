"""Concurrent Gang: scheduling inside the time slice. This page specifies the machine and applications of all its policies.

Time
----
The engine counts whole nanoseconds. A parameter or a mean is rounded to the nearest nanosecond; the slice, the periods of the
sums, the end of the run and the window of the trace are rounded to the nearest microsecond. The contract's tables of jobs and
allocations have times in microseconds; a finish is rounded up. Everything begins at time 0. The *clock* ticks on all
processors at once at every multiple of the slice Q (``slice_ms``), first at 0.

Machine
-------
The machine has P processors, each with its own disk, on a network with LogP's parameters: a send or a receive keeps its
processor busy for the overhead o (``overhead_us``), and a message arrives the latency L (``latency_us``) after its send has
ended, whether its receiver runs or not. The *baseline* is 2L + 4o: a request and its response. Running a task other than the
last one that ran on the processor (or the first) costs a context switch (``switch_us``) first. A switch cut short by the
clock or by another task is lost, and its task counts as the last one that ran.

Tasks
-----
A job of size q has the tasks 0 to q - 1; task j is bound to the j-th lowest of the job's processors, for good. A task
executes *statements* one after the other and ends with its last (if that blocked it, once it runs again and its switch is done):

* ``compute d``: keeps its processor busy for d.
* ``disk d``: sends a request to its processor's disk, and blocks at once. A disk serves requests first come, first served,
  each for its d, whichever task runs meanwhile; when the request ends, the task is ready.
* ``send m``: busy for o; the message arrives L later.
* ``receive m``: if the message has arrived, busy for o. Else the task *waits*: it spins, keeping its processor busy, and
  continues (busy for o) when the message arrives. If it reaches its spin limit first, it blocks, and is ready when the
  message arrives.
* ``barrier``: the task waits in the same way until all tasks of the job have arrived and the baseline has passed since the
  last arrival; this costs no processor time except spinning.

A task does not wait for what has come by the instant at which it needs it, that instant included. A limit of 0 is reached by
a separate event (kind 2). A task that is preempted while it spins counts as ready, because spinning looks like computing. When
it runs again and its switch is done, it spins with a new limit, unless what it waited for has come.

A job ends when all its tasks have. A job whose run time exceeds its estimate ends (killed) after its estimate's worth of
work; below, W is the smaller of run time and estimate.

Applications
------------
The companion table `applications` gives the application of every job. **Alone on its processors, without switches, a job
takes exactly W**, except irregular jobs and programs. Lengths are functions of numbers alone, so a job's statements depend on
neither policy nor machine. With G = 0x9E3779B97F4A7C15 and all arithmetic modulo 2^64::

    mix(z):  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;  z ^ (z >> 31)
    draw(stream, task, index) = mix(mix(mix(seed + G (stream + 1)) + G (task + 1)) + G (index + 1))
    one of n:    ((draw >> 32) * n) >> 32
    length of mean m:  constant: m;  exponential: max(1, (m * E[draw >> 52] + 2^19) >> 20)

E has 4,096 equally probable values, each the mean of its part of the exponential distribution of mean 1, in units of 2^-20
(:data:`scheduler_core.concurrent_gang.draws.EXPONENTIAL`). One-task jobs of messages, supersteps or barriers
only compute.

* **compute** (embarrassingly parallel): compute W.
* **io**: bursts in turn, compute (stream 0, index k = 0, 1, ...), disk (stream 1, index k), each task by itself, until
  their sum is W; the last is cut.
* **messages**: one list of messages e = 0, 1, ... for the job: the sender is one of q (stream 2, task 0, index e), the
  receiver one of the q - 1 others in ascending order (stream 3, task 0, index e). Each appends to its sender's program:
  compute a gap, send e; and to its receiver's: compute a gap, receive e. The gap before a task's k-th message (k from 0)
  is stream 0, index k. Every task has a clock of the job running alone, t = 0 at first: a send makes it t + gap + o; a
  receive max(t + gap, the sender's clock after the send + L) + o. The list ends before the first message that would
  bring a clock above W; then task j computes what is left, W - t (nothing if that is 0).
* **supersteps** (BSP): superstep i has work w (stream 4, task 0, index i), the same for all tasks; with imbalance v that of
  task j is max(1, w + (w * V * (2 u - 2^20) >> 40)) (floor), V = v in units of 2^-20, rounded, u = draw(stream 5, task
  j, index i) >> 44. Of task j with work w: compute w // 2, send to task (j + c) mod q, compute w - w // 2, receive from
  task (j - c) mod q, barrier; c is 1 + one of q - 1 (stream 6, task 0, index i). Statements ``compute 0`` are left out.
  The steps end before the first that would be released after W, alone; each task computes what is left.
* **barriers**: step i has work w (stream 4, task 0, index i), the same for all tasks: compute w, barrier. The steps end
  before the first that would be released after W, alone; each task computes what is left.
* **irregular**: phases i = 0, 1, ...; phase i has n = 1 + one of ``most_tasks`` (stream 7, task 0, index i) pieces of
  work, piece x of length (stream 0, task x, index i) (both X- and Y-irregular). Phases are added until their work is q W
  in all; the last piece is cut, and pieces after it are left out. Task j (the job's worker on its processor) has the
  pieces j, j + q, j + 2q, ... of the phase, in this order, and waits for the end of the phase when it has none left: it
  blocks at once (spin time 0), within the same event. The phase ends when the last piece does; waiting workers are ready at
  that instant, and a later worker does not wait. The same holds for the last phase. The policy specifies ``balance``.
* **program**: the statements of the companion table `programs`.

Events
------
The next event is always the first in the order of time, kind, number, with the kinds

0. a message arrives for a waiting task (it spins at this instant, or is blocked), or a barrier or phase releases a task:
   number = position of the job, then task;
1. a disk request is done: number = processor;
2. a processor's running task ends a statement or a switch, or reaches its spin limit: number = processor;
3. the clock;
4. a processor without a running task chooses one (dispatch): number = processor; one event, however often it was requested
   before its turn came.

Statements and switches that take no time follow at once, within the same event.

Activity
--------
At every time a processor has one of six activities: ``compute`` (a task computes), ``message`` (the overhead of a send or
receive), ``spin``, ``switch`` and, without a running task, ``blocked`` (the slice has an owner here that has not ended: it
waits for its disk, a message or a barrier, or it did and is not resumed) or ``empty`` (no owner, or it has ended). Their sums
are exactly the time that has passed. ``local`` is the part of compute, message and spin of tasks that the local task
scheduler chose.

Source: F. A. B. da Silva, Modelisation et analyse d'une classe d'algorithmes d'ordonnancement pour machines paralleles,
doctoral thesis, Universite Paris VI, 2000, chapters 6 to 8 and appendix A. Chosen here, because the thesis leaves it open:

* How lengths, partners and programs are drawn; irregular jobs as phases.
* The network of section 8.5.1 in all chapters: section 6.4.1 has a 2D mesh, and prints no distances.
* The order of events at one instant. Arrivals, releases and disks come before ends of statements and spin limits (kinds 0 and 1
  before 2), so no task waits or blocks for what comes at that very instant.
* A receive counts, in `messages` and for the classifier, when it ends: one that the clock cuts counts in the slice that ends it.
* A switch that is cut short is lost: none of it is saved up. Its task counts as the last that ran, so it needs no other switch
  if it runs next.
* A resumed wait spins with a new limit.
"""
