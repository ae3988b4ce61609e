-- The independent units of what grid.sql measures: replications of models. What is measured of a part of the jobs, or of a
-- cluster, carries its name behind the metric's (mean_slowdown_local_medium, utilisation_cluster_0). Needs the temporary tables
-- units and gridded.
INSERT INTO unit_metrics
SELECT workload, policy, replication, if(scope = 'all', metric, metric || '_' || replace(scope, ' ', '_')), value
FROM metrics SEMI JOIN gridded USING (workload) SEMI JOIN (FROM units WHERE unit_is = 'replication') USING (workload)
WHERE
    (
        scope = 'all'
        AND metric IN (
            'workflows', 'rejected_workflows', 'mean_workflow_makespan', 'mean_workflow_response', 'max_workflow_makespan',
            'mean_clusters_per_workflow', 'late_tasks_share', 'reservation_share', 'slides_per_task', 'slides_per_task_room',
            'slides_per_task_freed', 'slides_per_task_not_ready', 'slides_per_task_slid_down', 'utilisation_while_submitting'
        )
    )
    OR (scope IN ('short', 'medium', 'long') AND metric IN ('mean_slowdown', 'mean_response', 'mean_bounded_slowdown_600'))
    OR starts_with(scope, 'local') OR starts_with(scope, 'tasks') OR starts_with(scope, 'cluster ')
ORDER BY ALL;
