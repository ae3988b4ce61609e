-- Starts of each dialect against the default's, job by job.
WITH pair AS (
    SELECT workload, j.policy, j.start_us - standard.start_us AS shift_us
    FROM jobs AS j JOIN jobs AS standard USING (workload, replication, job)
    WHERE standard.policy = 'easy' AND j.policy <> 'easy' AND j.outcome <> 'rejected'
        AND j.policy IN (SELECT policy FROM base) AND workload IN (SELECT workload FROM base)
), moved AS (
    SELECT workload, policy, 100 * avg((shift_us <> 0)::INTEGER) AS changed, 100 * avg((shift_us < 0)::INTEGER) AS earlier,
        100 * avg((shift_us > 0)::INTEGER) AS later, median(abs(shift_us)) FILTER (shift_us <> 0) / 3.6e9 AS shift
    FROM pair GROUP BY ALL
)
SELECT workload_label, policy, policy_label, changed, earlier, later, shift
FROM base JOIN moved USING (workload, policy)
ORDER BY position
