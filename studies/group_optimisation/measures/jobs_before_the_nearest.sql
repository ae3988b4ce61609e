-- Jobs of a log before the 10,000 that are nearest to Table 6, of all windows that begin at a multiple of 5,000 jobs, and the
-- sum of their nine differences from the table. Exact.
SELECT
    label || ', ' || if(what = 'skipped', 'jobs before it', 'sum of the differences') AS label,
    (provenance ->> ('$[0].transformations[0].' || what))::DOUBLE AS value
FROM workloads CROSS JOIN (VALUES ('skipped'), ('distance')) AS asked (what)
WHERE workload LIKE '%-nearest' AND NOT missing
