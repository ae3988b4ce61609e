"""Headless Chromium for the tests of pages."""

import shutil
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser):
    """Open a page; when the block ends it must have been quiet, asked for nothing elsewhere and be no wider than its window."""

    @contextmanager
    def opened(path, width=1280, height=900, scheme="light", address=""):
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        troubles, asked = [], []
        page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri() + address)
        yield page
        assert troubles == [], f"{path.name} at {width}"
        assert all(url.startswith(("file:", "data:")) for url in asked), f"{path.name} asked for {asked}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{path.name} is wider than {width}"
        page.close()

    return opened
