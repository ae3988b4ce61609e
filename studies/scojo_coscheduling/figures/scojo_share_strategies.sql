-- Strategies that share the machine by metric, with what the thesis prints; names without the slowdowns they run with.
SELECT
    workload_label, split_part(policy_label, ',', 1) AS strategy, metric, value / $divisor AS value, low / $divisor AS low,
    high / $divisor AS high, units, printed / $divisor AS printed, place
FROM shown
JOIN intervals USING (workload, policy)
LEFT JOIN (
    SELECT workload, policy, metric, value AS printed, place FROM printed_values WHERE scope = 'all'
) USING (workload, policy, metric)
WHERE metric = $metric AND scope = 'all' AND list_contains($workloads, workload)
ORDER BY workload_label, shown.position
