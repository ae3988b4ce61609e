-- Workloads that were run where the machine belongs to one class of jobs at a time, under all their policies: what
-- Kanavallil (M.Sc. thesis, University of Windsor, 2007, sections 5.1.5 and 7.4) measures, a value per run.
--
-- mean_whole_slowdown_600: bounded slowdown, run times below 600 s counted as 600 s, each rounded up to the next whole
-- number as the thesis prints it. Also by class of job, and so is mean_response; worst cases (max_, p99_) by run-time
-- class. core_utilisation:
-- processors x time in which jobs ran between the 10 % and the 90 % quantile of submissions, over capacity in that time.
--
-- Scopes are those of classes.sql. Needs the temporary tables sliced and held_in_core (reports/measure/slices.py).
WITH sums AS (
    SELECT
        workload, policy, replication,
        CASE
            WHEN grouping(length) = 1 THEN 'all'
            WHEN grouping(width) = 1 THEN length
            ELSE length || ' ' || width
        END AS scope,
        CASE WHEN grouping(length) = 0 THEN sum(response_us) / sum(jobs) / 1e6 END AS mean_response,
        (sum(whole_slowdown_600) / sum(jobs))::DOUBLE AS mean_whole_slowdown_600
    FROM job_sums SEMI JOIN sliced USING (workload)
    GROUP BY workload, policy, replication, GROUPING SETS ((), (length), (length, width))
)
INSERT INTO metrics
SELECT
    workload, policy, replication, metric, scope, value,
    CASE WHEN metric = 'mean_whole_slowdown_600' THEN '' ELSE 's' END
FROM (UNPIVOT sums ON mean_response, mean_whole_slowdown_600 INTO NAME metric VALUE value)
ORDER BY ALL;

WITH worst AS (
    SELECT
        workload, policy, replication,
        CASE WHEN run_s < 600 THEN 'short' WHEN run_s < 10800 THEN 'medium' ELSE 'long' END AS scope,
        max(bounded_slowdown_600) AS max_bounded_slowdown_600,
        quantile_cont(bounded_slowdown_600, 0.99) AS p99_bounded_slowdown_600
    FROM job_times SEMI JOIN sliced USING (workload)
    GROUP BY ALL
)
INSERT INTO metrics
SELECT workload, policy, replication, metric, scope, value, ''
FROM (UNPIVOT worst ON max_bounded_slowdown_600, p99_bounded_slowdown_600 INTO NAME metric VALUE value)
ORDER BY ALL;

INSERT INTO metrics
SELECT
    workload, policy, replication, 'core_utilisation', 'all', held_us / (processors::HUGEINT * core_us), ''
FROM held_in_core JOIN workloads USING (workload)
WHERE core_us > 0
ORDER BY ALL;

-- Of the policies of a workload any one tells what the workload is made of.
WITH asked AS (
    SELECT
        workload, replication, submit_us, size, size * 10 <= workloads.processors AS narrow,
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
        CASE WHEN run_us < 600e6 THEN 'short' WHEN run_us < 10800e6 THEN 'medium' ELSE 'long' END AS class,
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
