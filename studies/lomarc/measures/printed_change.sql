-- A against B, unit by unit, beside the change that the paper prints of one sample.
-- Parameters: $against, pairs of policies; $change, of one unit; $workloads, $metrics; $quoted, what the printed metric begins
-- with (improvement or excess).
SELECT c.label, c.unit, change_of_unit($change, c.value, c.versus, c.better) AS value, printed, printed_digits AS digits
FROM compared($against, $workloads, $metrics, [['all', 'all']], 'run', '') AS c
JOIN printed_values AS q ON
    q.workload = c.workload AND q.policy = c.policy AND q.metric = $quoted || '_' || c.metric AND q.scope = 'over ' || c.versus_policy
ORDER BY c.place, c.unit
