-- What a table of the source prints of the groups or searches of each synthetic workload: a value per draw, beside the printed
-- one and in its unit.
--
-- $metric: as in the store. $policy: the scheduler.
SELECT
    w.label,
    replication AS unit,
    m.value / p.printed_scale AS value,
    p.printed, p.printed_digits AS digits, p.printed_draws AS draws
FROM printed_values AS p
JOIN metrics AS m USING (workload, policy, metric, scope)
JOIN workloads AS w USING (workload)
WHERE p.source = 'Kanavallil 2007' AND metric = $metric AND policy = $policy AND workload LIKE 'seed-%'
ORDER BY w.label, unit
