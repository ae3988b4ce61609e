-- Exact sums over the jobs that ran, by run, batch and class. Means are divided out of these sums.
--
-- Sums of integers do not depend on their order, and so not on the number of cores; sums of floating-point numbers do.
-- Times are therefore summed in microseconds and ratios in billionths, rounded job by job.
--
-- Length classes by run time: short below 600 s, medium below 3 h, long from 3 h. Width classes by processors
-- asked: narrow up to 10 % of the machine, medium up to 50 %, wide above. Class and flexibility come from
-- the workload, or are null.
CREATE TEMP TABLE job_sums AS
SELECT
    workload, policy, replication, batch,
    length_class(run_s) AS length,
    width_class(size, machine_processors) AS width,
    class, flexibility,
    count(*) AS jobs,
    sum(wait_us) AS wait_us,
    -- null where this is the wait itself
    sum(CASE WHEN families.wait <> 'to_first_start' THEN start_us - submit_us END) AS to_start_us,
    sum(finish_us - submit_us) AS response_us,
    sum(least(runtime_us, estimate_us)) AS run_us,
    sum((1e9 * slowdown)::HUGEINT) AS slowdown,
    sum((1e9 * bounded_slowdown_10)::BIGINT) AS bounded_slowdown_10,
    sum((1e9 * bounded_slowdown_60)::BIGINT) AS bounded_slowdown_60,
    sum((1e9 * bounded_slowdown_600)::BIGINT) AS bounded_slowdown_600,
    sum(ceil(bounded_slowdown_600)::BIGINT) AS whole_slowdown_600,
    sum((1e9 * response_s / greatest(run_s, 60))::BIGINT) AS relative_response,
    max(wait_us) AS longest_wait_us,
    max(finish_us - submit_us) AS longest_response_us,
    max(slowdown) AS largest_slowdown,
    max(bounded_slowdown_10) AS largest_bounded_slowdown_10,
    max(bounded_slowdown_60) AS largest_bounded_slowdown_60,
    max(bounded_slowdown_600) AS largest_bounded_slowdown_600,
    sum(least(runtime_us, estimate_us) * size) AS work_us,
    min(submit_us) AS first_submit_us,
    max(submit_us) AS last_submit_us,
    max(finish_us) AS last_finish_us,
    sum(preemptions) AS preemptions
FROM job_times
JOIN (SELECT workload, processors AS machine_processors FROM workloads) USING (workload)
JOIN (SELECT policy, wait FROM policies JOIN families USING (family)) AS families USING (policy)
GROUP BY ALL;

CREATE TEMP VIEW unit_kinds AS -- every workload is measured by replication, a log by batch too
SELECT workload, unnest(list_distinct(['replication', unit_kind])) AS unit_kind FROM workloads;
