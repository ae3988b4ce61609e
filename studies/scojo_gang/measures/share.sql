-- A share of the processor time, by strategy.
-- Parameters: $workloads; $metrics; $policies. Unit: per cent.
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_relative_response', 'bounded slowdown'),
        ('makespan_from_first_start', 'makespan'), ('effective_utilisation', 'effective utilisation'),
        ('utilisation', 'utilisation'), ('job_efficiency', 'job efficiency'), ('fragmentation', 'fragmentation'),
        ('fragmentation_while_waiting', 'fragmentation while jobs wait'), ('mean_job_efficiency', 'mean efficiency of jobs')
)
SELECT
    w.label || ', ' || p.label || ', ' || word AS label,
    replication AS unit, 100 * value AS value
FROM metrics
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
JOIN words USING (metric)
WHERE scope = 'all' AND metric IN (SELECT unnest($metrics))
    AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
ORDER BY w.label, p.position, word, unit
