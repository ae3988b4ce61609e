-- What the shown policies of a grid come to by some measures, a row per draw: the policy of the clusters, and how tasks come to them.
SELECT
    b.workload, b.workload_label, b.policy, b.policy_label, b.position, parameters ->> 'local' AS local,
    CASE
        WHEN parameters ->> 'tasks' = 'when_ready' THEN 'HEFT, submitted when ready'
        WHEN parameters ->> 'tasks' = 'just_in_time' THEN 'mapped when ready'
        WHEN parameters ->> 'frame_rule' = 'rigid' THEN 'reserved, rigid'
        WHEN (parameters ->> 'propagation')::BOOLEAN THEN 'reserved, relaxed, propagation'
        ELSE 'reserved, relaxed'
    END AS way, metric || ' ' || scope AS measure, replication AS unit, value
FROM base AS b
JOIN policies AS p USING (policy)
JOIN run_values AS m USING (workload, policy)
WHERE list_contains($measures, metric || ' ' || scope)
ORDER BY list_position($measures, measure), b.position, unit
