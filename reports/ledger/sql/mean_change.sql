-- A against B on the same units: a change per unit, or the mean of the changes of one unit over workloads or over kinds of jobs.
-- Parameters: $against, pairs of policies; $change (difference, points more, points less, mean % of, mean % more, mean % less);
-- $workloads, $metrics, $scopes; $per; $pooled; $mean_over ('', workloads, workloads present, or scopes).
WITH changes AS (
    SELECT
        CASE
            WHEN $mean_over LIKE 'workloads%' THEN 'Mean of the workloads, ' || what_words || ': ' || who_words
            WHEN $mean_over = 'scopes' THEN where_words || ', mean of the kinds of jobs: ' || who_words
            ELSE label
        END AS label,
        if($mean_over LIKE 'workloads%', draw::VARCHAR, unit) AS unit,
        change_of_unit($change, value, versus, better) AS change, place
    FROM compared($against, $workloads, $metrics, $scopes, $per, $pooled)
)
SELECT label, unit, avg(change) AS value
FROM changes
GROUP BY label, unit
HAVING count(*) = CASE $mean_over WHEN 'workloads' THEN len($workloads) WHEN 'workloads present' THEN count(*)
    WHEN 'scopes' THEN len($scopes) ELSE 1 END
ORDER BY min(place), unit
