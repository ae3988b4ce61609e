-- By how much a mean of all jobs is higher under SCOJO-PECT than under a scheduler that shares the machine in space alone, on the
-- same jobs: a value per draw of the synthetic workloads, in %.
--
-- $metric: what is averaged. $versus: the schedulers that share space alone.
SELECT
    'SCOJO-PECT over ' || other.label AS label,
    workload || '/' || replication AS unit,
    100 * (ratio - 1) AS value
FROM run_ratios JOIN policies AS other ON other.policy = versus_policy
WHERE
    workload LIKE 'seed-%' AND metric = $metric AND scope = 'all'
    AND run_ratios.policy = 'pect' AND versus_policy IN (SELECT unnest($versus))
ORDER BY list_position($versus, versus_policy), unit
