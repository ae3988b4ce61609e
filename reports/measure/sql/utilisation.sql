-- Makespan, utilisation and steady utilisation, per run.
--
-- Makespan: first submission to last finish, where all jobs end. Utilisation: work done over capacity in the makespan.
-- Some families count busy processor time themselves (busy_sums), because sizes change or runs end early: then utilisation is
-- that time over capacity in the length they state. Steady utilisation: processors held between first and last submission over
-- capacity in that time. It leaves out the draining queue and needs starts and finishes, so only some families declare it.
WITH spans AS (
    SELECT
        workload, policy, replication,
        sum(work_us) AS work_us,
        min(first_submit_us) AS first_us, max(last_submit_us) AS last_submit_us, max(last_finish_us) AS last_us
    FROM job_sums GROUP BY workload, policy, replication
),
held AS (
    SELECT
        workload, policy, replication,
        sum((least(finish_us, last_submit_us) - least(start_us, last_submit_us)) * jobs.processors) AS held_us
    FROM jobs JOIN spans USING (workload, policy, replication)
    SEMI JOIN (FROM meaningful WHERE metric = 'steady_utilisation') USING (policy)
    WHERE outcome <> 'rejected'
    GROUP BY workload, policy, replication
),
measured AS (
    SELECT
        workload, policy, replication,
        CASE WHEN unfinished = 0 THEN (last_us - first_us) / 1e6 END AS makespan,
        coalesce(busy_us, work_us) / (processors::HUGEINT * coalesce(length_us, last_us - first_us)) AS utilisation,
        held_us / nullif(workloads.processors::HUGEINT * (last_submit_us - first_us), 0) AS steady_utilisation
    FROM spans
    LEFT JOIN held USING (workload, policy, replication)
    LEFT JOIN busy_sums USING (workload, policy, replication)
    JOIN runs USING (workload, policy, replication)
    JOIN workloads USING (workload)
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'all', value
FROM (UNPIVOT measured ON makespan, utilisation, steady_utilisation INTO NAME metric VALUE value)
ORDER BY ALL;
