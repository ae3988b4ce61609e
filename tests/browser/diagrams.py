"""A diagram of the page of schedules in a browser: its controls, its picture, and what it says."""

import pytest

from tests.reports.families import stores

LOOKS = {"desk": (1280, "light"), "phone": (390, "light")}


class Viewer:
    """The diagram called ``name`` on a page."""

    def __init__(self, page, name):
        self.page, self.name = page, name
        self.script = "slotwise" + name.title().replace("-", "")

    def value(self, expression, arg=None):
        """Return the value of an expression, which may use ``viewer`` and ``arg``."""
        return self.page.evaluate(f"arg => {{ const viewer = {self.script}; return {expression}; }}", arg)

    def wait(self, expression, arg=None):
        """Wait until an expression holds, and return its value."""
        whole = f"arg => {{ const viewer = {self.script}; return {expression}; }}"
        return self.page.wait_for_function(whole, arg=arg).json_value()

    def part(self, name):
        """Return the element ``name`` of the diagram."""
        return self.page.locator(f"#{self.name}-{name}")

    def says(self, name):
        """Return the text of an element."""
        return self.part(name).inner_text()

    def control(self, name):
        """Return a control."""
        return self.page.locator(f"#{self.name}-controls [name={name}]")

    def choose(self, name, value):
        """Choose in a control; a workload's window is read from a file, so wait until it is shown."""
        self.control(name).select_option(value)
        self.page.wait_for_function("!document.querySelector('canvas[aria-busy=true]')")

    def lit(self, *keys):
        """Return the job that is looked at, or a list of it and other properties of its allocation; None without one."""
        told = "".join(f", held.{key}" for key in keys)
        return self.value(f"(held => held && {f'[held.job.job{told}]' if keys else 'held.job.job'})(viewer.lit())")

    def middles(self, chosen, arg=None, of="places"):
        """Wait until the picture has places ``p`` that are ``chosen``, and return their middles."""
        middles = f"viewer.state.{of}.filter(p => {chosen}).map(p => [p.x + p.w / 2, p.y + p.h / 2])"
        return self.wait(f"(found => found.length ? found : null)({middles})", arg)

    def point(self, place):
        """Move the mouse from outside onto a place of the picture."""
        self.page.mouse.move(0, 0)
        self.part("picture").hover(position={"x": place[0], "y": place[1]})

    def press(self, *keys):
        """Press keys in the picture."""
        self.part("picture").focus()
        for key in keys:
            self.page.keyboard.press(key)

    def walk(self, key, times, *properties):
        """Press a key several times, and return what is looked at each time."""
        return [(self.press(key), self.lit(*properties))[1] for _ in range(times)]


def fixtures(name, write_store, height=1400, looks=LOOKS):
    """Return two fixtures: a page that is written once, and its diagram at the width of a desk and of a phone."""

    @pytest.fixture(scope="module")
    def schedules(tmp_path_factory):
        return stores.write_page(write_store(tmp_path_factory.mktemp(name)))

    @pytest.fixture(params=looks.values(), ids=[*looks])
    def viewer(open_page, schedules, request):
        width, scheme = request.param
        with open_page(schedules, width, height, scheme) as page:
            opened = Viewer(page, name)
            opened.wait("viewer.state.places.length > 0")
            yield opened

    return schedules, viewer
