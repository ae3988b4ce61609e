-- The same jobs under other estimates: the ratio of the means of a metric.
--
-- $suffixes   variants of a log, by the end of their ids: what is told to the scheduler
-- $versus     the variant they are compared with, '' for the estimates as submitted
-- $policies   policies, by id
-- $metrics    metrics, by name
-- Unit of analysis: a batch of consecutive jobs of the log. One draw of the estimates stands behind each variant.
SELECT
    workloads.label || CASE WHEN len($policies::VARCHAR[]) > 1 THEN ', ' || policies.label ELSE '' END
    || ', ' || CASE metric WHEN 'mean_wait' THEN 'wait' WHEN 'mean_response' THEN 'response' ELSE 'slowdown' END AS label,
    unit, a.value, b.value AS versus
FROM unit_metrics AS a
JOIN workloads USING (workload)
JOIN unit_metrics AS b
    USING (policy, metric, unit)
JOIN policies USING (policy)
WHERE b.workload = variant_of || CASE WHEN $versus = '' THEN '' ELSE '-' || $versus END
    AND a.workload IN (SELECT variant_of || '-' || unnest($suffixes))
    AND policy IN (SELECT unnest($policies)) AND metric IN (SELECT unnest($metrics))
ORDER BY variant_of DESC, list_position($suffixes, replace(a.workload, variant_of || '-', '')), policy, metric, unit;
