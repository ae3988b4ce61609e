"""Pages in headless Chromium."""

from contextlib import contextmanager

import pytest

LOUD = ("error", "warning")
HINT = "Canvas2D: Multiple readback"
"""How Chromium comments on tests that read pixels; it is no trouble of the page."""


def loud(message):
    return message.type in LOUD and not message.text.startswith(HINT)


@pytest.fixture
def open_page(browser):
    """Open a page; when the block ends it must have been quiet, asked for nothing elsewhere and be no wider than its window."""

    @contextmanager
    def opened(path, width=1280, height=900, scheme="light", address=""):
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        troubles, asked = [], []
        page.on("console", lambda message: troubles.append(message.text) if loud(message) else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri() + address)
        yield page
        assert troubles == [], f"{path.name} at {width}"
        assert all(url.startswith(("file:", "data:")) for url in asked), f"{path.name} asked for {asked}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{path.name} is wider than {width}"
        page.close()

    return opened
