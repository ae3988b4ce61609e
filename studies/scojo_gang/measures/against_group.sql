-- How many times worse strategies are than the best or the worst of a group of others, instance by instance. Worse is a longer
-- time, a larger slowdown, a lower utilisation or efficiency.
-- Parameters: $workloads; $metrics; $policies; $others, the group; $extreme ('best' or 'worst' of it); $called, the group in
-- words. Unit: none (ratio of means).
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_relative_response', 'bounded slowdown'),
        ('makespan_from_first_start', 'makespan'), ('effective_utilisation', 'effective utilisation'),
        ('utilisation', 'utilisation'), ('job_efficiency', 'job efficiency'), ('fragmentation', 'fragmentation')
),
badness AS (
    SELECT
        workload, policy, metric, replication,
        if(metric IN ('effective_utilisation', 'utilisation', 'job_efficiency'), 1 / value, value) AS bad
    FROM run_values
    WHERE scope = 'all' AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
),
reference AS (
    SELECT workload, metric, replication, if($extreme = 'worst', max(bad), min(bad)) AS bad
    FROM badness WHERE policy IN (SELECT unnest($others))
    GROUP BY ALL
    HAVING count(*) = len($others)
)
SELECT
    w.label || ', ' || word || ': ' || p.label || ' against ' || $called AS label,
    replication AS unit, badness.bad AS value, reference.bad AS versus
FROM badness
JOIN reference USING (workload, metric, replication)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
JOIN words USING (metric)
WHERE policy IN (SELECT unnest($policies))
ORDER BY w.label, p.position, word DESC, unit
