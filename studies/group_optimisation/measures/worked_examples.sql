-- What the source says of a worked example: 1 where the schedule shows it, else 0. Exact. Parameters: $example: slices (Table 1,
-- Figure 3), group (Table 3, Figure 13), finish (Figure 9) or backfilling (Figure 4).
WITH runs AS (
    SELECT policy, job, submit_us, start_us, finish_us FROM jobs WHERE workload = 'example-' || $example AND replication = 0
),
ran AS (  -- under the one policy of an example, so each job has one row; backfilling has two policies
    SELECT * FROM runs WHERE $example <> 'backfilling'
),
laid_out AS (
    SELECT class, begin_us, end_us, row_number() OVER (PARTITION BY class ORDER BY begin_us) AS number
    FROM slices WHERE workload = 'example-' || $example AND replication = 0
),
started AS (
    SELECT ran.*, class, begin_us FROM ran LEFT JOIN laid_out ON start_us >= begin_us AND start_us < end_us
),
formed AS (
    SELECT formed_us, ended_us, list(job ORDER BY job) AS jobs
    FROM groups JOIN members USING (workload, policy, replication, cluster, group_number)
    WHERE workload = 'example-' || $example AND replication = 0
    GROUP BY ALL
),
said (example, place, label, held) AS (
    SELECT 'slices', 1, 'Job 3 starts in a medium slice', (SELECT class = 'medium' FROM started WHERE job = 3)
    UNION ALL
    SELECT 'slices', 2, 'Jobs 5, 6 and 7 start in one short slice', (
        SELECT bool_and(class = 'short') AND count(DISTINCT begin_us) = 1 AND count(*) = 3 FROM started WHERE job IN (5, 6, 7)
    )
    UNION ALL
    SELECT 'slices', 3, 'Job 4 starts in the next medium slice', (
        SELECT begin_us = (
            SELECT min(begin_us) FROM laid_out
            WHERE class = 'medium' AND begin_us > (SELECT begin_us FROM started WHERE job = 5)
        )
        FROM started WHERE job = 4
    )
    UNION ALL
    SELECT 'slices', 4, 'Job 8 starts when job 4 finishes', (
        SELECT start_us = (SELECT finish_us FROM ran WHERE job = 4) FROM ran WHERE job = 8
    )
    UNION ALL
    SELECT 'slices', 5, 'Job 9 starts beside job 8', (
        SELECT start_us = (SELECT start_us FROM ran WHERE job = 8) FROM ran WHERE job = 9
    )
    UNION ALL
    SELECT 'group', 1, 'Jobs 8 and 9 do not start in the second long slice', (
        SELECT min(start_us) >= (SELECT end_us FROM laid_out WHERE class = 'long' AND number = 2) FROM ran WHERE job IN (8, 9)
    )
    UNION ALL
    SELECT 'group', 2, 'Jobs 8 to 12 are the group', (SELECT bool_or(jobs = [8, 9, 10, 11, 12]) FROM formed)
    UNION ALL
    SELECT 'group', 3, 'Job 13 starts at once in the group''s slice', (
        SELECT class = 'medium' AND start_us = submit_us AND start_us BETWEEN formed_us AND ended_us
        FROM started CROSS JOIN formed WHERE job = 13
    )
    UNION ALL
    SELECT 'group', 4, 'Job 14 starts in the group''s slice', (
        SELECT class = 'medium' AND start_us BETWEEN formed_us AND ended_us FROM started CROSS JOIN formed WHERE job = 14
    )
    UNION ALL
    SELECT 'group', 5, 'Job 11 goes on in a long slice after job 1', (
        SELECT bool_or(class = 'long' AND ran.finish_us > begin_us AND ran.finish_us > first.finish_us)
        FROM ran CROSS JOIN laid_out CROSS JOIN (SELECT finish_us FROM ran WHERE job = 1) AS first
        WHERE ran.job = 11 AND ran.finish_us <= end_us
    )
    UNION ALL
    SELECT 'group', 6, 'The group ends when job 15 finishes', (
        SELECT bool_or(ended_us = (SELECT finish_us FROM ran WHERE job = 15)) FROM formed
    )
    UNION ALL
    SELECT 'finish', 1, 'The group ends when job 5 finishes', (
        SELECT bool_or(ended_us = (SELECT finish_us FROM ran WHERE job = 5)) FROM formed
    )
    UNION ALL
    SELECT 'finish', 2, 'One job of the group runs on', (
        SELECT count(*) = 1 FROM ran CROSS JOIN formed WHERE list_contains(jobs, job) AND finish_us > ended_us
    )
    UNION ALL
    SELECT 'backfilling', 1, 'EASY backfills two jobs', (
        SELECT count(*) = 2 FROM runs AS a JOIN runs AS b USING (policy)
        WHERE policy = 'example-easy' AND b.job = 2 AND a.job > 2 AND a.start_us < b.start_us
    )
    UNION ALL
    SELECT 'backfilling', 2, 'Conservative backfilling starts one of them', (
        SELECT count(*) = 1 FROM runs AS a JOIN runs AS b USING (policy)
        WHERE policy = 'example-conservative' AND b.job = 2 AND a.job > 2 AND a.start_us < b.start_us
    )
)
SELECT label, coalesce(held, false)::INTEGER::DOUBLE AS value FROM said
WHERE example = $example AND (SELECT count(DISTINCT policy) FROM runs) = if($example = 'backfilling', 2, 1)
ORDER BY place
