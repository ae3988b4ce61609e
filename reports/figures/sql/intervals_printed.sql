-- Metrics of policies with their intervals, beside what a source prints.
-- Parameters: $metrics, $workloads; $policies, or all without them.
SELECT workload, workload_label, policy, policy_label, metric, value, low, high, units, printed, place
FROM shown
JOIN intervals AS i USING (workload, policy)
LEFT JOIN (SELECT workload, policy, metric, value AS printed, place FROM printed_values WHERE scope = 'all') USING (workload, policy, metric)
WHERE i.scope = 'all' AND list_contains($metrics, metric) AND list_contains($workloads, workload)
    AND ($policies IS NULL OR list_contains($policies, policy))
ORDER BY list_position($metrics, metric), list_position($workloads, workload), shown.position
