-- The largest measured slowdown of each table, paging aside. No parameters. Unit: none.
SELECT upper(metric[1]) || replace(regexp_extract(metric, '^(table_[123])', 1)[2:], '_', ' ') AS label, max(value) AS value
FROM printed_values
WHERE regexp_matches(metric, '^table_[123]_(same|mixed|row|column)')
GROUP BY label
