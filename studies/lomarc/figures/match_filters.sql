-- The filters of matching: jobs left after each, a mean over the searches that end with a match, beside what a source prints.
SELECT
    workload_label, policy, policy_label, metric, value, coalesce(low, value) AS low, coalesce(high, value) AS high,
    units, printed, place
FROM shown JOIN intervals USING (workload, policy)
    LEFT JOIN (
        SELECT workload, policy, metric, value AS printed, place FROM printed_values WHERE scope = 'all'
    ) USING (workload, policy, metric)
WHERE list_contains($metrics, metric) AND scope = 'all' AND ($policies IS NULL OR list_contains($policies, policy)) AND variant_of IS NULL
ORDER BY min(position) OVER (PARTITION BY workload), position, list_position($metrics, metric)
