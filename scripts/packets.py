"""Carries out the plans of WAIS, too: packets, answers, and documents in slices (spec/plan.md, 3 and 6)."""

import re

import plans
from plans import PlanError, octets, shown

# The last offset in a document, the shortest slices, and how many equal ones are no progress.
LAST_OFFSET = 9_999_999_999
SHORTEST = 1000
REPEATS = 250
# Limits, in octets: of an APDU, and of what comes before a packet.
LONGEST = 100_000
SKIPPED = 1024
HEADER = re.compile(rb"([0-9]{10})[zZ]2.{10}  .", re.DOTALL)
DIAGNOSTIC = 28
MEANINGS = {b"SF": "missing", b"S2": "busy", b"SV": "busy"}
MEANINGS |= dict.fromkeys([b"S3", b"SK", b"SL", b"SM", b"SO", b"SP", b"SQ", b"T3"], "not-supported")


def find(read, limit):
    """The APDU of the first packet and what follows it; None if it is not all there."""
    start = read.find(b"0", 0, SKIPPED + 1)
    if start < 0 and len(read) > SKIPPED:
        raise ValueError("not a packet of WAIS")
    if start >= 0 and not read[start : start + 10].isdigit():
        raise ValueError("not a packet of WAIS")
    if start < 0 or len(read) < start + 25:
        return None
    if not (found := HEADER.match(read, start)) or int(found[1]) > limit:
        raise ValueError("not a packet of WAIS, or a longer one than the server may send")
    end = found.end() + int(found[1])
    return (read[found.end() : end], read[end:]) if len(read) >= end else None


def compressed(read):
    """A compressed integer at the beginning, and what follows it."""
    value = 0
    for i, octet in enumerate(read, 1):
        value = value << 7 | octet & 0x7F
        if octet < 0x80:
            return value, read[i:]
    raise ValueError("an integer has no end")


def fields(read):
    """Yields tags and values."""
    while read:
        tag, read = compressed(read)
        length, read = (number(read[:2]), read[2:]) if tag == DIAGNOSTIC else compressed(read)
        if len(read) < length:
            raise ValueError("a field is longer than what is around it")
        yield tag, read[:length]
        read = read[length:]
        if tag == DIAGNOSTIC:
            read = read.removeprefix(b"\x1d")


def number(read):
    return int.from_bytes(read, "big")


def divide(apdu, kind, fixed):
    """The octets of fixed length after the type of an APDU, and its fields."""
    length = 2 + number(apdu[:2])
    if apdu[2:3] != bytes([kind]) or not 3 + fixed <= length <= len(apdu):
        raise ValueError("not the expected response of WAIS")
    return apdu[3 : 3 + fixed], [*fields(apdu[3 + fixed : length]), *fields(apdu[length:])]


def init(apdu):
    """The result, and the limit of the server's messages."""
    result, found = divide(apdu, 0x15, 1)
    return result[0], min(max([number(value) for tag, value in found if tag in (5, 6)], default=0) or LONGEST, LONGEST)


class Answer:
    """A response to a search: its reference, text, hits (values by tag), and first diagnostic."""

    def __init__(self, apdu):
        _, found = divide(apdu, 0x17, 10)
        found = [inner for tag, value in found for inner in (fields(value) if tag == 99 else [(tag, value)])]
        first = {tag: value for tag, value in reversed(found)}
        self.reference = first.get(2)
        self.hits = [dict(fields(value)) for tag, value in found if tag in (150, 151, 152, 154)]
        if len(texts := [dict(fields(value)) for tag, value in found if tag == 153]) > 1:
            raise ValueError("two parts of documents")
        self.identifier, self.text = b"", None
        for text in texts:
            self.identifier, self.text = text.get(116, b""), text.get(127, b"")
        self.diagnostic = first.get(DIAGNOSTIC)
        self.code, self.words = (self.diagnostic or b"")[:2].upper(), (self.diagnostic or b"")[2:-1]

    def failure(self):
        return PlanError(MEANINGS.get(self.code, "refused"), shown(self.code + b" " + self.words))


class Run(plans.Run):
    """A plan that is carried out, of WAIS or of another protocol."""

    largest = LONGEST

    def run(self):
        try:
            return super().run()
        except ValueError as error:
            raise PlanError("garbled", str(error)) from error

    def has_packets(self):
        return self.protocol["replies"] == "packets"

    def packet(self):
        """Takes the next packet from what was read, if it is all there."""
        apdu, self.unread = find(self.unread, self.largest) or (None, self.unread)
        return apdu

    def framed(self):
        if not self.has_packets():
            return super().framed()
        if (apdu := self.packet()) is None:
            return None
        code, self.largest = init(apdu)
        return code, b""

    def answer(self, reference=None):
        """The next answer, which may refer to this request, and its octets."""
        while (apdu := self.packet()) is None:
            if not (more := self.wire.receive()):
                raise PlanError("cut-off", repr(self.unread[:25]))
            self.unread += more
        answer = Answer(apdu)
        if answer.reference is not None and (reference is None or int(answer.reference) != reference):
            raise PlanError("unexpected", shown(answer.reference))
        return answer, apdu

    def object(self, target, give):
        if self.protocol["replies"] == "datagrams":
            return super().object({"end": "connection"}, give) and "framed"
        if not self.has_packets():
            return super().object(target, give)
        answer, apdu = self.answer()
        if answer.diagnostic is not None and not answer.hits:
            raise answer.failure()
        give(apdu)
        return "framed"

    def take_slices(self, step):
        start, count, repeats, last = 0, 1, 0, None
        room = self.largest - 100 - sum(piece.get("width") or len(octets(piece)) for piece in step["send"])
        if (size := min(step["slice"], room)) < min(SHORTEST, step["slice"]):
            raise PlanError("not-supported", "the server's answers are so short")
        while start < LAST_OFFSET and repeats < REPEATS:
            is_at_length = start == step["length"]
            end = min(start + size, step["length"] if start < (step["length"] or 0) else LAST_OFFSET)
            fresh = {"slice-start": start, "slice-end": end, "slice-number": count}
            self.send([{"text": f"{fresh[piece['fresh']]:010}"} if "fresh" in piece else piece for piece in step["send"]])
            try:
                answer = self.answer(count)[0]
                text, is_last = part(answer, start, end, is_at_length)
            except PlanError as error:
                if error.args[0] != "cut-off" or not is_at_length:
                    raise
                self.whole = "unverified"
                return
            if answer.text is not None and not is_same(answer.identifier, octets(step["identifier"])):
                raise PlanError("unexpected", "a part of another document")
            self.give(text)
            if is_last:
                self.whole = "framed"
                return
            is_progress = answer.reference is not None or end <= (step["length"] or 0)
            repeats, last = repeats + 1 if text == last and not is_progress else 0, text
            start, count = end, count + 1
        raise PlanError("no-progress" if repeats else "too-much")


def is_same(one, other):
    """Whether identifiers are those of one document; some servers send none."""
    if not one or not other or one == other:
        return True
    try:
        return [*fields(one)] == [*fields(other)]
    except ValueError:
        return False


def part(answer, start, end, is_at_length):
    """The octets of a slice, and whether it is the last one."""
    text, ends_here = answer.text or b"", answer.diagnostic is not None
    if ends_here and not is_at_length:
        is_after_end = start or answer.text is not None or answer.words.lower().startswith(b"request out of range")
        if answer.code != b"SF" or not is_after_end:
            raise answer.failure()
    if len(text) > end - start or answer.text is None and not start and not ends_here:
        raise ValueError("a slice has another length than was asked for")
    return text, ends_here or len(text) < end - start
