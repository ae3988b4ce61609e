-- What migration leaves of the excess over 1 of the dynamic competitive ratio, in % of the excess without migration.
--
-- $workloads   pattern (regular expression) that the whole id of a workload matches
-- Unit of analysis: a sequence of jobs, or a batch of consecutive jobs of a log.
SELECT
    CASE WHEN workloads.workload LIKE 'jann-moved%' THEN '' ELSE workloads.label || ', ' END || policies.label AS label,
    unit, 100 * moved.value AS value, stays.value AS versus
FROM unit_metrics AS moved
JOIN unit_metrics AS stays USING (workload, unit, metric)
JOIN workloads USING (workload)
JOIN policies ON stays.policy = policies.policy
WHERE metric = 'packing_excess' AND moved.policy = stays.policy || '-moved'
    AND regexp_full_match(workload, $workloads)
ORDER BY label, unit;
