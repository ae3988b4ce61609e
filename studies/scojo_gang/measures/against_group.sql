-- How many times worse strategies are than the best or the worst of a group of others, instance by instance. Worse is a longer
-- time, a larger slowdown, a lower utilisation or efficiency.
-- Parameters: $workloads; $metrics; $policies; $others, the group; $extreme ('best' or 'worst' of it); $called, the group in
-- words. Unit: none (ratio of means).
WITH badness AS (
    SELECT *, if(better = 'high', 1 / value, value) AS bad
    FROM measured('run')
    WHERE scope = 'all' AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
),
reference AS (
    SELECT workload, metric, unit, if($extreme = 'worst', max(bad), min(bad)) AS bad
    FROM badness WHERE policy IN (SELECT unnest($others))
    GROUP BY ALL
    HAVING count(*) = len($others)
)
SELECT
    w.label || ', ' || b.called || ': ' || p.label || ' against ' || $called AS label,
    unit, b.bad AS value, reference.bad AS versus
FROM badness AS b
JOIN reference USING (workload, metric, unit)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE policy IN (SELECT unnest($policies))
ORDER BY w.label, p.position, metric DESC, unit
