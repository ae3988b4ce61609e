-- How much lower relative response times are with propagation than without, for each of four draws: two values per batch of jobs
-- in the order of their submission, twenty batches a draw: the difference and what it is a part of.
-- Parameters: $class (medium, long); $of (all, local, tasks). Unit: per cent.
WITH pairs AS (
    SELECT
        replication, ntile(20) OVER (PARTITION BY replication ORDER BY m.submit_us, job) AS batch,
        m.slowdown AS mine, n.slowdown AS theirs
    FROM job_times AS m
    JOIN job_times AS n USING (workload, replication, job)
    LEFT JOIN tasks USING (workload, replication, job)
    WHERE workload = 'four-seeds' AND m.policy = 'grid_propagation' AND n.policy = 'grid_relaxed' AND replication < 4
        AND length_class(m.run_s) = $class
        AND ($of = 'all' OR (tasks.job IS NOT NULL) = ($of = 'tasks'))
)
SELECT
    'Seed ' || [71, 13, 3, 31][replication + 1] AS label,
    batch AS unit, 100 * (avg(theirs) - avg(mine)) AS value, avg(theirs) AS versus
FROM pairs
GROUP BY replication, batch
ORDER BY replication, unit
