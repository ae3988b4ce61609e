-- Mean and maximum of wait, response, slowdown and bounded slowdown, a value per run.
--
-- A job's wait is what its policy's family defines: the time to its first start, or response time less run time on
-- dedicated processors wherever slots or slices take turns; there mean_time_to_start is given as well. Without
-- interruption both are the same.
--
-- Slowdown is response / run time; bounded slowdown counts a run time below the bound (10, 60, 600 s) as the
-- bound, and is at least 1 (Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong, Theory and practice in
-- parallel job scheduling, JSSPP 1997).
WITH runs_summed AS (
    SELECT
        workload, policy, replication,
        sum(wait_us) / sum(jobs) / 1e6 AS mean_wait,
        sum(to_start_us) / sum(jobs) / 1e6 AS mean_time_to_start,
        sum(response_us) / sum(jobs) / 1e6 AS mean_response,
        sum(slowdown) / sum(jobs) / 1e9 AS mean_slowdown,
        sum(bounded_slowdown_10) / sum(jobs) / 1e9 AS mean_bounded_slowdown_10,
        sum(bounded_slowdown_60) / sum(jobs) / 1e9 AS mean_bounded_slowdown_60,
        sum(bounded_slowdown_600) / sum(jobs) / 1e9 AS mean_bounded_slowdown_600,
        sum(relative_response) / sum(jobs) / 1e9 AS mean_relative_response,
        max(longest_wait_us) / 1e6 AS max_wait,
        max(longest_response_us) / 1e6 AS max_response,
        max(largest_slowdown) AS max_slowdown,
        max(largest_bounded_slowdown_10) AS max_bounded_slowdown_10,
        max(largest_bounded_slowdown_60) AS max_bounded_slowdown_60,
        max(largest_bounded_slowdown_600) AS max_bounded_slowdown_600
    FROM job_sums GROUP BY workload, policy, replication
)
INSERT INTO metrics
SELECT
    workload, policy, replication, metric, 'all', value,
    CASE WHEN metric LIKE '%_wait' OR metric IN ('mean_response', 'max_response', 'mean_time_to_start') THEN 's' ELSE '' END
FROM (UNPIVOT runs_summed ON COLUMNS(* EXCLUDE (workload, policy, replication)) INTO NAME metric VALUE value)
ORDER BY ALL;
