-- Mean gap between submissions of the synthetic workloads over the printed one: the largest difference of any draw. Exact.
SELECT w.label AS label, 1 + max(abs(mean_gap_s / p.value - 1)) AS value
FROM printed_values AS p JOIN characteristics USING (workload) JOIN workloads AS w USING (workload)
WHERE p.source = 'Kanavallil 2007' AND p.metric = 'mean_gap'
GROUP BY w.label
