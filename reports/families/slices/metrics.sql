-- Workloads with a run in which the machine belongs to one class of jobs at a time, under all their policies: the measurements of
-- Kanavallil (M.Sc. thesis, University of Windsor, 2007, sections 5.1.5 and 7.4).
--
-- mean_whole_slowdown_600: bounded slowdown, run times below 600 s counted as 600 s, each rounded up to a whole number as the
-- thesis prints it; also by class of job. Worst cases (max_, p99_) are by run-time class. core_utilisation: processors x time in
-- which jobs ran between the 10 % and the 90 % quantile of submissions, over capacity in that time.
--
-- Scopes are those of means.sql. Needs the temporary tables sliced and held_in_core (reports/families/slices/measures.py).
WITH sums AS (
    SELECT
        workload, policy, unit_kind, if(unit_kind = 'batch', batch, replication) AS unit,
        CASE
            WHEN grouping(length) = 1 THEN 'all'
            WHEN grouping(width) = 1 THEN length
            ELSE length || ' ' || width
        END AS scope,
        (sum(whole_slowdown_600) / sum(jobs))::DOUBLE AS mean_whole_slowdown_600
    FROM job_sums JOIN unit_kinds USING (workload) SEMI JOIN sliced USING (workload)
    GROUP BY workload, policy, unit_kind, unit, GROUPING SETS ((), (length), (length, width))
)
INSERT INTO measurements
SELECT workload, policy, unit_kind, unit, 'mean_whole_slowdown_600', scope, mean_whole_slowdown_600
FROM sums ORDER BY ALL;

WITH worst AS (
    SELECT
        workload, policy, replication,
        length_class(run_s) AS scope,
        max(bounded_slowdown_600) AS max_bounded_slowdown_600,
        quantile_cont(bounded_slowdown_600, 0.99) AS p99_bounded_slowdown_600
    FROM job_times SEMI JOIN sliced USING (workload)
    GROUP BY ALL
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, scope, value
FROM (UNPIVOT worst ON max_bounded_slowdown_600, p99_bounded_slowdown_600 INTO NAME metric VALUE value)
ORDER BY ALL;

INSERT INTO measurements
SELECT
    workload, policy, 'replication', replication, 'core_utilisation', 'all', held_us / (processors::HUGEINT * core_us)
FROM held_in_core JOIN workloads USING (workload)
WHERE core_us > 0
ORDER BY ALL;

-- The jobs of a workload are the same under all policies, so one policy is enough.
WITH asked AS (
    SELECT
        workload, replication, submit_us, size, width_class(size, workloads.processors) = 'narrow' AS narrow,
        least(runtime_us, estimate_us) AS run_us
    FROM jobs JOIN workloads USING (workload)
    WHERE (workload, policy) IN (SELECT (workload, min(policy)) FROM runs SEMI JOIN sliced USING (workload) GROUP BY workload)
),
every AS (
    SELECT
        workload, replication, count(*) AS jobs, sum(run_us::HUGEINT * size) AS work_us,
        (max(submit_us) - min(submit_us)) / 1e6 / nullif(count(*) - 1, 0) AS mean_gap_s
    FROM asked GROUP BY ALL
),
classes AS (
    SELECT
        workload, replication,
        length_class(run_us / 1e6) AS class,
        count(*) AS jobs, sum(run_us::HUGEINT * size) AS work_us, sum(size) AS sizes,
        count(*) FILTER (run_us > 28800e6 AND narrow) AS long_narrow
    FROM asked GROUP BY ALL
)
INSERT INTO characteristics
SELECT
    workload, replication, class, c.jobs, c.jobs / every.jobs, c.work_us / every.work_us, sizes / c.jobs, mean_gap_s,
    long_narrow
FROM classes AS c JOIN every USING (workload, replication)
ORDER BY ALL;

-- Runs that optimise groups of jobs (Kanavallil, M.Sc. thesis, University of Windsor, 2007, Tables 7 to 9), per run.
--
-- groups, groups_medium, groups_long: number of groups. grouped_share: jobs in groups over medium and long jobs.
-- mean_group_size (also _medium, _long): jobs per group. tree_nodes_per_group: nodes of the search trees per group.
-- pruned_share: share of tree nodes cut above the leaves; pruned_with_leaves_share: share cut anywhere. first_level_share: share
-- of groups whose long, wide jobs were ordered first. search_gain: reduction of the total estimated slowdown by the chosen order,
-- compared with the heuristic's order, over all groups of the run.
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
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'all', value
FROM (UNPIVOT measured ON COLUMNS(* EXCLUDE (workload, policy, replication)) INTO NAME metric VALUE value)
ORDER BY ALL;
