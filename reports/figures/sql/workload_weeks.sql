-- Offered load by week, replication 0.
SELECT submit_us // 604800000000 AS week, count(*) AS jobs,
    100 * sum(size * (runtime_us / 1e6)) / (604800.0 * (SELECT any_value(processors) FROM workloads
        WHERE workload = (SELECT any_value(workload) FROM submitted))) AS load
FROM submitted
WHERE replication = 0
GROUP BY week
ORDER BY week
