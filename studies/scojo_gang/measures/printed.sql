-- What is measured beside what the thesis prints, a row per printed value, in its unit.
-- Parameters: $workloads; $metrics; $scopes: 'all' for whole workloads, 'classes' for classes and flexibilities of jobs; $policies.
-- Unit: stands in the labels.
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time (h)'), ('mean_relative_response', 'bounded slowdown'),
        ('makespan_from_first_start', 'makespan (h)'), ('effective_utilisation', 'effective utilisation (%)'),
        ('job_efficiency', 'job efficiency (%)')
)
SELECT
    w.label || ', ' || p.label || ', ' || if(scope = 'all', '', split_part(scope, '=', 2) || ' jobs, ') || word || ', '
    || split_part(q.place, ',', 1) AS label,
    replication AS unit, m.value / printed_scale AS value, printed, printed_digits AS digits, printed_draws AS draws
FROM printed_values AS q
JOIN metrics AS m USING (workload, policy, metric, scope)
JOIN words USING (metric)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE q.source = 'Huang 2004' AND if(scope = 'all', 'all', 'classes') = $scopes
    AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
    AND policy IN (SELECT unnest($policies))
ORDER BY word DESC, p.position, scope, q.place, unit
