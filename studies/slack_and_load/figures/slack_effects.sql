-- What slack changes: measures over those with propagation and no slack, on the same draws, a row per draw. Spare time of no
-- length is just that.
WITH kinds AS (
    SELECT
        workload, b.policy, 100 * (parameters ->> 'slpa')::DOUBLE AS slack,
        CASE
            WHEN parameters ->> 'frame_rule' = 'spare_time' THEN 'spare time'
            WHEN (parameters ->> 'propagation')::BOOLEAN THEN 'propagation'
            ELSE 'relaxed'
        END AS kind
    FROM base AS b JOIN policies USING (policy)
),
every AS (
    FROM kinds WHERE kind <> 'propagation'
    UNION ALL SELECT * REPLACE ('spare time' AS kind) FROM kinds WHERE kind = 'propagation' AND slack = 0
)
SELECT
    k.kind, k.slack, split_part(k.workload, '-', 2)::INTEGER AS share, m.metric || ' ' || m.scope AS measure,
    m.replication AS unit, m.value / n.value AS value
FROM every AS k
JOIN run_values AS m USING (workload, policy)
JOIN run_values AS n ON (n.workload, n.replication, n.metric, n.scope) = (m.workload, m.replication, m.metric, m.scope)
JOIN kinds AS z ON (z.workload, z.policy) = (n.workload, n.policy) AND z.kind = 'propagation' AND z.slack = 0
WHERE list_contains($measures, m.metric || ' ' || m.scope)
ORDER BY k.kind, share, list_position($measures, measure), k.slack, unit
