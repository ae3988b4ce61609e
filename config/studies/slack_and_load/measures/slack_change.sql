-- By how much slack changes measures together, over no slack under the same kind of reservation: the geometric mean of the changes of
-- each, all with the same weight.
-- Parameters: $measures, metric and scope with a blank between; $policies and $versus, taken in pairs; $workloads. Unit: per cent; a
-- draw each.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    w.label || if(len($policies) = 1, '', ', ' || p.label) AS label, m.replication AS unit,
    100 * (exp(avg(ln(m.value / n.value))) - 1) AS value
FROM pairs
JOIN metrics AS m USING (policy)
JOIN metrics AS n ON n.policy = versus_policy AND (n.workload, n.replication, n.metric, n.scope) = (m.workload, m.replication, m.metric, m.scope)
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
WHERE m.workload IN (SELECT unnest($workloads)) AND list_contains($measures, m.metric || ' ' || m.scope)
GROUP BY w.label, p.label, m.workload, m.policy, m.replication
HAVING count(*) = len($measures)
ORDER BY list_position($policies, m.policy), list_position($workloads, m.workload), unit
