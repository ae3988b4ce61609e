-- Mean gap between submissions of a log over the mean of those the source prints for the synthetic workloads. Exact.
SELECT
    w.label AS label,
    any_value(c.mean_gap_s) / (
        SELECT avg(value) FROM printed_values WHERE source = 'Kanavallil 2007' AND metric = 'mean_gap'
    ) AS value
FROM characteristics AS c JOIN workloads AS w USING (workload)
WHERE workload LIKE '%-first'
GROUP BY w.label
ORDER BY label
