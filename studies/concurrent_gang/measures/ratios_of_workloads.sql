-- The ratio of two policies' metrics under some workloads, over that ratio under others: below 1, less is gained under the first.
-- Parameters: $metrics; $policy and $versus; $workloads and $others, taken in pairs. Unit: none. A draw of both workloads each, whose
-- jobs are not the same.
WITH words (metric, word) AS (VALUES ('jobs_completed', 'throughput'), ('utilisation_spin_busy', 'utilisation')),
pairs AS (SELECT unnest($workloads) AS workload, unnest($others) AS other, generate_subscripts($workloads, 1) AS place),
ratios AS (
    SELECT a.workload, replication, metric, a.value / b.value AS ratio
    FROM metrics AS a JOIN metrics AS b USING (workload, replication, metric, scope)
    WHERE a.policy = $policy AND b.policy = $versus AND metric IN (SELECT unnest($metrics)) AND scope = 'all'
)
SELECT
    w.label || ' against ' || o.label || ', ' || word AS label, replication AS unit, m.ratio AS value, n.ratio AS versus
FROM pairs
JOIN ratios AS m USING (workload)
JOIN ratios AS n USING (replication, metric)
JOIN words USING (metric)
JOIN workloads AS w ON w.workload = m.workload
JOIN workloads AS o ON o.workload = n.workload
WHERE n.workload = pairs.other
ORDER BY list_position($metrics, metric), place, unit
