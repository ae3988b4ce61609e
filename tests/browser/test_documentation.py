"""The site of documentation in headless Chromium, opened from disk: quiet, no wider than a phone, and searchable."""

from playwright.sync_api import expect


def test_every_page_fits_a_phone_and_loads_nothing_from_elsewhere(site, open_page):
    for path in sorted(site.rglob("*.html")):
        with open_page(path, width=390):
            pass  # `open_page` looks when the block ends


def test_a_search_finds_pages(site, open_page):
    with open_page(site / "search.html", address="?q=reservation") as page:
        expect(page.locator("#search-results p").first).to_contain_text("Search finished")
        found = page.locator("#search-results a").all_text_contents()
        assert {"Ten jobs, three schedulers", "conservative"} <= {title.split(" > ")[-1] for title in found}, found
