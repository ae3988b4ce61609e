-- Area of the jobs and idle area together, over that of the machine: the run farthest from 1 of each workload.
SELECT workloads.label, arg_max(value, abs(value - 1)) AS value
FROM run_values
JOIN workloads USING (workload)
WHERE metric = 'accounted_capacity' AND (workload LIKE 'batch-%' OR source = 'gang_adversary')
GROUP BY workloads.label
ORDER BY workloads.label
