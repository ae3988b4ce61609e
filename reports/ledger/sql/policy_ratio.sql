-- A policy against another on the same jobs: the ratio of the means of a metric.
--
-- $policy, $versus   the two policies, by id
-- $metrics           metrics, by name
-- $workloads         pattern (regular expression) that the whole id of a workload matches
-- Unit of analysis: a replication of a model, a batch of consecutive jobs of a log. Values are in the metric's unit.
SELECT
    workloads.label
    || CASE WHEN len($metrics::VARCHAR[]) > 1
        THEN ', ' || replace(regexp_replace(metric, '_[0-9]+$', ''), '_', ' ')
            || CASE WHEN metric LIKE '%slowdown_%' THEN ' (' || regexp_extract(metric, '[0-9]+$') || ' s)' ELSE '' END
        ELSE '' END AS label,
    unit, a.value, b.value AS versus
FROM unit_metrics AS a
JOIN unit_metrics AS b USING (workload, metric, unit)
JOIN workloads USING (workload)
WHERE a.policy = $policy AND b.policy = $versus AND metric IN (SELECT unnest($metrics))
    AND regexp_full_match(workload, $workloads)
ORDER BY kind = 'log' DESC, workload, metric, unit;
