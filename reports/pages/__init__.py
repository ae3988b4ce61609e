"""Pages of the report: what they say, their templates, and the folder of HTML."""
