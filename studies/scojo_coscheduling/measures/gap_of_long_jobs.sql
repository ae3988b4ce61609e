-- Mean gap between submissions of long jobs over all draws, beside the printed one.
-- Parameters: $workloads; $policies, one of which ran on each. Unit: minutes.
WITH gaps AS (
    SELECT workload, replication, (max(submit_us) - min(submit_us)) / 60e6 AS span, count(*) - 1 AS gaps
    FROM jobs
    WHERE class = 'long' AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
    GROUP BY workload, replication
)
SELECT w.label || ', long jobs' AS label, sum(span) / sum(gaps) AS value, any_value(q.printed) AS printed
FROM gaps
JOIN workloads AS w USING (workload)
JOIN printed_values AS q ON q.workload = gaps.workload AND q.metric = 'long_gap'
GROUP BY w.label
ORDER BY label
