-- What local jobs are made of where no job is split, by class of run time, a row per draw, beside Table 3 of the thesis.
WITH found AS (
    UNPIVOT (SELECT replication, class, job_share, mean_size, mean_runtime FROM made_of('p-0', 'no-workflows'))
    ON job_share, mean_size, mean_runtime INTO NAME metric VALUE value
),
every_row AS (
    SELECT class, metric, replication AS unit, value, NULL AS printed, NULL AS place FROM found
    UNION ALL
    SELECT scope, metric, NULL, NULL, printed, place FROM printed_values
    WHERE source = 'Cao 2009' AND metric IN ('job_share', 'mean_size', 'mean_runtime')
)
SELECT * FROM every_row
ORDER BY list_position(['job_share', 'mean_size', 'mean_runtime'], metric), list_position(['short', 'medium', 'long'], class), unit, place
