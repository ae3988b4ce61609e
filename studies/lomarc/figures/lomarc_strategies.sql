-- What strategies come to by some metrics on some workloads.
SELECT workload_label, policy, policy_label, metric, value, low, high, units
FROM shown JOIN intervals USING (workload, policy)
WHERE metric IN (SELECT unnest($metrics)) AND scope = 'all' AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($metrics, metric), list_position($workloads, workload), shown.position
