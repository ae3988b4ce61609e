"""The pages of the report: their contents, their templates, and the folder of HTML."""
