-- A dialect of EASY against the default on the same jobs: the ratio of the means of a metric.
--
-- $metric      metric, by name
-- $workloads   pattern (regular expression) that the whole id of a log matches
-- $policies    the same for the ids of dialects
-- Unit of analysis: a batch of consecutive jobs of the log.
SELECT policies.label || ', ' || workloads.label AS label, unit, a.value, b.value AS versus
FROM unit_metrics AS a
JOIN unit_metrics AS b USING (workload, metric, unit)
JOIN cells ON cells.study = 'easy_dialects' AND cells.workload = a.workload AND cells.policy = a.policy
JOIN workloads ON workloads.workload = a.workload
JOIN policies ON policies.policy = a.policy
WHERE b.policy = 'easy' AND a.policy <> 'easy' AND metric = $metric
    AND regexp_full_match(a.workload, $workloads) AND regexp_full_match(a.policy, $policies)
ORDER BY cells.position, unit;
