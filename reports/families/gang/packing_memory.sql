-- How far the memory packings get by a time, and how well they use memory (da Silva 2000, section 5.4.2), at the
-- five times of figures 5.5 and 5.6.
--
-- The ratio after N arrivals is the mean over them of the memory that could be in use over that in use right after
-- the arrival: all of the machine's, or what all jobs present want if that is less ("the reference algorithm always
-- has a memory utilization of 100%, given that enough jobs have arrived"). The source prints no formula for it.
--
-- Needs the temporary tables memory_runs (workload, policy) and memory_jobs (their jobs with memory_kb), and
-- machine_memory (workload, memory_kb of the whole machine).
INSERT INTO memory_packing
WITH steps AS (
    SELECT workload, policy, replication, step.* FROM (
        SELECT workload, policy, replication, unnest([
            {instant: submit_us, wanted: wanted_kb, held: 0},
            {instant: start_us, wanted: 0, held: wanted_kb},
            {instant: finish_us, wanted: -wanted_kb, held: -wanted_kb}
        ]) AS step
        FROM memory_jobs
    )
),
present AS (
    SELECT
        workload, policy, replication, instant,
        sum(sum(wanted)) OVER before AS wanted, sum(sum(held)) OVER before AS held
    FROM steps GROUP BY workload, policy, replication, instant
    WINDOW before AS (PARTITION BY workload, policy, replication ORDER BY instant)
),
used AS (
    SELECT
        j.workload, j.policy, j.replication, j.submit_us,
        least(p.wanted, m.memory_kb) * 1_000_000_000 // p.held AS billionths
    FROM memory_jobs AS j
    ASOF JOIN present AS p
        ON j.workload = p.workload AND j.policy = p.policy AND j.replication = p.replication
        AND j.submit_us >= p.instant
    JOIN machine_memory AS m ON j.workload = m.workload
    WHERE p.held > 0
),
horizons AS (SELECT unnest([10_000, 20_000, 30_000, 40_000, 50_000]::BIGINT[]) AS horizon_s),
reached AS (
    SELECT
        workload, policy, replication, horizon_s,
        count(*) FILTER (submit_us <= horizon_s * 1_000_000) AS arrived,
        count(*) FILTER (finish_us <= horizon_s * 1_000_000) AS completed,
        count(*) FILTER (submit_us <= horizon_s * 1_000_000 AND start_us > submit_us) AS waited
    FROM memory_jobs CROSS JOIN horizons
    GROUP BY ALL
),
ratios AS (
    SELECT workload, policy, replication, horizon_s, sum(billionths) / count(*) / 1e9 AS ratio
    FROM used JOIN horizons ON submit_us <= horizon_s * 1_000_000
    GROUP BY ALL
)
SELECT workload, policy, replication, horizon_s, arrived, completed, waited, ratio
FROM reached LEFT JOIN ratios USING (workload, policy, replication, horizon_s)
-- a time after the last submission would count jobs that leave while none come
WHERE horizon_s * 1_000_000 <= (
    SELECT max(submit_us) FROM memory_jobs AS j WHERE j.workload = reached.workload AND j.replication = reached.replication
)
ORDER BY ALL;

INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'by ' || horizon_s::INTEGER || ' s', value
FROM (
    SELECT workload, policy, replication, horizon_s, completed::DOUBLE AS completed, ratio AS memory_ratio
    FROM memory_packing
) UNPIVOT (value FOR metric IN (completed, memory_ratio))
ORDER BY ALL;
