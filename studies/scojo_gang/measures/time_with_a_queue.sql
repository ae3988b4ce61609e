-- Part of the time from the first start to the last finish in which at least one job waits for its start.
-- Parameters: $workloads; $policies. Unit: per cent.
SELECT
    w.label || ': ' || p.label AS label, replication AS unit,
    100 * coalesce(queued_us, 0)::DOUBLE / (end_us - begin_us) AS value
FROM gang_sums
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
ORDER BY w.label, p.position, unit
