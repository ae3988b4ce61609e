-- The most points of utilisation of all clusters that any run loses against the same draw without workflows.
-- Parameters: $metric, the window; $policies; $workloads. Unit: points of per cent. Exact.
SELECT 'Largest loss' AS label, max(100 * (n.value - m.value)) AS value
FROM run_values AS m
JOIN run_values AS n USING (replication, metric, scope)
WHERE n.workload = 'p-0' AND n.policy = 'no-workflows' AND scope = 'all' AND metric = $metric
    AND m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies))
HAVING count(*) > 0
