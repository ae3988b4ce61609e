-- How much shorter the times under L-R are than under PSS by slowdown formula, against the load that is offered, a row per
-- replication; beside what the paper prints, which stands at the loads of W1 and W3 here.
WITH cells AS (
    SELECT
        r.position, r.choices ->> 'Slowdown of a pair' AS formula, r.headline, c.workload, c.policy, c.cell_workload, c.cell_policy
    FROM main.reading_cells AS c
    JOIN main.readings AS r USING (study, reading)
    WHERE study = 'lomarc' AND reading IN (SELECT unnest($readings)) AND c.workload IN (SELECT unnest($workloads))
)
SELECT
    a.formula, w.label AS workload_label, w.offered_load AS load, m.metric, m.replication AS unit, 100 * (1 - m.value / n.value) AS value,
    q.printed, q.place
FROM cells AS a
JOIN cells AS b USING (position, workload)
JOIN main.run_values AS m ON m.workload = a.cell_workload AND m.policy = a.cell_policy
JOIN main.run_values AS n ON
    n.workload = b.cell_workload AND n.policy = b.cell_policy AND n.metric = m.metric AND n.scope = m.scope
    AND n.replication = m.replication
-- the first draws alone have another label, and the same jobs
JOIN main.workloads AS w ON w.workload = a.cell_workload
LEFT JOIN printed_values AS q ON
    a.headline AND q.workload = a.workload AND q.policy = a.policy AND q.metric = 'improvement_' || m.metric AND q.scope = 'over pss'
WHERE a.policy = 'l-r' AND b.policy = 'pss' AND m.scope = 'all' AND m.metric IN (SELECT unnest($metrics))
ORDER BY list_position($metrics, m.metric), a.position, load, unit
