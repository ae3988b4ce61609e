-- Groups formed by class and how many of the medium and long jobs they take, with and without smart backfilling, beside Tables 7
-- and 9: means and range over draws. What is printed is of 10,000 jobs, and stands only beside as many.
WITH ranged AS (
    SELECT workload, policy, metric, avg(value) AS value, min(value) AS low, max(value) AS high, count(*) AS draws
    FROM run_values
    WHERE scope = 'all' AND metric IN ('groups_medium', 'groups_long', 'grouped_share')
        AND policy IN ('pect_o', 'pect_o_ns') AND (workload LIKE 'seed-%' OR workload LIKE '%-first')
    GROUP BY ALL
)
SELECT w.label AS workload_label, if(r.policy = 'pect_o', 'with smart backfilling', 'without smart backfilling') AS smart,
    w.jobs // w.replications AS jobs, r.metric, draws, r.value * if(r.metric = 'grouped_share', 100, 1) AS value,
    r.low * if(r.metric = 'grouped_share', 100, 1) AS low, r.high * if(r.metric = 'grouped_share', 100, 1) AS high,
    CASE WHEN w.jobs // w.replications = 10000 THEN p.value * if(r.metric = 'grouped_share', 100, 1) END AS printed,
    p.place
FROM ranged AS r JOIN workloads AS w USING (workload)
    LEFT JOIN printed_values AS p ON p.source = 'Kanavallil 2007' AND p.workload = r.workload AND p.policy = r.policy
        AND p.metric = r.metric
ORDER BY (SELECT min(position) FROM cells WHERE cells.workload = r.workload),
    list_position(['pect_o_ns', 'pect_o'], r.policy), r.metric
