-- Tasks that start before the begin of the slot they were booked in, over all tasks.
-- Parameters: $workloads; $policies. Unit: per cent; a draw each.
SELECT
    w.label || if(len($policies) = 1, '', ', ' || p.label) AS label, replication AS unit,
    100 * count(*) FILTER (start_us < planned_start_us) / count(*) AS value
FROM task_times
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, workload, policy, replication
ORDER BY list_position($policies, policy), list_position($workloads, workload), unit
