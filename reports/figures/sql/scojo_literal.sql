-- The literal reading of arrivals and sizes beside the fitted one.
SELECT regexp_replace(w.label, ', .*', '') AS workload_label, p.label AS policy_label, policy,
    if(ends_with(workload, 'literal'), 'literal', 'fitted') AS reading, value / 3600 AS value, low / 3600 AS low, high / 3600 AS high,
    units, printed / 3600 AS printed
FROM intervals JOIN workloads AS w USING (workload) JOIN policies AS p USING (policy)
    JOIN (SELECT workload, policy, min(position) AS place FROM cells WHERE study = 'scojo_gang' GROUP BY ALL) USING (workload, policy)
    LEFT JOIN (
        SELECT workload, policy, value AS printed FROM printed_values WHERE scope = 'all' AND starts_with(place, 'figure 7-2,')
    ) USING (workload, policy)
WHERE metric = 'mean_response' AND regexp_matches(workload, '^huang-[12](-literal)?$')
    AND (replace(workload, '-literal', '') || '-literal', policy) IN (SELECT (workload, policy) FROM intervals)
ORDER BY workload_label, place
