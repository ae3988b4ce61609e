-- Fairness of a run, from fair start times. The policy that the study names under `fair` gives them: conservative backfilling
-- in order of submission with known run times. Families declare whether their starts can be judged so. Needs the temporary
-- table fair_runs.
--
-- late_share: share of the jobs that started later than their fair start time. mean_miss_time: delay after the fair start
-- time, zero for jobs that are not late, mean over all jobs. After Leung, Sabin and
-- Sadayappan, Parallel job scheduling policies to improve fairness: a case study, ICPP Workshops 2010.
CREATE TEMP TABLE miss_sums AS
SELECT
    workload, jobs.policy, replication, jobs.batch,
    count(*) AS jobs,
    count(*) FILTER (jobs.start_us > fair.start_us) AS late,
    sum(greatest(jobs.start_us - fair.start_us, 0)) AS miss_us
FROM jobs
JOIN (
    SELECT workload, replication, job, policy, start_us FROM jobs SEMI JOIN fair_runs USING (workload, policy)
    WHERE outcome <> 'rejected'
) AS fair
    USING (workload, replication, job)
WHERE jobs.policy <> fair.policy AND jobs.outcome <> 'rejected' AND jobs.policy IN (
    SELECT policy FROM policies JOIN families USING (family) WHERE list_contains(metrics, 'late_share')
)
GROUP BY ALL;

WITH missed AS (
    SELECT
        workload, policy, unit_kind, if(unit_kind = 'batch', batch, replication) AS unit,
        sum(late) / sum(jobs) AS late_share,
        sum(miss_us) / sum(jobs) / 1e6 AS mean_miss_time
    FROM miss_sums JOIN unit_kinds USING (workload) GROUP BY workload, policy, unit_kind, unit
)
INSERT INTO measurements
SELECT workload, policy, unit_kind, unit, metric, 'all', value
FROM (UNPIVOT missed ON late_share, mean_miss_time INTO NAME metric VALUE value)
ORDER BY ALL;
