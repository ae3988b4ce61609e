-- Utilisation of every workload under SCOJO-PECT: a value per draw, in %; a log has only one.
--
-- $metric: utilisation (over the makespan) or core_utilisation (while the machine neither fills nor drains).
SELECT w.label AS label, replication AS unit, 100 * value AS value
FROM metrics JOIN workloads AS w USING (workload)
WHERE
    (workload LIKE 'seed-%' OR workload LIKE '%-first') AND policy = 'pect' AND metric = $metric AND scope = 'all'
ORDER BY w.kind DESC, label, unit
