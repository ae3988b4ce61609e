-- How much shorter the times under L-R are than under PSS by slowdown formula, against the load that is offered, a row per
-- replication; beside what the paper prints, which stands at the loads of W1 and W3 here.
SELECT
    a.choices ->> 'Slowdown of a pair' AS formula, w.label AS workload_label, w.offered_load AS load, a.metric, a.unit,
    100 * (1 - a.value / b.value) AS value, q.printed, q.place
FROM under_readings('lomarc') AS a
JOIN under_readings('lomarc') AS b USING (reading, workload, metric, scope, unit)
-- the first draws alone have another label, and the same jobs
JOIN main.workloads AS w ON w.workload = a.cell_workload
LEFT JOIN printed_values AS q ON
    a.headline AND q.workload = a.workload AND q.policy = a.policy AND q.metric = 'improvement_' || a.metric AND q.scope = 'over pss'
WHERE a.policy = 'l-r' AND b.policy = 'pss' AND a.scope = 'all' AND a.metric IN (SELECT unnest($metrics))
    AND a.reading IN (SELECT unnest($readings)) AND a.workload IN (SELECT unnest($workloads))
ORDER BY list_position($metrics, a.metric), a.position, load, a.unit
