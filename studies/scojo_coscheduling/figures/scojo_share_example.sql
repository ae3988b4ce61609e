-- The jobs of Table 5-1: when the thesis has each run, and with which share of the processors it runs here.
WITH quoted AS (
    SELECT split_part(scope, '=', 2)::BIGINT AS job, max(value) FILTER (metric = 'start') AS begin_s,
        max(value) FILTER (metric = 'finish') AS end_s
    FROM printed_values WHERE workload = 'table-5-1' GROUP BY ALL
),
begun AS (SELECT min(submit_us) AS begin_us FROM jobs WHERE workload = 'table-5-1')
SELECT job, 'printed' AS whose, begin_s / 60 AS begin, end_s / 60 AS "end", NULL AS share, runtime_us / 1e6 AS runtime_s
FROM quoted JOIN (SELECT DISTINCT job, runtime_us FROM jobs WHERE workload = 'table-5-1') USING (job)
UNION ALL
SELECT job, 'here', (a.begin_us - begun.begin_us) / 60e6, (a.end_us - begun.begin_us) / 60e6, share_ppm / 1e4, NULL
FROM read_parquet($allocations) AS a, begun
ORDER BY job, whose DESC, begin
