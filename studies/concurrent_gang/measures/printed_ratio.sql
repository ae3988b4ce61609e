-- A metric with measurements over that without, beside the ratio of the two values that a table of the thesis prints.
-- Printed jobs are counts; printed per cents are rounded, by which their ratio may be a twentieth off.
-- Parameters: $workloads; $metric; $policy and $versus. Unit: none (ratio of means; a replication each).
WITH quoted AS (FROM printed_values WHERE source = 'da Silva 2000' AND scope = 'all' AND metric = $metric)
SELECT
    w.label, a.replication AS unit, a.value, b.value AS versus, mine.value / theirs.value AS printed, if($metric = 'jobs_completed', 2, 1) AS digits
FROM metrics AS a
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN quoted AS mine ON mine.workload = a.workload AND mine.policy = a.policy
JOIN quoted AS theirs ON theirs.workload = b.workload AND theirs.policy = b.policy
JOIN workloads AS w ON w.workload = a.workload
WHERE a.policy = $policy AND b.policy = $versus AND a.metric = $metric AND a.scope = 'all'
    AND a.workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, a.workload), unit
