-- Jobs completed and utilisation with one policy and with another on the same jobs, a row per draw; beside them what the thesis
-- prints of the two.
SELECT
    workload, workload_label, processors, metric, c.unit, c.value, versus, mine.value / theirs.value AS printed, mine.place
FROM against(
    $against, $workloads, [['jobs_completed', 'jobs_completed'], ['utilisation_spin_busy', 'utilisation_spin_busy']],
    [['all', 'all']], 'run'
) AS c
JOIN shown USING (workload, policy)
LEFT JOIN printed_values AS mine USING (workload, policy, metric, scope)
LEFT JOIN printed_values AS theirs ON
    (theirs.workload, theirs.policy, theirs.metric, theirs.scope) = (workload, versus_policy, metric, scope)
ORDER BY c.place[3], metric, unit
