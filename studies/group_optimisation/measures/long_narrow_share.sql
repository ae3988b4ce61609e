-- Share of long-narrow jobs (more than 8 h on at most a tenth of the machine) among the long jobs of a log, beside Table 6. Exact.
SELECT w.label AS label, c.long_narrow / c.jobs AS value, p.printed
FROM printed_values AS p
JOIN characteristics AS c ON c.workload = p.workload AND c.class = p.scope
JOIN workloads AS w ON w.workload = p.workload
WHERE p.source = 'Kanavallil 2007' AND p.metric = 'long_narrow_share'
ORDER BY label
