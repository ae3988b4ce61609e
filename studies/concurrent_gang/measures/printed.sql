-- What is measured beside what the tables of the thesis print, a row per printed value.
-- Parameters: $workloads; $metric. Unit: jobs, or per cent of the machine.
SELECT
    w.label || ': ' || p.label AS label, replication AS unit, m.value / printed_scale AS value, printed,
    printed_digits AS digits, printed_draws AS draws
FROM printed_values AS q
JOIN metrics AS m USING (workload, policy, metric, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE q.source = 'da Silva 2000' AND scope = 'all' AND metric = $metric AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), p.position, unit
