-- Strategies over other strategies on the same jobs: the ratio of their means over draws.
-- Parameters: $workloads; $metrics; $policies and $versus, taken in pairs.
-- Unit: none.
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_response_over_elapsed', 'relative response time'),
        ('mean_slowdown', 'response over dedicated run time'), ('busy_time', 'total execution time')
),
pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    w.label || ', ' || word || ': ' || p.label || ' over ' || v.label AS label,
    replication AS unit, a.value AS value, b.value AS versus
FROM pairs
JOIN metrics AS a USING (policy)
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON a.policy = p.policy
JOIN policies AS v ON b.policy = v.policy
JOIN words USING (metric)
WHERE b.policy = pairs.versus_policy AND scope = 'all'
    AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
ORDER BY w.label, p.position, v.position, word DESC, unit
