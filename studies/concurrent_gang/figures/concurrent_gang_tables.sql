-- Jobs completed and utilisation (in %) of every policy that the tables of the thesis print, a row per draw, beside what they print.
SELECT
    workload, workload_label, policy, policy_label, metric, q.place, q.printed, replication AS unit, m.value / q.printed_scale AS value
FROM shown
JOIN printed_values AS q USING (workload, policy)
JOIN run_values AS m USING (workload, policy, metric, scope)
WHERE q.source = 'da Silva 2000'
ORDER BY q.place, metric, position DESC, unit
