-- By how many points more a scheduler gains over another where jobs do one thing than where the same jobs do something else.
--
-- $what        completed: jobs completed; the gain is in % of the other's
-- $workloads   ids of workloads: where it is to gain more
-- $less        ids of workloads: where less
-- $policies    the scheduler that gains
-- $versus      the one it is compared with
-- Unit of analysis: a draw of the jobs, the same ones in all these workloads.
WITH done AS (
    SELECT workload, policy, replication, CASE $what WHEN 'completed' THEN completed END AS value FROM activity WHERE whole
),
gains AS (
    SELECT workload, a.policy, replication, 100 * (a.value / b.value - 1) AS gain
    FROM done AS a JOIN done AS b USING (workload, replication)
    WHERE a.policy IN (SELECT unnest($policies)) AND b.policy = $versus AND b.value > 0
)
SELECT
    w.label || ' less ' || l.label || ', ' || p.label AS label, replication AS unit, m.gain - n.gain AS value
FROM gains AS m
JOIN gains AS n USING (policy, replication)
JOIN workloads AS w ON w.workload = m.workload
JOIN workloads AS l ON l.workload = n.workload
JOIN policies AS p USING (policy)
WHERE m.workload IN (SELECT unnest($workloads)) AND n.workload IN (SELECT unnest($less))
ORDER BY list_position($less, n.workload), list_position($policies, policy), unit
