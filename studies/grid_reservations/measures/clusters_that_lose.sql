-- Clusters that lose at least so many points of utilisation against the same draw without workflows.
-- Parameters: $against, pairs of policies; $workloads, pairs; $points. Unit: clusters; a draw each.
SELECT where_words || ', ' || who_words AS label, unit, count(*) FILTER (100 * (versus - value) >= $points) AS value
FROM compared(
    $against, $workloads, [['utilisation', 'utilisation']],
    list_transform(range(4), lambda number: ['cluster ' || number, 'cluster ' || number]), 'run', ''
)
GROUP BY ALL
ORDER BY any_value(place[4]), any_value(place[3]), unit
