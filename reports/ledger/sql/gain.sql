-- By how much a policy's metrics are less than another's, on the same jobs, in % of the other's.
-- Parameters: $metrics; $workloads, a pattern (regular expression) that their whole ids match; $policies; $versus, the other.
-- Unit of analysis: a replication of a model, a batch of consecutive jobs of a log.
SELECT
    w.label || ', ' || p.label || if(len($metrics) > 1, ', ' || metric, '') AS label, a.unit,
    100 * (b.value - a.value) AS value, b.value AS versus
FROM unit_metrics AS a
JOIN unit_metrics AS b USING (workload, metric, unit)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON p.policy = a.policy
WHERE b.policy = $versus AND a.policy IN (SELECT unnest($policies))
    AND metric IN (SELECT unnest($metrics)) AND regexp_full_match(workload, $workloads)
ORDER BY w.target_load, w.label, p.position, list_position($metrics, metric), a.unit
