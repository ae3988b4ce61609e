-- What slack changes: measures over those with propagation and no slack, on the same draws, a row per draw. Spare time and planning
-- early of no length are just that. Where slots are kept free, so are those without slack.
WITH kinds AS (
    SELECT
        workload, b.policy, 100 * (parameters ->> 'slpa')::DOUBLE AS slack,
        CASE
            WHEN parameters ->> 'frame_rule' = 'spare_time' THEN 'spare time'
            WHEN NOT (parameters ->> 'propagation')::BOOLEAN THEN 'relaxed'
            WHEN parameters ->> 'reservations' = 'kept' THEN 'early, kept'
            WHEN parameters ->> 'frame_rule' = 'earliest_start' THEN 'early'
            ELSE 'propagation'
        END AS kind
    FROM base AS b JOIN policies USING (policy)
),
every AS (
    FROM kinds WHERE kind <> 'propagation'
    UNION ALL
    SELECT kinds.* REPLACE (other AS kind)
    FROM kinds, (SELECT unnest(['spare time', 'early']) AS other)
    WHERE kind = 'propagation' AND slack = 0
)
SELECT
    k.kind, k.slack, split_part(k.workload, '-', 2)::INTEGER AS share, m.metric || ' ' || m.scope AS measure,
    m.replication AS unit, m.value / n.value AS value
FROM every AS k
JOIN run_values AS m USING (workload, policy)
JOIN run_values AS n ON (n.workload, n.replication, n.metric, n.scope) = (m.workload, m.replication, m.metric, m.scope)
JOIN kinds AS z ON (z.workload, z.policy) = (n.workload, n.policy) AND z.slack = 0
    AND z.kind = if(k.kind = 'early, kept', k.kind, 'propagation')
WHERE list_contains($measures, m.metric || ' ' || m.scope)
ORDER BY k.kind, share, list_position($measures, measure), k.slack, unit
