-- By how much more makespans of workflows and relative response times of local jobs are together under some policies than under
-- others, on the same draws: the geometric mean of the makespan (weight 2) and of the responses of medium and of long local jobs
-- (weight 1 each).
-- Parameters: $policies and $versus, taken in pairs; $workloads. Unit: per cent; a draw each.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    w.label || ', ' || p.label AS label, m.replication AS unit,
    100 * (exp(sum(if(m.metric = 'mean_workflow_makespan', 2, 1) * ln(m.value / n.value)) / 4) - 1) AS value
FROM pairs
JOIN metrics AS m USING (policy)
JOIN metrics AS n ON n.policy = versus_policy AND (n.workload, n.replication, n.metric, n.scope) = (m.workload, m.replication, m.metric, m.scope)
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
WHERE m.workload IN (SELECT unnest($workloads))
    AND m.metric || ' ' || m.scope IN ('mean_workflow_makespan all', 'mean_slowdown local medium', 'mean_slowdown local long')
GROUP BY w.label, p.label, m.workload, m.policy, m.replication
HAVING count(*) = 3
ORDER BY list_position($policies, m.policy), list_position($workloads, m.workload), unit
