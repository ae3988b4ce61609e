WITH missed AS (
    SELECT workload, policy,
        100 * any_value(value) FILTER (metric = 'late_share') AS late,
        100 * any_value(low) FILTER (metric = 'late_share') AS late_low,
        100 * any_value(high) FILTER (metric = 'late_share') AS late_high,
        any_value(value) FILTER (metric = 'mean_miss_time') / 3600 AS miss,
        any_value(greatest(0, low)) FILTER (metric = 'mean_miss_time') / 3600 AS miss_low,
        any_value(high) FILTER (metric = 'mean_miss_time') / 3600 AS miss_high
    FROM intervals
    GROUP BY ALL
)
SELECT workload_label, policy, policy_label, late, greatest(0, late_low) AS late_low, least(100, late_high) AS late_high,
    miss, miss_low, miss_high
FROM base JOIN missed USING (workload, policy)
WHERE late IS NOT NULL
ORDER BY position
