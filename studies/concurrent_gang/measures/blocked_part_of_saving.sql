-- Of the idle time that a scheduler saves over another on the same jobs, the part in which the slice had an owner that waited,
-- in %: two values per draw, the time saved there and all that is saved.
-- Parameters: $workloads; $policies: the schedulers that save; $versus: the one they are compared with. Unit of analysis: a draw
-- of the jobs. Times are shares of the processor time.
WITH spent AS (
    SELECT workload, policy, replication, blocked_share + spin_share AS waiting, blocked_share + spin_share + empty_share AS idle
    FROM activity WHERE whole
)
SELECT
    w.label || ', ' || p.label AS label, a.replication AS unit,
    100 * (b.waiting - a.waiting) AS value, b.idle - a.idle AS versus
FROM spent AS a
JOIN spent AS b USING (workload, replication)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON p.policy = a.policy
WHERE workload IN (SELECT unnest($workloads)) AND a.policy IN (SELECT unnest($policies)) AND b.policy = $versus
ORDER BY list_position($workloads, workload), list_position($policies, a.policy), unit
