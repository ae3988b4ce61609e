-- Accumulated job efficiency: least and largest over all instances, by strategy.
-- Parameters: $workloads; $policies. Unit: per cent.
SELECT
    w.label || ', ' || p.label || ', ' || extreme AS label, 100 * if(extreme = 'least', min(value), max(value)) AS value
FROM run_values
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
CROSS JOIN (VALUES ('least'), ('largest')) AS ends (extreme)
WHERE metric = 'job_efficiency' AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, extreme
