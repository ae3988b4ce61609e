-- Utilisation and the queue over time: means over bins, for replication 0 of runs without preemption. Runs in which jobs share
-- processors have the queue alone, because starts and finishes do not tell who holds which processor.
--
-- A bin is a day when the submissions span more than 60 days, otherwise the shortest round time that gives at
-- most 1000 bins to the span of the submissions; a run that finishes later has more bins of the same length.
-- The mean of a step function over a bin is exact: the level at the bin's begin, plus every step in it times
-- the part of the bin after it.
WITH spans AS (
    SELECT workload, max(last_submit_us) - min(first_submit_us) AS span_us
    FROM job_sums WHERE replication = 0 GROUP BY workload
),
widths AS (
    SELECT
        workload,
        CASE WHEN span_us > 60 * 86_400_000_000 THEN 86_400_000_000 ELSE (
            SELECT min(1_000_000 * round_s)
            FROM unnest([60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600]::BIGINT[]) AS round_times (round_s)
            WHERE 1_000_000 * round_s * 1000 >= span_us
        ) END AS bin_us
    FROM spans
),
whole AS ( -- to the last finish, or to the end of a run whose family states it: jobs may wait until then
    SELECT workload, policy, coalesce(any_value(length_us), max(last_finish_us)) AS last_us
    FROM runs
    LEFT JOIN job_sums USING (workload, policy, replication)
    LEFT JOIN busy_sums USING (workload, policy, replication)
    WHERE replication = 0
    GROUP BY workload, policy
    HAVING coalesce(sum(preemptions), 0) = 0 AND coalesce(any_value(length_us), max(last_finish_us)) IS NOT NULL
),
steps AS (
    SELECT workload, policy, step.*
    FROM (
        SELECT workload, policy, unnest([
            {instant: submit_us, busy: 0, jobs: 1, processors: size},
            {instant: start_us, busy: jobs.processors, jobs: -1, processors: -size},
            {instant: finish_us, busy: -jobs.processors, jobs: 0, processors: 0}
        ]) AS step
        FROM jobs WHERE replication = 0 AND outcome <> 'rejected'
    )
),
binned AS (
    SELECT
        workload, policy, instant // bin_us AS bin,
        sum(busy) AS busy, sum(busy * (bin_us - instant % bin_us)) AS busy_us,
        sum(jobs) AS jobs, sum(jobs * (bin_us - instant % bin_us)) AS jobs_us,
        sum(processors) AS processors, sum(processors * (bin_us - instant % bin_us)) AS processors_us
    FROM steps JOIN widths USING (workload)
    GROUP BY ALL
),
bins AS (
    SELECT workload, policy, bin_us, unnest(range((last_us + bin_us - 1) // bin_us)) AS bin
    FROM whole JOIN widths USING (workload)
),
levels AS (
    SELECT
        workload, policy, bin, bin_us,
        coalesce(sum(busy) OVER before, 0) * bin_us + coalesce(busy_us, 0) AS busy_us,
        coalesce(sum(jobs) OVER before, 0) * bin_us + coalesce(jobs_us, 0) AS jobs_us,
        coalesce(sum(processors) OVER before, 0) * bin_us + coalesce(processors_us, 0) AS processors_us
    FROM bins LEFT JOIN binned USING (workload, policy, bin)
    WINDOW before AS (
        PARTITION BY workload, policy ORDER BY bin ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
)
INSERT INTO series
SELECT
    workload, policy, bin * bin_us / 1e6, bin_us / 1e6,
    CASE WHEN policy NOT IN (SELECT policy FROM policies JOIN families USING (family) WHERE sharing <> 'none')
        THEN busy_us / (bin_us * workloads.processors) END,
    jobs_us / bin_us, processors_us / bin_us
FROM levels JOIN workloads USING (workload)
ORDER BY workload, policy, bin;
