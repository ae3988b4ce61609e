"""What every test of a diagram does: choose in its controls, find a place in its picture, and point at it."""

READ = "!document.querySelector('canvas[aria-busy=true]')"


def choose(page, form, name, value):
    """Choose in a diagram's controls; a workload's window is read from a file, so wait until it is shown."""
    page.select_option(f"#{form} [name={name}]", value)
    page.wait_for_function(READ)


def place(page, where, arg):
    """Wait until an expression finds something in the picture, and return it."""
    return page.wait_for_function(where, arg=arg).json_value()


def point(page, canvas, found):
    """Move the mouse from outside onto a place of a picture."""
    page.mouse.move(0, 0)
    page.locator(canvas).hover(position={"x": found[0], "y": found[1]})
