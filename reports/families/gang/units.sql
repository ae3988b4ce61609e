-- The independent units of what gang.sql measures: replications of models. Needs the temporary table units.
INSERT INTO unit_metrics
SELECT workload, policy, replication, metric, value
FROM metrics SEMI JOIN (FROM units WHERE unit_is = 'replication') USING (workload)
WHERE
    scope = 'all'
    AND metric IN (
        'effective_utilisation', 'job_efficiency', 'mean_job_efficiency', 'makespan_from_first_start', 'fragmentation',
        'accounted_capacity', 'mean_level', 'resizings', 'resized_processors', 'low_share', 'normal_share', 'high_share'
    )
ORDER BY ALL;
