-- Runs in which slots take turns: measurements from allocations and counters, per run.
--
-- effective_utilisation: utilisation less the cost of switching and reconfiguration (Huang 2004, section 7.3). A context switch
-- takes switch_cost of every turn while there is more than one slot. Where switching slows the jobs, the turns are shorter, and
-- nothing is subtracted.
--
-- job_efficiency: speed-up over processors, over all processor time at work. mean_job_efficiency: the efficiency of each job,
-- averaged over jobs (Huang 2004, section 7.3, divides the sum by nothing and prints per cent: both readings are measured). A job
-- has a speed-up of 0.65 n on the n processors that it requests, and its rate times that on other numbers.
--
-- makespan_from_first_start: first start to last finish. fragmentation: share of processor time in which no job had its turn.
-- fragmentation_while_waiting: the same over the time in which a job waited for its start. accounted_capacity: processor time
-- with and without a job in turn, over processors x makespan_from_first_start; 1 unless switching slows the jobs. mean_level:
-- slots, averaged over time.
WITH counted AS (
    SELECT
        workload, policy, replication,
        (counters ->> 'busy_us')::HUGEINT AS counted_us,
        (counters ->> 'idle_us')::HUGEINT AS idle_us,
        (counters ->> 'resizing_us')::HUGEINT AS resizing_us,
        (counters ->> 'resizings')::BIGINT AS resizings,
        (counters ->> 'resized_processors')::BIGINT AS resized_processors,
        (counters ->> 'low_us')::BIGINT AS low_us,
        (counters ->> 'normal_us')::BIGINT AS normal_us,
        (counters ->> 'high_us')::BIGINT AS high_us
    FROM runs
),
costs AS (
    SELECT
        policy,
        CASE
            WHEN coalesce((parameters ->> 'switch_slows')::BOOLEAN, false) THEN 0
            ELSE coalesce((parameters ->> 'switch_cost')::DOUBLE, 0)
        END AS switch_cost
    FROM policies
),
spans AS (
    SELECT workload, policy, replication, max(last_finish_us) - min(first_submit_us) AS makespan_us
    FROM job_sums GROUP BY workload, policy, replication
),
measured AS (
    SELECT
        workload, policy, replication,
        (busy_us - switch_cost * (busy_us - alone_us) - coalesce(resizing_us, stalled_us))
        / (processors::HUGEINT * makespan_us) AS effective_utilisation,
        speedup_us / nullif(busy_us - stalled_us, 0) AS job_efficiency,
        efficiency / gang_sums.jobs / 1e9 AS mean_job_efficiency,
        (end_us - begin_us) / 1e6 AS makespan_from_first_start,
        idle_us / (counted_us + idle_us) AS fragmentation,
        1 - queued_busy_us / (processors::HUGEINT * nullif(queued_us, 0)) AS fragmentation_while_waiting,
        (counted_us + idle_us) / (processors::HUGEINT * (end_us - begin_us)) AS accounted_capacity,
        level_us / (end_us - begin_us) AS mean_level,
        resizings::DOUBLE AS resizings,
        resized_processors::DOUBLE AS resized_processors,
        low_us / (low_us + normal_us + high_us) AS low_share,
        normal_us / (low_us + normal_us + high_us) AS normal_share,
        high_us / (low_us + normal_us + high_us) AS high_share
    FROM gang_sums
    JOIN spans USING (workload, policy, replication)
    JOIN counted USING (workload, policy, replication)
    JOIN costs USING (policy)
    JOIN workloads USING (workload)
    WHERE gang_sums.jobs > 0
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'all', value
FROM (UNPIVOT measured ON COLUMNS(* EXCLUDE (workload, policy, replication)) INTO NAME metric VALUE value)
ORDER BY ALL;

-- mean_response_over_elapsed_60: response time over the time from first start to finish, at least 60 s, mean over jobs, also by
-- the class and the flexibility that the workload states. Section 7.3 of Huang 2004 leaves open whether an execution time is
-- this time or, as in mean_relative_response (means.sql), the run time on dedicated processors.
WITH relative AS (
    SELECT
        workload, policy, replication,
        CASE
            WHEN grouping(class) = 0 THEN 'class=' || class
            WHEN grouping(flexibility) = 0 THEN 'flexibility=' || flexibility
            ELSE 'all'
        END AS scope,
        sum((1e9 * response_s / greatest((finish_us - start_us) / 1e6, 60))::BIGINT) / count(*) / 1e9 AS value
    FROM job_times SEMI JOIN gang_sums USING (workload, policy)
    GROUP BY workload, policy, replication, GROUPING SETS ((), (class), (flexibility))
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, 'mean_response_over_elapsed_60', scope, value
FROM relative WHERE scope IS NOT NULL
ORDER BY ALL;
