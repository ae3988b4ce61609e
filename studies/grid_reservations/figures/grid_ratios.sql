-- Policies over another on the same draws, by some metrics of some jobs, a row per draw.
SELECT
    workload, r.workload_label, policy, p.label AS policy_label, metric, scope, replication AS unit, ratio AS value
FROM run_ratios AS r JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies)) AND versus_policy = $versus
    AND metric IN (SELECT unnest($metrics)) AND scope IN (SELECT unnest($scopes))
ORDER BY list_position($metrics, metric), list_position($scopes, scope), list_position($workloads, workload),
    list_position($policies, policy), unit
