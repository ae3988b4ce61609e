"""PDFs whose bytes depend on nothing but what they show.

The converter writes fonts in the order of a hash table, another one in each process, and numbers its objects on the way;
some versions add dates. Here dates go, dictionaries of references are sorted, and objects are numbered and written in
the order in which they are met from the document's root.
"""

import re

REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
DICTIONARY = re.compile(rb"(?<=<<\n)(?: +/\w+ \d+ 0 R\n){2,}(?= *>>)")
"""Entries of a dictionary in which every value is a reference."""
DATE = re.compile(rb" */(?:CreationDate|ModDate)\s*\([^)]*\)\n?")
TRAILER = re.compile(rb"\nxref\n.*?trailer\n(.*?)startxref\n(\d+)\n%%EOF\s*\Z", re.DOTALL)
ENTRY = re.compile(rb"^(\d{10}) 00000 n", re.MULTILINE)


def canonical(pdf: bytes) -> bytes:
    """Write a PDF anew so that equal pictures give equal bytes.

    Parameters
    ----------
    pdf
        A PDF with one cross-reference table and no object streams, as the converter writes it; any other is given back
        as it is.
    """
    end = TRAILER.search(pdf)
    if end is None or b"/ObjStm" in pdf:
        return pdf
    objects = objects_of(pdf, end.start())
    trailer = ordered(end[1])
    met = numbers_met(trailer, objects)
    place = {old: new for new, old in enumerate(met, start=1)}
    head = pdf[: min(int(offset) for offset in ENTRY.findall(end[0]))]
    return written(head, [renumbered(objects[old], place) for old in met], renumbered((trailer, b""), place))


def objects_of(pdf: bytes, end: int) -> dict[int, tuple[bytes, bytes]]:
    """Split the objects before ``end`` by number into their text and the rest from their stream on."""
    offsets = sorted(int(offset) for offset in ENTRY.findall(pdf[end:]))
    found = {}
    for begin, stop in zip(offsets, [*offsets[1:], end], strict=True):
        number, _, body = pdf[begin:stop].partition(b" 0 obj\n")
        text, stream, rest = body.partition(b"\nstream\n")
        found[int(number)] = (ordered(DATE.sub(b"", text)), (stream + rest).rstrip(b"\n"))
    return found


def ordered(text: bytes) -> bytes:
    """Sort the dictionaries of references in an object's text."""
    return DICTIONARY.sub(lambda match: b"".join(sorted(match[0].splitlines(keepends=True))), text)


def numbers_met(trailer: bytes, objects: dict[int, tuple[bytes, bytes]]) -> list[int]:
    """List the numbers of the objects in the order in which they are met from the trailer on."""
    met: dict[int, None] = {}
    waiting = [int(number) for number in REFERENCE.findall(trailer)]
    while waiting:
        number = waiting.pop(0)
        if number not in met:
            met[number] = None
            waiting += [int(inner) for inner in REFERENCE.findall(objects[number][0])]
    return list(met)


def renumbered(parts: tuple[bytes, bytes], place: dict[int, int]) -> bytes:
    """Return an object with the new numbers in its text; its stream stays."""
    return REFERENCE.sub(lambda match: b"%d 0 R" % place[int(match[1])], parts[0]) + parts[1]


def written(head: bytes, objects: list[bytes], trailer: bytes) -> bytes:
    """Put a PDF together: head, numbered objects, cross-reference table, trailer."""
    out, offsets = head, []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\n\n" % (number, body.rstrip(b"\n"))
    size = re.sub(rb"/Size \d+", b"/Size %d" % (len(objects) + 1), trailer)
    table = b"".join(b"%010d 00000 n\r\n" % offset for offset in offsets)
    entries = b"xref\n0 %d\n0000000000 65535 f\r\n%s" % (len(objects) + 1, table)
    return out + entries + b"trailer\n" + size + b"startxref\n%d\n%%%%EOF\n" % len(out)
