-- What is measured beside what the thesis prints, a row per printed value, in its unit.
-- Parameters: $workloads; $metrics.
-- Unit: stands in the labels.
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_response_over_elapsed', 'relative response time'),
        ('mean_slowdown', 'response over dedicated run time'), ('busy_time', 'total execution time')
)
SELECT
    w.label || ', ' || p.label || ', ' || word || if(printed_unit = '', '', ' (' || printed_unit || ')') AS label,
    replication AS unit, m.value / printed_scale AS value, printed, printed_digits AS digits, printed_draws AS draws
FROM printed_values AS q
JOIN metrics AS m USING (workload, policy, metric, scope)
JOIN words USING (metric)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE q.source = 'Huang 2004' AND scope = 'all'
    AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
ORDER BY w.label, word DESC, p.position, unit
