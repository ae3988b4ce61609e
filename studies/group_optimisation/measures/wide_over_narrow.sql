-- The mean wait of wide jobs over that of narrow ones, of all run times: two values per draw of the synthetic workloads, whose
-- means have the ratio.
--
-- $policies: the schedulers.
SELECT
    policies.label || ', wide over narrow jobs' AS label,
    workload || '/' || replication AS unit,
    any_value(value) FILTER (scope = 'any wide') AS value,
    any_value(value) FILTER (scope = 'any narrow') AS versus
FROM metrics JOIN policies USING (policy)
WHERE
    workload LIKE 'seed-%' AND metric = 'mean_wait' AND scope IN ('any wide', 'any narrow')
    AND policy IN (SELECT unnest($policies))
GROUP BY policies.label, workload, replication
ORDER BY label, unit
