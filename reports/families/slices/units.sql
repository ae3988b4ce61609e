-- The independent units of what slices.sql and group_search.sql measure; classes carry their name behind the metric's
-- (mean_bounded_slowdown_600_long_narrow). Batches of a log have means only: worst cases, utilisation and groups
-- belong to a whole run. Needs the temporary tables sliced, units and job_sums.
WITH sums AS (
    SELECT
        workload, policy, CASE unit_is WHEN 'batch' THEN batch ELSE replication END AS unit,
        CASE
            WHEN grouping(length) = 1 THEN ''
            WHEN grouping(width) = 1 THEN '_' || length
            ELSE '_' || length || '_' || width
        END AS suffix,
        grouping(width) = 0 AS by_width, grouping(length) = 0 AS by_class,
        sum(jobs) AS jobs, sum(response_us) AS response_us,
        sum(bounded_slowdown_600) AS bounded_slowdown_600, sum(whole_slowdown_600) AS whole_slowdown_600
    FROM job_sums JOIN units USING (workload) SEMI JOIN sliced USING (workload)
    GROUP BY workload, policy, unit, GROUPING SETS ((), (length), (length, width))
),
means AS (
    SELECT
        workload, policy, unit, suffix,
        CASE WHEN by_class AND NOT by_width THEN response_us / jobs / 1e6 END AS mean_response,
        CASE WHEN by_class THEN bounded_slowdown_600 / jobs / 1e9 END AS mean_bounded_slowdown_600,
        CASE WHEN NOT by_width THEN (whole_slowdown_600 / jobs)::DOUBLE END AS mean_whole_slowdown_600
    FROM sums
)
INSERT INTO unit_metrics
SELECT workload, policy, unit, metric || suffix, value
FROM (
    UNPIVOT means ON mean_response, mean_bounded_slowdown_600, mean_whole_slowdown_600
    INTO NAME metric VALUE value
)
ORDER BY ALL;

INSERT INTO unit_metrics
SELECT workload, policy, replication, metric || if(scope = 'all', '', '_' || scope), value
FROM metrics SEMI JOIN sliced USING (workload) SEMI JOIN (FROM units WHERE unit_is = 'replication') USING (workload)
WHERE
    metric IN ('max_bounded_slowdown_600', 'p99_bounded_slowdown_600')
    OR metric IN (
        'core_utilisation', 'groups', 'groups_medium', 'groups_long', 'grouped_share', 'mean_group_size',
        'mean_group_size_medium', 'mean_group_size_long', 'tree_nodes_per_group', 'pruned_share', 'pruned_with_leaves_share',
        'first_level_share', 'search_gain', 'tree_nodes', 'pruned_tree_nodes'
    )
ORDER BY ALL;
