"""Pages of the report: their content, their templates, and the folder of HTML."""
