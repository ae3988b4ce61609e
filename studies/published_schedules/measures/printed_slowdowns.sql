-- Mean bounded slowdown (10 s) of a schedule, and the one that its authors print.
SELECT replace(workloads.label, ', as published', '') AS label, run_values.value, printed_values.value AS printed
FROM run_values
JOIN printed_values USING (workload, policy, metric, scope)
JOIN workloads USING (workload)
WHERE policy = 'easy-published' AND metric = 'mean_bounded_slowdown_10'
ORDER BY workloads.label
