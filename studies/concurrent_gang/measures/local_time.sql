-- Of the processor time that the local scheduler gave, the part that went to some jobs: two values per draw, their time and all.
-- Parameters: $jobs (one task, or the name of an application); $policies; $workloads. Unit: per cent.
SELECT
    w.label || ', ' || p.label AS label, replication AS unit,
    100 * coalesce(sum(local_ns) FILTER (if($jobs = 'one task', one_task, application = $jobs)), 0)::DOUBLE AS value,
    sum(local_ns)::DOUBLE AS versus
FROM application_sums
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY workload, policy, w.label, p.label, replication
HAVING sum(local_ns) > 0
ORDER BY list_position($workloads, workload), list_position($policies, policy), unit
