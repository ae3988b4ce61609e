-- What the local jobs are made of, by class of run time, beside the mean of the four seeds of Table 3: a value per draw.
-- Parameters: $metric: job_share (per cent), mean_size (processors) or mean_runtime (s).
SELECT
    upper(class[1]) || class[2:] || ' jobs' AS label, replication AS unit,
    CASE $metric WHEN 'job_share' THEN job_share WHEN 'mean_size' THEN mean_size ELSE mean_runtime END AS value,
    q.printed, q.digits, q.draws
FROM made_of('p-0', 'no-workflows')
JOIN (
    SELECT scope AS class, avg(printed) AS printed, max(printed_digits) AS digits, count(*) AS draws
    FROM printed_values WHERE source = 'Cao 2009' AND metric = $metric GROUP BY scope
) AS q USING (class)
ORDER BY list_position(['short', 'medium', 'long'], class), unit
