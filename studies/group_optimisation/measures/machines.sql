-- Processors of the machines, beside what the source prints. Exact.
SELECT label, processors::DOUBLE AS value, printed
FROM workloads JOIN printed_values USING (workload)
WHERE printed_values.source = 'Kanavallil 2007' AND metric = 'processors' AND NOT missing
ORDER BY kind DESC, label
