-- Relative response times by the portion of slack, with and without propagation, a row per draw.
SELECT
    split_part(policy, '-', 1) || ' propagation' AS arm, 100 * (parameters ->> 'slpa')::DOUBLE AS portion, scope,
    replication AS unit, value
FROM run_values JOIN policies USING (policy)
WHERE workload = 'four-seeds' AND metric = 'mean_slowdown' AND scope IN (SELECT unnest($scopes))
    AND split_part(policy, '-', 1) IN ('with', 'without')
ORDER BY list_position($scopes, scope), arm, portion, unit
