-- Strategies over other strategies on the same jobs: the ratio of their means over replications.
-- Parameters: $workloads; $metrics; $policies and $versus, taken in pairs. Unit: none.
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_relative_response', 'relative response time'), ('makespan', 'makespan'),
        ('utilisation', 'utilisation'), ('utilisation_efficiency', 'utilisation efficiency')
),
pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    w.label || ', ' || word || ': ' || p.label || ' over ' || v.label AS label,
    replication AS unit, a.value AS value, b.value AS versus
FROM pairs
JOIN metrics AS a USING (policy)
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN words USING (metric)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON a.policy = p.policy
JOIN policies AS v ON b.policy = v.policy
WHERE b.policy = versus_policy AND scope = 'all'
    AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
ORDER BY list_position($metrics, metric), list_position($workloads, workload), v.position, p.position, unit
