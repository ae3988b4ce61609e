-- The largest ratio over the draws of what A needs to what B needs, for the same jobs on the same processors. Exact.
-- Parameters: $against, pairs of schedulers; $workloads; $what: length (until the last job ends), space (processor time in slots that
-- have no task) or idle (processor time in which the owner of a slice waits, blocked or spinning).
WITH done AS (
    SELECT
        workload, policy, replication,
        CASE $what WHEN 'space' THEN max(empty_ns) WHEN 'idle' THEN max(blocked_ns + spin_ns) END::DOUBLE AS value
    FROM activity_sums WHERE $what <> 'length'
    GROUP BY workload, policy, replication
    UNION ALL
    SELECT workload, policy, replication, value FROM run_values WHERE metric = 'makespan' AND scope = 'all' AND $what = 'length'
)
SELECT w.label || ', ' || over(p.label, v.label) AS label, max(a.value / b.value) AS value
FROM pairs_of($against) AS pair
JOIN done AS a ON a.policy = pair.mine
JOIN done AS b ON b.policy = pair.theirs AND b.workload = a.workload AND b.replication = a.replication
JOIN pairs_of($workloads) AS place ON place.mine = a.workload
JOIN workloads AS w ON w.workload = a.workload
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
WHERE b.value > 0
GROUP BY w.label, place.place, p.label, v.label, pair.place
ORDER BY place.place, pair.place
