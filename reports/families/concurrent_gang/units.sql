-- The independent units of what concurrent_gang.sql measures, of other families' runs on the same workloads, too: replications of
-- models; what is measured of an application carries its name behind the metric's (jobs_completed_application_io). Needs the
-- temporary table units.
INSERT INTO unit_metrics
SELECT workload, policy, replication, if(scope = 'all', metric, metric || '_' || replace(scope, '=', '_')), value
FROM metrics
SEMI JOIN activity_sums USING (workload)
SEMI JOIN (FROM units WHERE unit_is = 'replication') USING (workload)
WHERE
    (
        scope = 'all'
        AND metric IN (
            'jobs_completed', 'jobs_unfinished', 'one_task_submitted_share', 'one_task_completed_share', 'utilisation_spin_busy',
            'utilisation_spin_idle', 'idle_time_spin_busy', 'idle_time_spin_idle', 'compute_share', 'message_share', 'spin_share',
            'switch_share', 'blocked_share', 'empty_share', 'local_share', 'disk_utilisation', 'mean_tasks_per_processor',
            'mean_rows'
        )
    )
    OR starts_with(scope, 'application=')
ORDER BY ALL;
