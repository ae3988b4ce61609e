-- Narrow jobs (at most a tenth of the machine) among the members of groups: two values per batch of a log's jobs, whose means
-- have the ratio.
SELECT
    w.label AS label, batch AS unit, count(*) FILTER (width_class(size, w.processors) = 'narrow') AS value,
    count(*) AS versus
FROM members JOIN jobs USING (workload, policy, replication, job) JOIN workloads AS w USING (workload)
WHERE workload LIKE '%-first' AND policy = 'pect_o'
GROUP BY w.label, batch
ORDER BY label, unit
