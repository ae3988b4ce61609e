-- Response times of strategies over those of FCFS on the same jobs, by class of job, which its run time tells: the ratio of
-- means over draws, and the range of nine tenths of the draws.
WITH classed AS (
    SELECT
        workload, policy, replication, finish_us - submit_us AS response_us,
        CASE
            WHEN runtime_us <= if(workload = 'case-1', 90e6, 10e6) THEN 'special'
            WHEN runtime_us <= if(workload = 'case-1', 300e6, 30e6) THEN 'short'
            WHEN runtime_us <= if(workload = 'case-1', 600e6, 60e6) THEN 'medium'
            ELSE 'long'
        END AS level
    FROM jobs SEMI JOIN shown USING (workload, policy)
    WHERE list_contains(['case-1', 'case-2'], workload)
),
means AS (
    SELECT workload, policy, replication, level, sum(response_us)::BIGINT AS response_us FROM classed GROUP BY ALL
),
gains AS (
    SELECT
        a.workload, a.policy, a.level, 100 * (1 - sum(a.response_us) / sum(b.response_us)) AS value, count(*) AS units,
        quantile_cont(100 * (1 - a.response_us / b.response_us), 0.05) AS low,
        quantile_cont(100 * (1 - a.response_us / b.response_us), 0.95) AS high
    FROM means AS a JOIN means AS b USING (workload, replication, level)
    WHERE b.policy = 'scojo_fcfs_exclusive' AND a.policy <> b.policy
    GROUP BY a.workload, a.policy, a.level
)
SELECT workload_label, split_part(policy_label, ',', 1) AS strategy, level || ' jobs' AS class, value, low, high, units
FROM gains JOIN shown USING (workload, policy)
ORDER BY workload_label, shown.position, list_position(['special', 'short', 'medium', 'long'], level)
