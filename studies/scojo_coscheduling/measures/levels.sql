-- Shares of the jobs whose run time is one that the thesis gives to a class, beside the printed shares; in all draws together.
-- Parameters: $workloads; $policies, one of which ran on each. Unit: % of the jobs.
WITH classes (workload, place, class, low_s, high_s) AS (
    VALUES
        ('case-1', 1, 'long', 1800, 1800), ('case-1', 2, 'medium', 480, 600), ('case-1', 3, 'short', 180, 300),
        ('case-1', 4, 'special', 60, 90), ('case-2', 1, 'long', 300, 300), ('case-2', 2, 'medium', 60, 60),
        ('case-2', 3, 'short', 30, 30), ('case-2', 4, 'special', 10, 10), ('case-3', 1, 'long', 300, 300),
        ('case-3', 2, 'medium', 60, 60), ('case-3', 3, 'short', 30, 30), ('case-3', 4, 'special', 10, 10)
)
SELECT
    w.label || ', ' || c.class || ' jobs' AS label,
    100 * count(*) FILTER (runtime_us / 1e6 BETWEEN low_s AND high_s) / count(*) AS value,
    any_value(q.printed) AS printed
FROM classes AS c
JOIN jobs USING (workload)
JOIN workloads AS w USING (workload)
JOIN printed_values AS q ON q.workload = c.workload AND q.metric = 'job_share' AND q.scope = c.class
WHERE c.workload IN (SELECT unnest($workloads)) AND jobs.policy IN (SELECT unnest($policies))
GROUP BY w.label, c.place, c.class
ORDER BY w.label, c.place
