-- The longest run time of all replications, rounded. Parameters: $workloads. Unit: hours.
SELECT w.label AS label, round(max(runtime_us) / 3600e6) AS value
FROM jobs JOIN workloads AS w USING (workload)
WHERE policy = 'pss' AND workload IN (SELECT unnest($workloads))
GROUP BY workload, w.label
ORDER BY list_position($workloads, workload)
