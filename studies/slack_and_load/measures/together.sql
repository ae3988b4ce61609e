-- By how much more makespans of workflows and relative response times of local jobs are together under A than under B, on the same
-- draws: the geometric mean of the makespan (weight 2) and of the responses of medium and of long local jobs (weight 1 each).
-- Parameters: $against, pairs of policies; $workloads. Unit: per cent; a draw each.
SELECT
    where_words || ', ' || who_words AS label, unit,
    100 * (exp(sum(if(metric = 'mean_workflow_makespan', 2, 1) * ln(value / versus)) / 4) - 1) AS value
FROM compared(
    $against, $workloads, [['mean_workflow_makespan', 'mean_workflow_makespan'], ['mean_slowdown', 'mean_slowdown']],
    [['all', 'all'], ['local medium', 'local medium'], ['local long', 'local long']], 'run', ''
)
WHERE (metric = 'mean_workflow_makespan') = (scope = 'all')
GROUP BY where_words, who_words, unit
HAVING count(*) = 3
ORDER BY min(place), unit
