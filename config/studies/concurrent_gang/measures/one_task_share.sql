-- Part of the jobs that have one task, in %.
--
-- $what        submitted: of the jobs submitted until the run ended; completed: of those completed by then
-- $workloads   ids of workloads
-- $policies    schedulers; what was submitted is the same under all
-- Unit of analysis: a draw of the jobs.
SELECT
    w.label || ', ' || $what || if($what = 'completed', ' under ' || p.label, '') AS label, replication AS unit,
    100 * CASE $what WHEN 'submitted' THEN one_task_submitted_share WHEN 'completed' THEN one_task_completed_share END AS value
FROM activity
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies)) AND whole
ORDER BY list_position($workloads, workload), list_position($policies, policy), unit
