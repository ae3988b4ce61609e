-- By how much the dynamic competitive ratio of best fit lies below that of first fit, in % of it.
--
-- $workloads   pattern (regular expression) that the whole id of a workload matches
-- Unit of analysis: a sequence of jobs, or a batch of consecutive jobs of a log.
SELECT
    CASE WHEN $workloads = 'jann' THEN '' ELSE workloads.label || ', ' END || 'best fit below first fit' AS label,
    unit, 100 * (1 - b.value / f.value) AS value
FROM unit_metrics AS b
JOIN unit_metrics AS f USING (workload, metric, unit)
JOIN workloads USING (workload)
WHERE b.policy = 'gang-best-fit' AND f.policy = 'gang-first-fit' AND metric = 'dynamic_competitive_ratio'
    AND regexp_full_match(workload, $workloads)
ORDER BY kind = 'log', target_load, workload, unit;
