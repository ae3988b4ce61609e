-- Mean gap between submissions over the printed one: of the synthetic workloads the largest difference of any draw; of the logs
-- over the mean of those that the source prints for the synthetic workloads. Exact.
-- Parameters: $of: seeds or logs.
WITH quoted AS (FROM printed_values WHERE source = 'Kanavallil 2007' AND metric = 'mean_gap')
SELECT
    w.label,
    if($of = 'seeds', 1 + max(abs(mean_gap_s / q.value - 1)), any_value(mean_gap_s) / (SELECT avg(value) FROM quoted)) AS value
FROM characteristics AS c
JOIN workloads AS w USING (workload)
LEFT JOIN quoted AS q USING (workload)
WHERE if($of = 'seeds', q.value IS NOT NULL, workload LIKE '%-first')
GROUP BY w.label
ORDER BY w.label
