-- Utilisation that is lost against the same draw without workflows, in points, of all clusters or of each, a row per draw.
-- Parameters: $against, $workloads, $metrics, $scopes: lists of pairs [A, B].
SELECT
    c.workload, c.policy, p.label AS policy_label, metric, scope, coalesce(k.name, '') AS cluster_name, unit,
    100 * (versus - value) AS value
FROM against($against, $workloads, $metrics, $scopes, 'run') AS c
JOIN policies AS p USING (policy)
LEFT JOIN clusters AS k ON k.workload = c.workload AND scope = 'cluster ' || k.cluster
ORDER BY place[1], place[4], scope, place[3], unit
