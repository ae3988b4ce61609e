-- What ordering a group takes by the size of the group: tree nodes of the search and jobs placed, median and quartiles.
SELECT class AS job_class, jobs AS size, count(*) AS groups, unnest(['tree_nodes', 'placements']) AS what,
    unnest([median(tree_nodes), median(placements)]) AS value,
    unnest([quantile_cont(tree_nodes, 0.25), quantile_cont(placements, 0.25)]) AS low,
    unnest([quantile_cont(tree_nodes, 0.75), quantile_cont(placements, 0.75)]) AS high
FROM groups
WHERE policy = 'pect_o' AND (workload LIKE 'seed-%' OR workload LIKE '%-first') AND tree_nodes > 0
GROUP BY class, jobs ORDER BY class DESC, jobs, what
