"""PDFs with equal pictures have equal bytes."""

import re

from reports.draw.pdf import canonical

OBJECTS = {
    "catalog": b"<<\n  /Type /Catalog\n  /Pages {pages} 0 R\n>>\nendobj",
    "pages": b"<<\n  /Font <<\n{fonts}  >>\n>>\nendobj",
    "plain": b"<<\n  /Length 9\n>>\nstream\n9 0 R \xff\nx\nendstream\nendobj",
    "bold": b"<<\n  /Name /Bold\n  /CreationDate (D:20260101)\n>>\nendobj",
}


def document(order, fonts):
    """Write the four objects in an order, with the fonts' dictionary in an order of its own."""
    numbers = {name: number for number, name in enumerate(order, start=1)}
    lines = b"".join(b"    /%s %d 0 R\n" % (name.encode(), numbers[name]) for name in fonts)
    out, offsets = b"%PDF-1.7\n\n", []
    for name in order:
        offsets.append(len(out))
        body = OBJECTS[name].replace(b"{pages}", b"%d" % numbers["pages"]).replace(b"{fonts}", lines)
        out += b"%d 0 obj\n%s\n\n" % (numbers[name], body)
    table = b"".join(b"%010d 00000 n\r\n" % offset for offset in offsets)
    trailer = b"<<\n  /Size 5\n  /Root %d 0 R\n>>\n" % numbers["catalog"]
    return (
        out
        + b"\nxref\n0 5\n0000000000 65535 f\r\n"
        + table
        + b"trailer\n"
        + trailer
        + b"startxref\n%d\n%%%%EOF" % len(out)
    )


def test_the_order_of_objects_and_of_dictionaries_does_not_show():
    one = canonical(document(["catalog", "pages", "plain", "bold"], ["plain", "bold"]))
    other = canonical(document(["bold", "pages", "plain", "catalog"], ["bold", "plain"]))
    assert one == other
    assert b"CreationDate" not in one
    assert b"stream\n9 0 R \xff\nx\nendstream" in one, "a stream was touched"


def test_the_table_points_at_the_objects():
    pdf = canonical(document(["bold", "catalog", "plain", "pages"], ["bold", "plain"]))
    offsets = [int(offset) for offset in re.findall(rb"(\d{10}) 00000 n", pdf)]
    assert [pdf[offset : offset + 8].split(b"\n")[0] for offset in offsets] == [b"%d 0 obj" % n for n in (1, 2, 3, 4)]
    start = int(re.search(rb"startxref\n(\d+)", pdf)[1])
    assert pdf[start:].startswith(b"xref")


def test_another_kind_of_file_stays_as_it_is():
    assert canonical(b"%PDF-1.7 with compressed objects") == b"%PDF-1.7 with compressed objects"
