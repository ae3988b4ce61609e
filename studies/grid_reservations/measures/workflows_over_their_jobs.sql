-- Response times of workflows over those of the jobs they were split from, in the same draw without workflows: two means per draw.
-- Parameters: $workloads; $policies. Unit: none.
SELECT
    w.label || if(len($policies) = 1, '', ', ' || p.label) AS label, replication AS unit,
    avg(f.finish_us - f.submit_us) / 1e6 AS value, avg(j.finish_us - j.submit_us) / 1e6 AS versus
FROM workflows AS f
JOIN jobs AS j USING (replication)
JOIN workloads AS w ON w.workload = f.workload
JOIN policies AS p ON p.policy = f.policy
WHERE j.workload = 'p-0' AND j.policy = 'no-workflows' AND j.job = f.workflow
    AND f.workload IN (SELECT unnest($workloads)) AND f.policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, f.workload, f.policy, replication
ORDER BY list_position($policies, f.policy), list_position($workloads, f.workload), unit
