-- Clusters that lose at least so many points of utilisation against the same draw without workflows.
-- Parameters: $policies; $workloads; $points. Unit: clusters; a draw each.
SELECT
    w.label || ', ' || p.label AS label, m.replication AS unit,
    count(*) FILTER (100 * (n.value - m.value) >= $points) AS value
FROM run_values AS m
JOIN run_values AS n USING (replication, metric, scope)
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
WHERE n.workload = 'p-0' AND n.policy = 'no-workflows' AND scope LIKE 'cluster %' AND metric = 'utilisation'
    AND m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, m.workload, m.policy, m.replication
ORDER BY list_position($policies, m.policy), list_position($workloads, m.workload), unit
