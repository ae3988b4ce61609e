-- Of the tasks that had not ended by the end of their frame, those that were finished, whole. Exact.
-- Parameters: $workload; $policies. Unit: per cent.
SELECT p.label AS label, 100 * count(*) FILTER (j.outcome = 'finished') / count(*) AS value
FROM reservations AS r
JOIN jobs AS j USING (workload, policy, replication, job)
JOIN policies AS p USING (policy)
WHERE workload = $workload AND policy IN (SELECT unnest($policies)) AND (j.finish_us > latest_us OR j.finish_us IS NULL)
GROUP BY p.label, policy
ORDER BY list_position($policies, policy)
