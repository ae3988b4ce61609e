-- Workloads with a run in which jobs may share processors, under all their policies, per run.
--
-- utilisation_efficiency: work, in time alone, over capacity in the makespan (Sodan and Lan, LOMARC, section 6.1); more
-- than 1 where sharing gains much. Where no processor is shared it is the utilisation, which is the processor time with at
-- least one job (utilisation.sql). mean_response_over_elapsed: response time over the time from first start to finish,
-- mean over jobs (Huang 2004, chapter 5). Response over run time, short run times counted as 60 s and nothing kept above
-- 1, is mean_relative_response (means.sql).
WITH elapsed AS (
    SELECT
        workload, policy, replication,
        sum((1e9 * (finish_us - submit_us) / nullif(finish_us - start_us, 0))::HUGEINT) / count(*) / 1e9
            AS mean_response_over_elapsed
    FROM jobs SEMI JOIN coscheduled USING (workload)
    WHERE outcome <> 'rejected'
    GROUP BY workload, policy, replication
),
measured AS (
    SELECT
        workload, policy, replication,
        sum(work_us) / (any_value(processors)::HUGEINT * (max(last_finish_us) - min(first_submit_us)))
            AS utilisation_efficiency,
        any_value(mean_response_over_elapsed) AS mean_response_over_elapsed
    FROM job_sums JOIN elapsed USING (workload, policy, replication) JOIN workloads USING (workload)
    GROUP BY workload, policy, replication
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'all', value
FROM (UNPIVOT measured ON utilisation_efficiency, mean_response_over_elapsed INTO NAME metric VALUE value)
ORDER BY ALL;

-- Runs in which jobs may share processors. shared_share: processor time with several jobs over processor time with any.
-- paired_share: share of jobs that ever shared a processor. slowdown_while_sharing: time that jobs spent on shared processors
-- over the work they did meanwhile. busy_time: time in which at least one job ran.
--
-- Pairs: their number, the shares found among running jobs and while backfilling, and their predicted slowdown. Filters of
-- matching, as means over the successful searches among waiting jobs: jobs searched, jobs left after each filter, and the place
-- of the chosen job among these.
--
-- Reserved starts: their number, and the delay of the job after its reserved start.
WITH sums AS (
    SELECT
        workload, policy, replication,
        shared_us / nullif(occupied_us, 0) AS shared_share,
        sharing_jobs / nullif(jobs, 0) AS paired_share,
        sharing_us / nullif(sharing_work_us, 0) AS slowdown_while_sharing,
        busy_us / 1e6 AS busy_time
    FROM coscheduling_sums
),
pairs AS (
    SELECT
        workload, policy, replication,
        count(*)::DOUBLE AS pairs,
        count(*) FILTER (among = 'running') / count(*) AS pairs_with_running_share,
        count(*) FILTER (backfilling) / count(*) AS pairs_by_backfilling_share,
        sum(slowdown_ppm::HUGEINT) / count(*) / 1e6 AS mean_pair_slowdown
    FROM matches GROUP BY workload, policy, replication
),
filters AS (
    SELECT
        workload, policy, replication,
        sum(COLUMNS(['looked_at', 'medium_long', 'size_fits', 'memory_fits', 'types_match', 'slowdown_fits', 'rank'])::HUGEINT)
        / count(*) AS 'mean_\0'
    FROM matches WHERE among = 'waiting' GROUP BY workload, policy, replication
),
reserved AS (
    SELECT
        workload, policy, replication,
        count(*)::DOUBLE AS reservations,
        sum(jobs.start_us - offers.start_us)::HUGEINT / count(*) / 1e6 AS mean_reserved_delay,
        max(jobs.start_us - offers.start_us) / 1e6 AS max_reserved_delay
    FROM offers JOIN jobs USING (workload, policy, replication, job)
    WHERE taken = 'reserved' AND outcome <> 'rejected'
    GROUP BY workload, policy, replication
),
measured AS (
    FROM sums UNION ALL BY NAME FROM pairs UNION ALL BY NAME FROM filters UNION ALL BY NAME FROM reserved
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'all', value
FROM (UNPIVOT measured ON COLUMNS(* EXCLUDE (workload, policy, replication)) INTO NAME metric VALUE value)
ORDER BY ALL;
