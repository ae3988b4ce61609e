-- Processor time in slots without a task, in % of all; a slot whose task has ended before its job counts.
--
-- $workloads   ids of workloads
-- $policies    schedulers
-- Unit of analysis: a draw of the jobs.
SELECT w.label || ', ' || p.label AS label, replication AS unit, 100 * empty_share AS value
FROM activity
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies)) AND whole
ORDER BY list_position($workloads, workload), list_position($policies, policy), unit
