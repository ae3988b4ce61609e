-- Groups without smart backfilling less groups with it, on the same jobs: a value per draw of a synthetic workload, and per
-- batch of a log, there times the batches, so that the mean is of the whole log.
SELECT
    label, if(kind = 'log', batch, replication) AS unit,
    (a.groups - b.groups) * if(kind = 'log', count(*) OVER (PARTITION BY workload), 1) AS value
FROM batch_groups AS a
JOIN batch_groups AS b USING (workload, replication, batch)
JOIN workloads USING (workload)
WHERE a.policy = 'pect_o_ns' AND b.policy = 'pect_o' AND workload <> 'seed-13'
    AND (workload LIKE 'seed-%' OR workload LIKE '%-first')
ORDER BY kind = 'log', label, unit
