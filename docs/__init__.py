"""The documentation site: pages in Markdown, the pages written from what the program says of itself, and the examples' runner."""
