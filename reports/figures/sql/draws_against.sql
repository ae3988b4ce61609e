-- A against B on the same draws: what A has and what B has, a row per draw.
-- Parameters: $against, $workloads, $metrics, $scopes: lists of pairs [A, B].
SELECT
    c.workload, w.label AS workload_label, w.kind, w.processors, 100 * w.target_load AS load, policy, p.label AS policy_label, metric,
    scope, c.unit, value, versus
FROM against($against, $workloads, $metrics, $scopes, 'run') AS c JOIN workloads AS w USING (workload) JOIN policies AS p USING (policy)
ORDER BY c.place, c.unit
