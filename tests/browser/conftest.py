"""Pages in headless Chromium."""

from contextlib import contextmanager

import pytest

from tests.headless_chromium import blank_page

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
        troubles, asked = [], []
        heard = {
            "console": lambda message: troubles.append(message.text) if loud(message) else None,
            "pageerror": lambda error: troubles.append(str(error)),
            "request": lambda request: asked.append(request.url),
        }
        with blank_page(browser, width, height, scheme) as page:
            for event, hear in heard.items():
                page.on(event, hear)
            page.goto(path.as_uri() + address)
            yield page
            assert troubles == [], f"{path.name} at {width}"
            assert all(url.startswith(("file:", "data:")) for url in asked), f"{path.name} asked for {asked}"
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{path.name} is wider than {width}"
            for event, hear in heard.items():
                page.remove_listener(event, hear)

    return opened
