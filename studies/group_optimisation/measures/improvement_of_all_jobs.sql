-- How much lower a mean of all jobs is under A than under B, workload by workload, on the same jobs, in %: a value per draw of a
-- synthetic workload; of a log a value per batch, in % of the mean over its batches. The source has one draw, and all batches of
-- a log. Parameters: $against, [[A, B]]; $workloads; $metrics.
SELECT
    w.label || ', ' || what_words AS label, unit,
    100 * (versus - value) / if(kind = 'log', avg(versus ORDER BY unit) OVER (PARTITION BY workload, metric), versus) AS value,
    if(kind = 'log', count(*) OVER (PARTITION BY workload, metric), 1) AS draws
FROM against($against, $workloads, $metrics, [['all', 'all']], 'unit')
JOIN workloads AS w USING (workload)
ORDER BY kind = 'log', w.label, metric, unit
