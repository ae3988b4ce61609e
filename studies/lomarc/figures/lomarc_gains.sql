-- How much better each strategy is than PSS on the same jobs, a row per replication, beside what the paper prints.
SELECT
    workload, r.workload_label, r.policy, s.policy_label, metric, replication AS unit,
    100 * if(metric LIKE '%efficiency', 1, -1) * (ratio - 1) AS value, q.printed, q.place
FROM run_ratios AS r
JOIN shown AS s USING (workload, policy)
LEFT JOIN (
    SELECT workload, policy, replace(metric, 'improvement_', '') AS metric, printed, place FROM printed_values
    WHERE metric LIKE 'improvement_%' AND scope = 'over pss'
) AS q USING (workload, policy, metric)
WHERE r.scope = 'all' AND versus_policy = 'pss' AND metric IN (SELECT unnest($metrics)) AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($metrics, metric), list_position($workloads, workload), s.position, unit
