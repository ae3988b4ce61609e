-- Of the processor time that the local scheduler gave, the part that went to jobs of one task, in %.
--
-- $workloads   ids of workloads
-- $policies    schedulers
-- Unit of analysis: a draw of the jobs: two values, the time that went to jobs of one task and to all.
SELECT
    w.label || ', ' || p.label AS label, replication AS unit,
    100 * coalesce(sum(local_ns) FILTER (one_task), 0)::DOUBLE AS value, sum(local_ns)::DOUBLE AS versus
FROM application_sums
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY workload, policy, w.label, p.label, replication
HAVING sum(local_ns) > 0
ORDER BY list_position($workloads, workload), list_position($policies, policy), unit
