-- Sums are of integers, in billionths, so that they do not depend on the order.
WITH sized AS (
    SELECT workload, policy, pow(2, ceil(log2(size)))::BIGINT AS top, count(*) AS jobs,
        sum((1e9 * bounded_slowdown_10)::BIGINT) / count(*) / 1e9 AS slowdown
    FROM job_times WHERE workload IN (SELECT workload FROM base) GROUP BY ALL
)
SELECT workload_label, policy, policy_label, top, slowdown, jobs, 5 AS least,
    if(top <= 2, top::VARCHAR, (top // 2 + 1) || '–' || least(top, processors)) AS label
FROM base JOIN sized USING (workload, policy)
WHERE jobs >= 5
ORDER BY position, top
