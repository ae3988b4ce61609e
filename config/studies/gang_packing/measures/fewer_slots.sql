-- By how much the dynamic competitive ratio of best fit lies below that of first fit, in %.
--
-- $workload   id of the workload
-- Unit of analysis: a sequence of jobs.
SELECT 'best fit below first fit' AS label, unit, 100 * (1 - b.value / f.value) AS value
FROM unit_metrics AS b
JOIN unit_metrics AS f USING (workload, metric, unit)
WHERE b.policy = 'gang-best-fit' AND f.policy = 'gang-first-fit' AND metric = 'dynamic_competitive_ratio'
    AND workload = $workload
ORDER BY unit;
