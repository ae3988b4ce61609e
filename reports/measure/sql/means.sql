-- Mean and maximum of wait, response, slowdown and bounded slowdown of all jobs, per unit; some means also by class of job.
--
-- The policy's family defines a job's wait. In space sharing it is the time to the first start. Elsewhere it is response time
-- less run time on dedicated processors, and mean_time_to_start is measured as well. Without interruption both are equal.
--
-- Slowdown is response / run time; bounded slowdown counts a run time below the bound (10, 60, 600 s) as the
-- bound, and is at least 1 (Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong, Theory and practice in
-- parallel job scheduling, JSSPP 1997).
--
-- The scope of a class is length and width ('long narrow'), a length ('long') or a width ('any narrow'), with the borders of
-- job_sums.sql; or a class that the workload states: by run time ('class=short') or by who fixes a job's size
-- ('flexibility=rigid').
WITH measured AS (
    SELECT
        workload, policy, unit_kind, if(unit_kind = 'batch', batch, replication) AS unit,
        CASE
            WHEN grouping(class) = 0 THEN 'class=' || class
            WHEN grouping(flexibility) = 0 THEN 'flexibility=' || flexibility
            WHEN grouping(length, width) = 0 THEN length || ' ' || width
            WHEN grouping(length) = 0 THEN length
            WHEN grouping(width) = 0 THEN 'any ' || width
            ELSE 'all'
        END AS scope,
        sum(jobs)::DOUBLE AS jobs,
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
    FROM job_sums JOIN unit_kinds USING (workload)
    GROUP BY
        workload, policy, unit_kind, unit,
        GROUPING SETS ((), (length, width), (length), (width), (class), (flexibility))
)
INSERT INTO measurements
SELECT workload, policy, unit_kind, unit, metric, scope, value
FROM (UNPIVOT measured ON COLUMNS(* EXCLUDE (workload, policy, unit_kind, unit, scope)) INTO NAME metric VALUE value)
WHERE
    scope = 'all'
    OR (
        scope IS NOT NULL
        AND metric IN (
            'jobs', 'mean_wait', 'mean_response', 'mean_relative_response', 'mean_bounded_slowdown_10',
            'mean_bounded_slowdown_60', 'mean_bounded_slowdown_600'
        )
    )
ORDER BY ALL;
