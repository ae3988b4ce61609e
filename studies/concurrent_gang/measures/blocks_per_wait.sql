-- Times that a task blocks at a barrier or message, for each barrier that a job passes or message that is received: under one
-- scheduler, over another.
--
-- $workloads            ids of workloads
-- $policies, $versus    the schedulers, taken in pairs
-- Unit of analysis: a draw of the jobs.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy),
blocks AS (
    SELECT workload, policy, replication, sum(blocked) / nullif(sum(if(barriers > 0, barriers, messages)), 0) AS value
    FROM application_sums
    GROUP BY ALL
)
SELECT
    w.label || ', ' || p.label || ' over ' || v.label AS label,
    a.replication AS unit, a.value::DOUBLE AS value, b.value::DOUBLE AS versus
FROM pairs
JOIN blocks AS a USING (policy)
JOIN blocks AS b ON b.policy = versus_policy AND (b.workload, b.replication) = (a.workload, a.replication)
JOIN workloads AS w ON w.workload = a.workload
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = versus_policy
WHERE a.workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, a.workload), list_position($policies, a.policy), unit
