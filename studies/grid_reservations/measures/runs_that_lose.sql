-- Runs in which at least so many points of utilisation of all clusters are lost against the same draw without workflows, over all runs.
-- Parameters: $metric, the window; $policies; $workloads; $points. Unit: per cent of runs. Exact.
SELECT 'Runs that lose ' || $points || ' points or more' AS label, 100 * count(*) FILTER (100 * (n.value - m.value) >= $points) / nullif(count(*), 0) AS value
FROM metrics AS m
JOIN metrics AS n USING (replication, metric, scope)
WHERE n.workload = 'p-0' AND n.policy = 'no-workflows' AND scope = 'all' AND metric = $metric
    AND m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies))
HAVING count(*) > 0
