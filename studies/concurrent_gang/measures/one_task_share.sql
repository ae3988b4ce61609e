-- Part of the jobs that have one task, in %.
-- Parameters: $what: drawn: of all jobs of the workload; completed: of those completed by the end of the run; $workloads: ids of
-- workloads; $policies: schedulers; what is drawn is the same under all. Unit of analysis: a draw of the jobs.
WITH drawn AS (
    SELECT workload, policy, replication, avg((size = 1)::INTEGER) AS share FROM jobs GROUP BY workload, policy, replication
)
SELECT
    w.label || ', ' || $what || if($what = 'completed', ' under ' || p.label, '') AS label, replication AS unit,
    100 * CASE $what WHEN 'drawn' THEN drawn.share WHEN 'completed' THEN one_task_completed_share END AS value
FROM drawn
LEFT JOIN (FROM activity WHERE whole) USING (workload, policy, replication)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
ORDER BY list_position($workloads, workload), list_position($policies, policy), unit
