-- Barriers that jobs pass in a run under one scheduler, over another, on the same jobs.
--
-- $workloads            ids of workloads
-- $policies, $versus    the schedulers, taken in pairs
-- Unit of analysis: a draw of the jobs.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy),
passed AS (SELECT workload, policy, replication, sum(barriers)::DOUBLE AS value FROM application_sums GROUP BY ALL)
SELECT w.label || ', ' || p.label || ' over ' || v.label AS label, a.replication AS unit, a.value, b.value AS versus
FROM pairs
JOIN passed AS a USING (policy)
JOIN passed AS b ON b.policy = versus_policy AND (b.workload, b.replication) = (a.workload, a.replication)
JOIN workloads AS w ON w.workload = a.workload
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = versus_policy
WHERE a.workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, a.workload), list_position($policies, a.policy), unit
