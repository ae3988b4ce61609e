-- How much more a strategy improves on another under one workload than under another: the difference of the two improvements,
-- replication by replication.
-- Parameters: $metrics; $policies and $versus, taken in pairs; $more and $less, the workloads, taken in pairs.
-- Unit: points of per cent.
WITH words (metric, word, way) AS (
    VALUES
        ('mean_response', 'response time', -1), ('mean_relative_response', 'relative response time', -1),
        ('makespan', 'makespan', -1), ('utilisation_efficiency', 'utilisation efficiency', 1)
),
pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy),
steps AS (SELECT unnest($more) AS more, unnest($less) AS less),
improvements AS (
    SELECT workload, replication, metric, a.policy, versus_policy, 100 * way * (a.value / b.value - 1) AS improvement
    FROM pairs
    JOIN metrics AS a USING (policy)
    JOIN metrics AS b USING (workload, replication, metric, scope)
    JOIN words USING (metric)
    WHERE b.policy = versus_policy AND scope = 'all' AND metric IN (SELECT unnest($metrics))
)
SELECT
    w.label || ' against ' || v.label || ', ' || word || ': ' || p.label || ' over ' || q.label AS label,
    replication AS unit, a.improvement - b.improvement AS value
FROM steps
JOIN improvements AS a ON a.workload = more
JOIN improvements AS b USING (replication, metric, policy, versus_policy)
JOIN words USING (metric)
JOIN workloads AS w ON w.workload = more
JOIN workloads AS v ON v.workload = less
JOIN policies AS p USING (policy)
JOIN policies AS q ON q.policy = versus_policy
WHERE b.workload = less
ORDER BY list_position($metrics, metric), list_position($more, more), q.position, p.position, unit
