-- Jobs of a workload, per draw. Exact.
SELECT label, jobs / replications AS value
FROM workloads
WHERE (workload LIKE 'seed-%' OR workload LIKE '%-first') AND NOT missing
ORDER BY kind DESC, label
