-- Groups without smart backfilling less groups with it, on the same jobs: a value per draw of a synthetic workload, and per batch of
-- a log (a group belongs to the batch of its first member), there times the batches, so that the mean is of the whole log.
WITH counted AS (
    SELECT
        workload, replication, batch, w.label, w.kind = 'log' AS is_log,
        count(*) FILTER (policy = 'pect_o_ns' AND place = 1) - count(*) FILTER (policy = 'pect_o' AND place = 1) AS more
    FROM jobs
    JOIN workloads AS w USING (workload)
    LEFT JOIN members USING (workload, policy, replication, job)
    WHERE policy IN ('pect_o', 'pect_o_ns') AND workload <> 'seed-13'
        AND (workload LIKE 'seed-%' OR workload LIKE '%-first')
    GROUP BY ALL
    HAVING count(DISTINCT policy) = 2
)
SELECT
    label,
    if(is_log, batch, replication) AS unit,
    if(is_log, more * count(*) OVER (PARTITION BY workload), more) AS value
FROM counted
ORDER BY is_log, label, unit
