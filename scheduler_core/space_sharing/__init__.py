"""Space sharing: a job holds its processors from start to end, and no other job uses them.

Every policy of this family is a parametrisation of one event loop (:mod:`scheduler_core.space_sharing.event_loop`).
The rules all of them share:

* **Instants.** Something happens only at instants: a completion, a submission, or (conservative backfilling) the time
  of a reservation. All completions of an instant come first (by position), then all its submissions (by position), then one
  *pass* in which the policy may start jobs. Policies with the parameter ``instant`` may be told otherwise: submissions first,
  and a pass after every single event; ``tied_completions`` takes the completions in the order in which their jobs started.
* **Positions.** Ties are broken by position: the row of the job in the workload (submission, then job number).
* **Run times.** A job that starts at ``t`` leaves at ``t + min(runtime, estimate)``; it is *killed* when its run time
  exceeds its estimate. The scheduler knows the estimate only: it expects the job to leave at ``t + estimate``.
* **Rejection.** A job larger than the machine is rejected at submission and takes no part.
"""
