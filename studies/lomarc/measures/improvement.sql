-- How much better strategies are than others on the same jobs: how much shorter times are, how much higher utilisation is.
-- Parameters: $workloads; $metrics; $policies and $versus, taken in pairs. Unit: per cent; a replication each.
WITH words (metric, word, way) AS (
    VALUES
        ('mean_response', 'response time', -1), ('mean_relative_response', 'relative response time', -1),
        ('makespan', 'makespan', -1), ('utilisation_efficiency', 'utilisation efficiency', 1)
),
pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    w.label || ', ' || word || ': ' || p.label || ' over ' || v.label AS label,
    replication AS unit, 100 * way * (a.value / b.value - 1) AS value
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
