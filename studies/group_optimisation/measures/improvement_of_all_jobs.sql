-- How much lower a mean of all jobs is under one scheduler than under another, workload by workload, on the same jobs, in %: a
-- value per draw of a synthetic workload; of a log a value per batch, in % of the mean over its batches. The source has one
-- draw, and all batches of a log.
-- Parameters: $metric: what is averaged; $policy, $versus.
WITH paired AS (
    SELECT workload, w.label, w.kind = 'log' AS is_log, mine.unit, mine.value, theirs.value AS versus
    FROM independent_measurements AS mine
    JOIN independent_measurements AS theirs USING (workload, unit, metric, scope)
    JOIN workloads AS w USING (workload)
    WHERE (workload LIKE 'seed-%' OR workload LIKE '%-first') AND metric = $metric AND scope = 'all'
        AND mine.policy = $policy AND theirs.policy = $versus
)
SELECT
    label, unit, 100 * (versus - value) / if(is_log, avg(versus) OVER (PARTITION BY workload), versus) AS value,
    if(is_log, count(*) OVER (PARTITION BY workload), 1) AS draws
FROM paired
ORDER BY is_log, label, unit
