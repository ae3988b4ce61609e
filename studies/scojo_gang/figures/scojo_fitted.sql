-- The headline beside the reading in which arrivals, sizes and backfilling come near what the thesis prints.
SELECT w.label AS workload_label, p.label AS policy_label, c.policy, lower(r.label) AS reading, r.headline,
    value / 3600 AS value, low / 3600 AS low, high / 3600 AS high, units, printed / 3600 AS printed
FROM main.reading_cells AS c JOIN main.readings AS r USING (study, reading)
    JOIN main.intervals AS i ON i.workload = cell_workload AND i.policy = cell_policy
    JOIN workloads AS w ON w.workload = c.workload JOIN policies AS p ON p.policy = c.policy
    LEFT JOIN (
        SELECT workload, policy, value AS printed FROM printed_values WHERE scope = 'all' AND starts_with(place, 'figure 7-2,')
    ) AS q ON q.workload = c.workload AND q.policy = c.policy
WHERE study = 'scojo_gang' AND reading IN ('letter', 'fitted') AND metric = 'mean_response' AND i.scope = 'all' AND c.workload LIKE 'huang-_'
    AND NOT regexp_matches(c.policy, '_mpl[0-9]$')
ORDER BY w.label, p.position
