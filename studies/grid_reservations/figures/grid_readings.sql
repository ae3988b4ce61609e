-- What comes of the main claims under every reading: medium jobs at 26 % over none, local ones alone, medium tasks' own, and how
-- much shorter propagation makes workflows; a row per draw.
WITH cells AS (
    SELECT r.position, r.label AS reading_label, r.headline, c.workload, c.policy, c.cell_workload, c.cell_policy
    FROM main.reading_cells AS c JOIN main.readings AS r USING (study, reading)
    WHERE study = 'grid_reservations'
),
asked (panel, mine, policy, theirs, versus, metric, scope) AS (
    VALUES
        ('Medium jobs at 26 %: over no tasks', 'p-26', 'grid_relaxed', 'p-0', 'no-workflows', 'mean_slowdown', 'medium'),
        ('Medium jobs at 26 %: over independent tasks', 'p-26', 'grid_relaxed', 'p-26', 'grid_independent', 'mean_slowdown', 'medium'),
        ('Makespan at 26 %: with over without propagation', 'p-26', 'grid_propagation', 'p-26', 'grid_relaxed', 'mean_workflow_makespan', 'all')
)
SELECT asked.panel, a.position, a.reading_label, m.replication AS unit, m.value / n.value AS value
FROM asked
JOIN cells AS a ON a.workload = asked.mine AND a.policy = asked.policy
JOIN cells AS b ON b.position = a.position AND b.workload = asked.theirs AND b.policy = asked.versus
JOIN main.run_values AS m ON
    m.workload = a.cell_workload AND m.policy = a.cell_policy AND m.metric = asked.metric AND m.scope = asked.scope
JOIN main.run_values AS n ON
    n.workload = b.cell_workload AND n.policy = b.cell_policy AND n.metric = m.metric AND n.scope = m.scope
    AND n.replication = m.replication
-- a reading that runs none of these anew says what the headline says
WHERE a.headline OR (a.cell_workload, a.cell_policy, b.cell_workload, b.cell_policy) <> (a.workload, a.policy, b.workload, b.policy)
ORDER BY asked.panel DESC, a.position, unit
