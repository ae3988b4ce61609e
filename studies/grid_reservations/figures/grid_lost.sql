-- Utilisation that is lost against the same draw without workflows, in points, of all clusters and of each, a row per draw.
SELECT
    m.workload, m.policy, p.label AS policy_label, m.metric, m.scope, coalesce(c.name, '') AS cluster_name,
    m.replication AS unit, 100 * (n.value - m.value) AS value
FROM run_values AS m
JOIN run_values AS n USING (replication, metric, scope)
JOIN policies AS p ON p.policy = m.policy
LEFT JOIN clusters AS c ON c.workload = m.workload AND m.scope = 'cluster ' || c.cluster
WHERE n.workload = 'p-0' AND n.policy = 'no-workflows' AND (m.scope = 'all' OR m.scope LIKE 'cluster %')
    AND m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies))
    AND m.metric IN (SELECT unnest($metrics))
ORDER BY list_position($metrics, m.metric), list_position($policies, m.policy), m.scope, list_position($workloads, m.workload), unit
