-- Share of long-narrow jobs (more than 8 h on at most a tenth of the machine) among the long jobs of a log, over that in the
-- synthetic workloads: two values per draw of these, whose means have the ratio.
SELECT
    w.label AS label, m.workload || '/' || m.replication AS unit, t.long_narrow / t.jobs AS value,
    m.long_narrow / m.jobs AS versus
FROM characteristics AS t JOIN workloads AS w USING (workload), characteristics AS m
WHERE t.workload LIKE '%-first' AND m.workload LIKE 'seed-%' AND m.workload <> 'seed-13' AND t.class = 'long' AND m.class = 'long'
ORDER BY label, unit
