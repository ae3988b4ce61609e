-- Mean run time times mean size over processors times mean gap between submissions, beside the load of Table 4.
-- Parameters: $workloads. Unit: none; a replication each.
SELECT
    w.label AS label, replication AS unit,
    avg(runtime_us) * avg(size) / (w.processors * (max(submit_us) - min(submit_us)) / (count(*) - 1)) AS value,
    any_value(printed) AS printed, any_value(printed_digits) AS digits
FROM jobs
JOIN printed_values AS q ON q.workload = jobs.workload AND q.metric = 'load'
JOIN workloads AS w ON w.workload = jobs.workload
WHERE jobs.policy = 'pss' AND jobs.workload IN (SELECT unnest($workloads))
GROUP BY jobs.workload, w.label, w.processors, replication
ORDER BY list_position($workloads, jobs.workload), unit
