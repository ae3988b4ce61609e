-- Metrics of whole runs under one scheduler: a value per draw of the synthetic workloads that the source averages over.
--
-- $metric, $policy: of what, under which scheduler. $scale: what values are multiplied by. $label: what the row is called.
SELECT $label AS label, workload || '/' || replication AS unit, $scale * value AS value
FROM metrics
WHERE
    workload LIKE 'seed-%' AND workload <> 'seed-13' AND metric = $metric AND scope = 'all' AND policy = $policy
ORDER BY unit
