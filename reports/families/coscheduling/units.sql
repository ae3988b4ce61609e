-- The independent units of what coscheduling.sql measures: replications of models. Needs the temporary tables units and
-- coscheduled.
INSERT INTO unit_metrics
SELECT workload, policy, replication, metric, value
FROM metrics SEMI JOIN coscheduled USING (workload) SEMI JOIN (FROM units WHERE unit_is = 'replication') USING (workload)
WHERE
    scope = 'all'
    AND metric IN (
        'utilisation_efficiency', 'mean_response_over_elapsed', 'shared_share', 'paired_share', 'slowdown_while_sharing',
        'busy_time', 'pairs', 'pairs_with_running_share', 'pairs_by_backfilling_share', 'mean_pair_slowdown',
        'mean_looked_at', 'mean_medium_long', 'mean_size_fits', 'mean_memory_fits', 'mean_types_match',
        'mean_slowdown_fits', 'mean_rank', 'reservations', 'mean_reserved_delay', 'max_reserved_delay'
    )
ORDER BY ALL;
