"""Headless Chromium for the tests of pages and pictures."""

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


@pytest.fixture(scope="session")
def browser():
    """Start Chromium once for all tests that ask for it."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        FREE.clear()
        chromium.close()


FREE = []
"""Pages that no test has open."""


@contextmanager
def blank_page(browser, width=1280, height=900, scheme="light"):
    """Give a blank page. Pages are used again: a new one takes two thirds of a second of processor time."""
    page = FREE.pop() if FREE else browser.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(media="screen", color_scheme=scheme)
    page.mouse.move(0, 0)
    yield page
    if page.url.startswith("file:"):
        page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    FREE.append(page)
