-- What comes of the main claims under every reading: medium jobs at 26 % over none, local ones over those beside the same tasks
-- submitted unbooked, and how much shorter propagation makes workflows; a row per draw.
WITH cells AS (FROM under_readings('grid_reservations')),
asked (panel, mine, policy, theirs, versus, metric, scope) AS (
    VALUES
        ('Medium jobs at 26 %: over no tasks', 'p-26', 'grid_relaxed', 'p-0', 'no-workflows', 'mean_slowdown', 'medium'),
        ('Local medium jobs at 26 %: over unbooked tasks', 'p-26', 'grid_relaxed', 'p-26', 'grid_heft', 'mean_slowdown', 'local medium'),
        ('Makespan at 26 %: with over without propagation', 'p-26', 'grid_propagation', 'p-26', 'grid_relaxed', 'mean_workflow_makespan', 'all')
)
SELECT panel, a.position, a.reading_label, a.unit, a.value / b.value AS value
FROM asked
JOIN cells AS a ON (a.workload, a.policy, a.metric, a.scope) = (asked.mine, asked.policy, asked.metric, asked.scope)
JOIN cells AS b ON (b.reading, b.unit, b.metric, b.scope) = (a.reading, a.unit, a.metric, a.scope) AND b.workload = theirs AND b.policy = versus
WHERE a.headline OR a.again OR b.again -- a reading that runs none of these anew says what the headline says
ORDER BY panel DESC, a.position, a.unit
