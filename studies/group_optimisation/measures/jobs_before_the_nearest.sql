-- Jobs of a log before the 10,000 that are nearest to Table 6, of all windows that begin at a multiple of 5,000 jobs, and the
-- sum of their nine differences from the table. Exact.
SELECT label || ', jobs before it' AS label, (provenance ->> '$[0].transformations[0].skipped')::DOUBLE AS value
FROM workloads WHERE workload LIKE '%-nearest' AND NOT missing
UNION ALL
SELECT label || ', sum of the differences', (provenance ->> '$[0].transformations[0].distance')::DOUBLE
FROM workloads WHERE workload LIKE '%-nearest' AND NOT missing
