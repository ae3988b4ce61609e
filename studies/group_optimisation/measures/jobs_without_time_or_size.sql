-- Jobs of the logs without a positive run time or size. Exact.
SELECT w.label AS label, count_if(runtime_us <= 0 OR size <= 0)::DOUBLE AS value
FROM jobs JOIN workloads AS w USING (workload)
WHERE workload LIKE '%-first' AND policy = 'pect'
GROUP BY w.label
ORDER BY label
