-- Pairs whose jobs are of different kinds, of all pairs formed. Parameters: $workloads; $policies. Unit: per cent; a replication each.
SELECT
    w.label || ', ' || p.label AS label, replication AS unit,
    100 * coalesce(sum(pairs) FILTER (split_part(kinds, ' + ', 1) <> split_part(kinds, ' + ', 2)), 0) / sum(pairs) AS value
FROM pair_kinds
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY workload, w.label, policy, p.label, replication
ORDER BY list_position($workloads, workload), list_position($policies, policy), unit
