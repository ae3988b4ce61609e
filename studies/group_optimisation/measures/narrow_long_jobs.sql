-- Share of jobs on at most a tenth of the machine among the long jobs, whatever their run time: a value per draw.
SELECT w.label AS label, replication AS unit, n.value / l.value AS value
FROM run_values AS n JOIN run_values AS l USING (workload, policy, replication, metric) JOIN workloads AS w USING (workload)
WHERE metric = 'jobs' AND policy = 'pect' AND n.scope = 'long narrow' AND l.scope = 'long'
    AND (workload LIKE '%-first' OR workload LIKE 'seed-%')
ORDER BY w.kind DESC, label, unit
