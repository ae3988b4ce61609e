-- How much lower relative response times of jobs, or makespans of workflows, are with propagation than without, for each of four
-- draws: two values per batch in the order of submission, twenty batches a draw: the difference and what it is a part of.
-- Parameters: $of: all, local or tasks (jobs), or workflows; $class of jobs (medium, long). Unit: per cent.
WITH measured AS (
    SELECT replication, policy, submit_us, job AS number, slowdown AS value
    FROM job_times LEFT JOIN tasks USING (workload, replication, job)
    WHERE workload = 'four-seeds' AND length_class(run_s) = $class
        AND ($of = 'all' OR $of = if(tasks.job IS NULL, 'local', 'tasks'))
    UNION ALL
    SELECT replication, policy, submit_us, workflow, (finish_us - start_us) / 1e6
    FROM workflows WHERE workload = 'four-seeds' AND $of = 'workflows'
),
pairs AS (
    SELECT
        replication, ntile(20) OVER (PARTITION BY replication ORDER BY m.submit_us, number) AS batch,
        m.value AS mine, n.value AS theirs
    FROM measured AS m JOIN measured AS n USING (replication, number)
    WHERE m.policy = 'grid_propagation' AND n.policy = 'grid_relaxed' AND replication < 4
)
SELECT
    'Seed ' || [71, 13, 3, 31][replication + 1] || ', ' || if($of IN ('local', 'all'), $of || ' jobs', $of) AS label,
    batch AS unit, 100 * (avg(theirs) - avg(mine)) AS value, avg(theirs) AS versus
FROM pairs GROUP BY replication, batch
ORDER BY replication, unit
