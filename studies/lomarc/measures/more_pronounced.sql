-- How much larger a strategy's lead over another is in relative response times than in response times, replication by replication.
-- Parameters: $workloads; $policies and $versus, taken in pairs. Unit: points of per cent.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy),
leads AS (
    SELECT workload, replication, metric, a.policy, versus_policy, 100 * (1 - a.value / b.value) AS lead
    FROM pairs
    JOIN metrics AS a USING (policy)
    JOIN metrics AS b USING (workload, replication, metric, scope)
    WHERE b.policy = versus_policy AND scope = 'all' AND workload IN (SELECT unnest($workloads))
)
SELECT
    w.label || ': ' || p.label || ' over ' || v.label AS label, replication AS unit, a.lead - b.lead AS value
FROM leads AS a
JOIN leads AS b USING (workload, replication, policy, versus_policy)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
JOIN policies AS v ON v.policy = versus_policy
WHERE a.metric = 'mean_relative_response' AND b.metric = 'mean_response'
ORDER BY list_position($workloads, workload), v.position, p.position, unit
