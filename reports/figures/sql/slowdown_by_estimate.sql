-- Sums are of integers, in billionths, so that they do not depend on the order.
WITH borders AS (
    SELECT unnest([600, 3600, 10800, 43200, 86400, 1e9]) AS top,
        unnest(['up to 10 min', 'up to 1 h', 'up to 3 h', 'up to 12 h', 'up to 1 d', 'above 1 d']) AS label
),
requested AS (
    SELECT workload, policy,
        CASE WHEN estimate_us <= 600e6 THEN 600 WHEN estimate_us <= 3600e6 THEN 3600 WHEN estimate_us <= 10800e6 THEN 10800
            WHEN estimate_us <= 43200e6 THEN 43200 WHEN estimate_us <= 86400e6 THEN 86400 ELSE 1e9 END AS top,
        count(*) AS jobs, sum((1e9 * bounded_slowdown_10)::BIGINT) / count(*) / 1e9 AS slowdown
    FROM job_times WHERE workload IN (SELECT workload FROM base) GROUP BY ALL
)
SELECT workload_label, policy, policy_label, top, label, slowdown, jobs, 5 AS least
FROM base JOIN requested USING (workload, policy) JOIN borders USING (top)
WHERE jobs >= 5
ORDER BY position, top
