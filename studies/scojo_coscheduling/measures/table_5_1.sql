-- The twelve jobs of Table 5-1: what is measured less what is printed, of starts, finishes, elapsed or response times.
-- Parameters: $what ('start', 'finish', 'elapsed' or 'response'); $relative, whether over what is printed. Unit: seconds, or none.
WITH quoted AS (
    SELECT split_part(scope, '=', 2)::BIGINT AS job, policy,
        max(value) FILTER (metric = 'start') AS start, max(value) FILTER (metric = 'finish') AS finish,
        max(value) FILTER (metric = 'finish') - max(value) FILTER (metric = 'start') AS elapsed,
        max(value) FILTER (metric = 'response') AS response
    FROM printed_values WHERE workload = 'table-5-1' GROUP BY ALL
),
ours AS (
    SELECT job, policy, (start_us - min(submit_us) OVER ()) / 1e6 AS start, (finish_us - min(submit_us) OVER ()) / 1e6 AS finish,
        (finish_us - start_us) / 1e6 AS elapsed, (finish_us - submit_us) / 1e6 AS response
    FROM jobs WHERE workload = 'table-5-1' AND policy = (SELECT any_value(policy) FROM quoted)
),
compared AS (
    SELECT job,
        CASE $what WHEN 'start' THEN o.start WHEN 'finish' THEN o.finish WHEN 'elapsed' THEN o.elapsed ELSE o.response END AS value,
        CASE $what WHEN 'start' THEN q.start WHEN 'finish' THEN q.finish WHEN 'elapsed' THEN q.elapsed ELSE q.response END AS quoted
    FROM ours AS o JOIN quoted AS q USING (job)
)
SELECT 'Job ' || job AS label, if($relative, value / quoted, value - quoted) AS value
FROM compared ORDER BY job
