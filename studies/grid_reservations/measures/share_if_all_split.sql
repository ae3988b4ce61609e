-- Tasks over medium and long jobs, were all jobs of 6,000 to 60,000 s on more than 10 processors split into five tasks each: a value
-- per draw of the local jobs. The jobs that are split count among the jobs, as in the thesis' own numbers of shares. Unit: per cent.
SELECT
    'All eligible jobs split' AS label, replication AS unit,
    100 * 5 * count(*) FILTER (runtime_us > 6000e6 AND runtime_us < 60000e6 AND size > 10)
    / (count(*) + 5 * count(*) FILTER (runtime_us > 6000e6 AND runtime_us < 60000e6 AND size > 10)) AS value
FROM jobs
WHERE workload = 'p-0' AND policy = 'no-workflows' AND runtime_us >= 600e6
GROUP BY replication
ORDER BY unit
