-- The share of tasks that start before the begin of the slot they were booked in, less that under another policy, in the same draw.
-- Parameters: $against, pairs of policies; $workloads. Unit: points; a draw each.
WITH slid AS (
    SELECT workload, policy, replication, 100 * count(*) FILTER (start_us < planned_start_us) / count(*) AS share
    FROM task_times GROUP BY ALL
)
SELECT w.label || ', ' || over(p.label, q.label) AS label, m.replication AS unit, m.share - n.share AS value
FROM pairs_of($against) AS a
CROSS JOIN pairs_of($workloads) AS v
JOIN slid AS m ON m.policy = a.mine AND m.workload = v.mine
JOIN slid AS n ON n.policy = a.theirs AND n.workload = v.theirs AND n.replication = m.replication
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
JOIN policies AS q ON q.policy = n.policy
ORDER BY a.place, v.place, unit
