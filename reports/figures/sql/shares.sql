-- Shares of the machine, $metrics by name, in percent. A log run once has a value and no interval.
SELECT workload_label, source, policy, policy_label, metric, 100 * value AS value, 100 * low AS low, 100 * high AS high
FROM base JOIN run_means USING (workload, policy)
WHERE scope = 'all' AND list_contains($metrics, metric)
ORDER BY min(position) OVER (PARTITION BY workload), metric DESC, position
