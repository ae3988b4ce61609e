"""Coscheduling: jobs share processors and run on them at once, and each slows the other down.

This page is the part of the specification that the policies of this family share; each docstring says what it adds. All
times are whole microseconds, and so is work. *Position* is the row in the workload: by submission, then job number; jobs
larger than the machine are rejected and take no part.

Work
----
A job's *work* is w = min(run time, estimate), done at the speed of 1 on processors of its own. The estimate limits this
time alone: sharing never kills a job; it is *killed*, at the end of its work, when its run time exceeds its estimate.

Beside others a job has a share ``share_ppm`` of its processors, and what it does there takes ``slowdown_ppm`` times as
long, both in whole millionths: its speed is share / slowdown.

* In a time of length d it does floor(d x share / slowdown) of its work.
* What is left of it, w, takes ceil(w x slowdown / share).

A *row* of ``allocations`` is a time in which a job has its processors at one share and one slowdown, beside the same jobs.
A job's last row ends ceil(left x slowdown / share) after it began, where left is the work that was left when it began, and
does all of that. Every other row is *broken off*: when a job begins or ends on the same processors, or is suspended there,
and at that time this job does not end itself. It does the work of its length. A row broken off in the instant in which it
began is no row, and no work is done in it. The next row begins where this one ended, unless the job is suspended.

Processors
----------
Processors have numbers from 0 on. A job that is *given* processors gets the lowest-numbered of those that no job has; a
job that *joins* another gets the lowest-numbered of that job's. A job that joins is no larger than the one it joins. A job
keeps its processors to its end, while it is suspended, too; a processor is free when none of the jobs it was given to or
that joined there has it. A job's *place* (``slot``) is the lowest number, from 0 on, that no job has on its processors when
it gets them; it keeps the place to its end.

Instants
--------
Things happen at instants: a job ends, or jobs are submitted. At one instant first all jobs that end now end, then all that
are submitted now join the queue, then there is one *pass*.
"""
