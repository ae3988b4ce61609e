-- Utilisation of a log under SCOJO-PECT, while the machine neither fills nor drains, less that of a synthetic workload: a value
-- per draw of the synthetic workloads, in points of %. The log is taken as it is: the source has the same jobs.
SELECT
    w.label || ' less the synthetic workloads' AS label, seed.workload || '/' || seed.replication AS unit,
    100 * (log.value - seed.value) AS value
FROM run_values AS log
JOIN workloads AS w USING (workload)
JOIN run_values AS seed USING (metric, policy, scope)
WHERE log.workload LIKE '%-first' AND seed.workload LIKE 'seed-%' AND metric = 'core_utilisation' AND policy = 'pect'
ORDER BY label, unit
