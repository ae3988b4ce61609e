-- Strategies over other strategies on the same jobs: the ratio of their means over instances.
-- Parameters: $workloads; $metrics; $scopes (all, class=short, ...); $policies and $versus, taken in pairs.
-- Unit: none.
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_relative_response', 'bounded slowdown'),
        ('makespan_from_first_start', 'makespan'), ('effective_utilisation', 'effective utilisation'),
        ('utilisation', 'utilisation'), ('job_efficiency', 'job efficiency'), ('fragmentation', 'fragmentation')
),
pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    w.label || ', ' || word || if(scope = 'all', '', ' of ' || split_part(scope, '=', 2) || ' jobs') || ': '
    || p.label || ' over ' || v.label AS label,
    replication AS unit, a.value AS value, b.value AS versus
FROM pairs
JOIN metrics AS a USING (policy)
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON a.policy = p.policy
JOIN policies AS v ON b.policy = v.policy
JOIN words USING (metric)
WHERE b.policy = pairs.versus_policy
    AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics)) AND scope IN (SELECT unnest($scopes))
ORDER BY w.label, p.position, v.position, word DESC, scope, unit
