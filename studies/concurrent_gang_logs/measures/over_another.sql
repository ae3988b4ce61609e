-- A over B on the same jobs, by source of the jobs and load: two values per draw, whose means have the ratio.
-- Parameters: $against, pairs of policies; $metrics; $least and $most, loads in %. Unit of analysis: a draw of the jobs of a
-- model; a part of a log.
SELECT
    split_part(w.label, ', ', 1) || format(', load {:.1f}', w.target_load) || if(len($against) = 1, '', ': ' || who_words) AS label,
    c.workload || ' ' || c.unit AS unit, value, versus
FROM compared($against, (SELECT list([workload, workload]) FROM workloads WHERE workload LIKE 'log-%'), $metrics, [['all', 'all']], 'run', '')
    AS c
JOIN workloads AS w USING (workload)
WHERE round(100 * w.target_load) BETWEEN $least AND $most
ORDER BY list_last(place), w.kind = 'log', split_part(w.label, ', ', 1), w.target_load, unit
