-- How much farther back among the candidates one strategy chooses than another.
-- Parameters: $workload; $policy; $versus. Unit: places; a replication each.
SELECT
    w.label || ': ' || p.label || ' less ' || v.label AS label, replication AS unit, a.value - b.value AS value
FROM metrics AS a
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
WHERE metric = 'mean_rank' AND workload = $workload AND a.policy = $policy AND b.policy = $versus
