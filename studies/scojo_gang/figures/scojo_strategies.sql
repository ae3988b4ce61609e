-- The ten strategies of the thesis by one metric: on its two workloads, with what one of its figures prints, or on real logs.
-- Parameters: $metric; $divisor; $figure, '' for the logs.
SELECT workload_label, policy, policy_label, value / $divisor AS value, low / $divisor AS low, high / $divisor AS high, units,
    printed / $divisor AS printed, place,
    CASE (parameters ->> 'level')::INTEGER WHEN 5 THEN 'gang scheduling, MPL 5' ELSE 'adaptive, MPL 2' END AS kind
FROM shown JOIN intervals USING (workload, policy) JOIN policies USING (policy)
    LEFT JOIN (
        SELECT workload, policy, metric, value AS printed, place FROM printed_values
        WHERE scope = 'all' AND starts_with(place, $figure || ',')
    ) USING (workload, policy, metric)
WHERE metric = $metric AND scope = 'all' AND if($figure = '', shown.kind = 'log', workload LIKE 'huang-_')
    AND NOT regexp_matches(policy, '_mpl[0-9]$')
ORDER BY shown.position
