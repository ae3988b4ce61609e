-- By how much later jobs end with workflows than in the same draw without: a mean over the jobs that are not split, by class.
-- Parameters: $workload; $policy; $classes of run time. Unit: hours; a draw each.
SELECT
    upper(class[1]) || class[2:] || ' local jobs' AS label, replication AS unit, avg(later_us) / 3600e6 AS value
FROM (
    SELECT replication, length_class(m.runtime_us / 1e6) AS class, m.finish_us - n.finish_us AS later_us
    FROM jobs AS m
    JOIN jobs AS n USING (replication, job)
    WHERE m.workload = $workload AND m.policy = $policy AND n.workload = 'p-0' AND n.policy = 'no-workflows'
        AND (replication, job) NOT IN (SELECT (replication, job) FROM tasks WHERE workload = $workload)
)
WHERE class IN (SELECT unnest($classes))
GROUP BY class, replication
HAVING avg(later_us) IS NOT NULL
ORDER BY list_position($classes, class), replication
