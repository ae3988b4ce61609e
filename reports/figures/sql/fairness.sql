-- Shares stay between 0 and 100 and times above 0; where there is no interval the limits are null.
WITH missed AS (
    SELECT workload, policy,
        100 * any_value(value) FILTER (metric = 'late_share') AS late,
        100 * any_value(if(low < 0, 0, low)) FILTER (metric = 'late_share') AS late_low,
        100 * any_value(if(high > 1, 1, high)) FILTER (metric = 'late_share') AS late_high,
        any_value(value) FILTER (metric = 'mean_miss_time') / 3600 AS miss,
        any_value(if(low < 0, 0, low)) FILTER (metric = 'mean_miss_time') / 3600 AS miss_low,
        any_value(high) FILTER (metric = 'mean_miss_time') / 3600 AS miss_high
    FROM intervals WHERE scope = 'all'
    GROUP BY ALL
)
SELECT workload_label, policy, policy_label, late, coalesce(late_low, late) AS late_low,
    coalesce(late_high, late) AS late_high, miss, coalesce(miss_low, miss) AS miss_low, coalesce(miss_high, miss) AS miss_high
FROM base JOIN missed USING (workload, policy)
WHERE late IS NOT NULL
ORDER BY position
