-- Jobs that are all submitted at time 0 (da Silva 2000, chapter 4): the makespan over the least that any scheduler
-- needs, coordinated or not: the longest job, or the area of all jobs over the processors. A run that ends before its jobs
-- have has no makespan.
--
-- Needs the temporary table first_slots (workload, policy, replication, slots, held: the slots of the first period,
-- and the processors held in them, all slots together).
INSERT INTO batches
WITH at_once AS (
    SELECT workload FROM jobs GROUP BY workload HAVING max(submit_us) = 0
),
sums AS (
    SELECT
        workload, policy, replication,
        max(finish_us) AS makespan_us,
        max(least(runtime_us, estimate_us)) AS longest_us,
        sum(least(runtime_us, estimate_us)::HUGEINT * size) AS area_us
    FROM jobs SEMI JOIN at_once USING (workload)
    WHERE outcome <> 'rejected'
    GROUP BY workload, policy, replication
    HAVING count(*) FILTER (outcome = 'unfinished') = 0
),
bounded AS (
    SELECT *, greatest(longest_us, area_us / processors) AS bound_us
    FROM sums JOIN (SELECT workload, processors FROM workloads) USING (workload)
)
SELECT
    workload, policy, replication, makespan_us / 1e6, bound_us / 1e6, makespan_us / bound_us,
    slots, 1 - held / (slots * processors)
FROM bounded LEFT JOIN first_slots USING (workload, policy, replication)
ORDER BY workload, policy, replication;

INSERT INTO measurements
SELECT workload, policy, 'replication', replication, 'makespan_over_bound', 'all', ratio FROM batches ORDER BY ALL;
