"""WAIS: a search, and a document of several slices."""

from . import files


def integer(value):
    groups = [value & 0x7F]
    while value := value >> 7:
        groups.insert(0, value & 0x7F | 0x80)
    return bytes(groups)


def field(tag, value):
    return integer(tag) + integer(len(value)) + value


def fields(octets):
    """Yields the fields of octets; the length of a diagnostic (28) has two octets."""
    at = 0

    def number():
        nonlocal at
        value = 0
        while True:
            octet = octets[at]
            at += 1
            value = value << 7 | octet & 0x7F
            if not octet & 0x80:
                return value

    while at < len(octets):
        tag = number()
        if tag == 28:
            length = int.from_bytes(octets[at : at + 2]) + 3
            at += 2
        else:
            length = number()
        yield tag, octets[at : at + length]
        at += length


def ask_packet(stream, fixed, options, user):
    """Sends a search; returns the fields of the user information of its answer."""
    counted = fixed + options
    apdu = len(counted).to_bytes(2) + counted + user
    stream.write(b"%010dz2wais        0" % len(apdu) + apdu)
    stream.flush()
    answer = stream.read(int(stream.read(25)[:10]))
    user = answer[2 + int.from_bytes(answer[:2]) :]
    (tag, records), *_ = fields(user)
    assert tag == 99, answer
    return list(fields(records))


def find(stream, database, words):
    options = field(18, database) + field(20, b"3")
    user = field(99, field(106, words) + field(114, b"\x28"))
    return ask_packet(stream, b"\x16\0\0\x1e\0\x13\x88\0\0\x1e\x01", options, user)


def part(stream, identifier, start, end):
    terms = [(b"un re", identifier), (b"wt re", b"TEXT"), (b"wb ro", b"%d" % start), (b"wb rl", b"%d" % end)]
    query = b"".join(
        field(44, name + b" ig ig ig ig") + field(45, value) + (field(46, b"a") if at else b"")
        for at, (name, value) in enumerate(terms)
    )
    options = field(18, b"fruit") + field(20, b"1") + field(2, b"7")
    return dict(ask_packet(stream, b"\x16\0\0\x0a\0\0\x10\0\0\x0f\x01", options, field(21, query)))


def ask(server, listed):
    with files.connect(server, listed["ca"]) as connection, connection.makefile("rwb") as stream:
        hits = find(stream, b"fruit", b"long")
        assert [tag for tag, _ in hits] == [150], hits
        hit = dict(fields(hits[0][1]))
        size = int.from_bytes(hit[120])
        text, answer = b"", {}
        # A diagnostic comes with the slice that the document ends before.
        while 28 not in answer:
            answer = part(stream, hit[116], len(text), len(text) + 10_000)
            text += dict(fields(answer[153]))[127]
        assert len(text) == size > 100_000 and text.endswith(b" 3999 a line of the long text\n"), len(text)
        assert find(stream, b"tree", b"motd")[0][0] == 150
    return f"{size} octets in slices"
