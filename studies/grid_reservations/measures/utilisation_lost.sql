-- How much less of all clusters is used than without workflows, on the same draw.
-- Parameters: $metric, the window; $policies; $workloads. Unit: points of per cent; a draw each.
SELECT
    w.label || ', ' || p.label AS label, m.replication AS unit, 100 * (n.value - m.value) AS value
FROM metrics AS m
JOIN metrics AS n USING (replication, metric, scope)
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
WHERE n.workload = 'p-0' AND n.policy = 'no-workflows' AND scope = 'all' AND metric = $metric
    AND m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies))
ORDER BY list_position($policies, m.policy), list_position($workloads, m.workload), unit
