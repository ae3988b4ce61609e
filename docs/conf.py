"""Settings of Sphinx. ``docs/build.py`` gathers the pages and calls it."""

from importlib.metadata import version as version_of

project = "slotwise"
author = "The slotwise developers"
release = version = version_of("slotwise")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types of other packages; no page of theirs is at hand offline
autodoc_typehints = "none"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
napoleon_google_docstring = False
suppress_warnings = ["misc.highlighting_failure"]  # a shown output is any text

html_theme = "furo"
html_title = "slotwise"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # summaries are fetched, which browsers refuse for files
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}
