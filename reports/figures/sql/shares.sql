-- Shares of the machine, $metrics by name, in percent. A log run once has a value and no interval.
WITH once AS (
    SELECT workload, policy, metric, avg(value) AS value
    FROM run_values
    WHERE scope = 'all' AND list_contains($metrics, metric)
    GROUP BY ALL
)
SELECT workload_label, policy, policy_label, metric, 100 * once.value AS value, 100 * low AS low, 100 * high AS high
FROM base JOIN once USING (workload, policy) LEFT JOIN (FROM intervals WHERE scope = 'all') USING (workload, policy, metric)
ORDER BY min(position) OVER (PARTITION BY workload), metric DESC, position
