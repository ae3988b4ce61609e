-- What slack changes: measures over those with no slack, on the same draws, a row per draw. Spare time of no length is propagation
-- without slack.
WITH kinds AS (
    SELECT
        workload, workload_label, b.policy, 100 * (parameters ->> 'slpa')::DOUBLE AS slack,
        CASE
            WHEN parameters ->> 'frame_rule' = 'spare_time' THEN 'spare time'
            WHEN (parameters ->> 'propagation')::BOOLEAN THEN 'propagation'
            ELSE 'relaxed'
        END AS kind
    FROM base AS b JOIN policies USING (policy)
)
SELECT
    k.kind, k.slack, split_part(k.workload, '-', 2)::INTEGER AS share, k.workload_label, m.metric, m.scope, m.replication AS unit,
    m.value / n.value AS value
FROM kinds AS k
JOIN kinds AS z ON z.workload = k.workload AND z.slack = 0 AND z.kind = if(k.kind = 'relaxed', 'relaxed', 'propagation')
JOIN metrics AS m ON (m.workload, m.policy) = (k.workload, k.policy)
JOIN metrics AS n ON (n.workload, n.policy, n.replication, n.metric, n.scope)
    = (z.workload, z.policy, m.replication, m.metric, m.scope)
WHERE list_contains($measures, m.metric || ' ' || m.scope)
ORDER BY k.kind, share, k.slack, list_position($measures, m.metric || ' ' || m.scope), unit
