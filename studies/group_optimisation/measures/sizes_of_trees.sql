-- Paths (n!) and nodes (the sum of n! / (n - k)! over the depths k) of the search tree of n jobs, over those that Table 2 prints. Exact.
WITH trees AS (
    SELECT DISTINCT scope::INTEGER AS n FROM printed_values WHERE source = 'Kanavallil 2007' AND metric = 'tree_paths'
),
counted AS (
    SELECT n, 'tree_paths' AS metric, factorial(n)::DOUBLE AS found FROM trees
    UNION ALL
    SELECT n, 'tree_nodes', sum(factorial(n) / factorial((n - k)::INTEGER))
    FROM trees, range(1, 21) AS depths (k)
    WHERE k <= n GROUP BY n
)
SELECT n || ' jobs, ' || if(metric = 'tree_paths', 'paths', 'nodes') AS label, found / value AS value
FROM counted JOIN printed_values USING (metric)
WHERE source = 'Kanavallil 2007' AND policy = '' AND scope = n::VARCHAR
ORDER BY n, metric DESC
