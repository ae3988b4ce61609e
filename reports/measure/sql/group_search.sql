-- Runs that optimise groups of jobs (Kanavallil, M.Sc. thesis, University of Windsor, 2007, Tables 7 to 9), a value per run.
--
-- groups, groups_medium, groups_long: how many formed. grouped_share: jobs in groups over the medium and long jobs there
-- are. mean_group_size (also _medium, _long): jobs in a group. tree_nodes_per_group: nodes of the search trees over groups.
-- pruned_share: of all tree nodes, those cut above the leaves; pruned_with_leaves_share: those cut anywhere. first_level_share:
-- groups whose long-wide jobs were ordered first. search_gain: by which part the order that was chosen has less total
-- estimated slowdown than the heuristic's own, over all groups of the run.
WITH optimising AS (
    SELECT workload, policy, replication
    FROM runs JOIN policies USING (policy) SEMI JOIN sliced USING (workload)
    WHERE list_contains(measures, 'groups')
),
candidates AS (
    SELECT workload, policy, replication, sum(jobs) AS jobs
    FROM job_sums WHERE length <> 'short' GROUP BY ALL
),
formed AS (
    SELECT
        workload, policy, replication,
        count(*) AS groups,
        count(*) FILTER (class = 'medium') AS groups_medium,
        count(*) FILTER (class = 'long') AS groups_long,
        sum(jobs) AS grouped,
        sum(jobs) FILTER (class = 'medium') AS grouped_medium,
        sum(jobs) FILTER (class = 'long') AS grouped_long,
        count(*) FILTER (long_wide > 0) AS first_level,
        sum(tree_nodes) AS tree_nodes, sum(pruned) AS pruned, sum(pruned_leaves) AS pruned_leaves,
        -- In billionths, so that the sum does not depend on the order.
        sum((1e9 * heuristic_slowdown)::HUGEINT) AS heuristic_slowdown,
        sum((1e9 * slowdown)::HUGEINT) AS slowdown
    FROM groups GROUP BY ALL
),
measured AS (
    SELECT
        workload, policy, replication,
        coalesce(groups, 0)::DOUBLE AS groups,
        coalesce(groups_medium, 0)::DOUBLE AS groups_medium,
        coalesce(groups_long, 0)::DOUBLE AS groups_long,
        coalesce(grouped, 0) / nullif(candidates.jobs, 0) AS grouped_share,
        grouped / groups AS mean_group_size,
        grouped_medium / nullif(groups_medium, 0) AS mean_group_size_medium,
        grouped_long / nullif(groups_long, 0) AS mean_group_size_long,
        tree_nodes / groups AS tree_nodes_per_group,
        pruned / nullif(tree_nodes, 0) AS pruned_share,
        (pruned + pruned_leaves) / nullif(tree_nodes, 0) AS pruned_with_leaves_share,
        first_level / groups AS first_level_share,
        1 - slowdown / heuristic_slowdown AS search_gain,
        coalesce(tree_nodes, 0)::DOUBLE AS tree_nodes,
        coalesce(pruned, 0)::DOUBLE AS pruned_tree_nodes
    FROM optimising
    LEFT JOIN candidates USING (workload, policy, replication)
    LEFT JOIN formed USING (workload, policy, replication)
)
INSERT INTO metrics
SELECT
    workload, policy, replication, metric, 'all', value,
    CASE
        WHEN starts_with(metric, 'groups') THEN 'groups'
        WHEN starts_with(metric, 'mean_group_size') THEN 'jobs'
        WHEN metric IN ('tree_nodes', 'pruned_tree_nodes', 'tree_nodes_per_group') THEN 'tree nodes'
        ELSE ''
    END
FROM (UNPIVOT measured ON COLUMNS(* EXCLUDE (workload, policy, replication)) INTO NAME metric VALUE value)
ORDER BY ALL;
