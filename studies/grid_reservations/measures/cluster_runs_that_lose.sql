-- The same for single clusters of runs: those in which at least so many points of a cluster's utilisation are lost, over all.
-- Parameters: $metric, the window; $policies; $workloads; $points. Unit: per cent of clusters. Exact.
SELECT
    'Clusters of runs that lose ' || $points || ' points or more' AS label,
    100 * count(*) FILTER (100 * (n.value - m.value) >= $points) / nullif(count(*), 0) AS value
FROM metrics AS m
JOIN metrics AS n USING (replication, metric, scope)
WHERE n.workload = 'p-0' AND n.policy = 'no-workflows' AND scope LIKE 'cluster %' AND metric = $metric
    AND m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies))
HAVING count(*) > 0
