-- Strategies against the best of a group of others, draw by draw: the ratio of the means over draws. Shorter is better.
-- Parameters: $workloads; $metrics; $policies; $others, the group, of which $size ran on each workload; $called, it in words.
-- Unit: none.
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_response_over_elapsed', 'relative response time'),
        ('mean_slowdown', 'response over dedicated run time'), ('busy_time', 'total execution time')
),
best AS (
    SELECT workload, metric, replication, min(value) AS value
    FROM metrics WHERE scope = 'all' AND policy IN (SELECT unnest($others))
    GROUP BY ALL
    HAVING count(*) = $size
)
SELECT
    w.label || ', ' || word || ': ' || p.label || ' over ' || $called AS label,
    replication AS unit, a.value AS value, best.value AS versus
FROM metrics AS a
JOIN best USING (workload, metric, replication)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
JOIN words USING (metric)
WHERE scope = 'all' AND policy IN (SELECT unnest($policies))
    AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
ORDER BY w.label, word DESC, unit
