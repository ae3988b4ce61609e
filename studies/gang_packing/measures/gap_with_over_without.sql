-- The largest difference between best fit and first fit where jobs are moved, over that where they stay.
-- Parameters: $workload; $from: first arrival that counts: before it the ratio is a mean of few. Unit of analysis: a sequence of
-- jobs. Values are in %, their ratio has no unit.
WITH gaps AS (
    SELECT replication, b.policy LIKE '%-moved' AS moved, 100 * max(abs(b.ratio / f.ratio - 1)) AS gap
    FROM packing AS b
    JOIN packing AS f USING (workload, replication, arrival)
    WHERE workload = $workload AND arrival >= $from
        AND (b.policy, f.policy) IN (
            ('gang-best-fit', 'gang-first-fit'), ('gang-best-fit-moved', 'gang-first-fit-moved')
        )
    GROUP BY ALL
)
SELECT
    'largest difference, with migration over without' AS label, replication AS unit,
    max(gap) FILTER (moved) AS value, max(gap) FILTER (NOT moved) AS versus
FROM gaps GROUP BY replication
ORDER BY unit
