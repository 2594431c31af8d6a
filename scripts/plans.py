"""Carries out a plan as spec/plan.md defines it, over a wire: the network (run-plan) or a recording
(wire-is-plan). Only the standard library is needed, and nothing of the project but that page.

A wire has the methods connect(step), connect_data(port), secure(host), secure_data(), send(message),
receive(), receive_any(control, data) -> ("control" or "data", octets), close_data(), is_ipv6() and
ending() -> "unverified", or "confirmed" if TLS announced the end. b"" is the end of a connection; a
reset is a ConnectionResetError, a data connection that cannot be made an OSError.
"""

import base64
import os
import re
from contextlib import suppress
from pathlib import Path

# Limits, in octets and in replies that announce another one.
LONGEST_REPLY = 65536
ANNOUNCEMENTS = 100
FIRST_LINE = 64


class PlanError(Exception):
    """What ended a plan: what it means (spec/plan.md, 4), and the reply."""

    __str__ = lambda self: ": ".join(map(str, self.args))  # noqa: E731


def octets(value):
    """Octets of JSON."""
    match value:
        case {"text": text}:
            return text.encode()
        case {"base64": text}:
            return base64.b64decode(text, validate=True)
    raise PlanError("unknown-plan", f"octets {value}")


def port_of_229(text):
    found = re.match(rb"[^(]*\(([!-/:-~])\1\1([0-9]+)\1\)", text)
    return port(int(found[2])) if found else None


def port_of_227(text):
    for word in re.findall(rb"[0-9,]+", text):
        numbers = word.split(b",")
        if len(numbers) == 6 and all(number and int(number) < 256 for number in numbers):
            return port(256 * int(numbers[4]) + int(numbers[5]))
    return None


def port(number):
    return number if 0 < number < 65536 else None


def shown(text):
    return text.decode("utf-8", "backslashreplace")


PORTS = {"EPSV": port_of_229, "PASV": port_of_227}


def fitting(entries, code, text):
    """The most exact entry for a reply, or None; of equally exact ones the first."""
    word = re.match(rb"[ \t]*([^ \t\r\n]*)", text)[1].decode("latin-1").lower()
    for wanted in {"code": code, "word": word}, {"code": code}, {"class": code // 100}:
        for entry in entries:
            on = entry["on"]
            if (on | {"word": on["word"].lower()} if "word" in on else on) == wanted:
                return entry
    return None


class Ended(Exception):
    """The plan has ended before its last step."""


class Run:
    """One plan that is carried out. `give` takes the octets of the object."""

    def __init__(self, plan, wire, give):
        self.plan, self.wire, self.give = plan, wire, give
        self.unread, self.protocol, self.protects_data = b"", None, False
        self.sends, self.whole, self.next, self.form = 0, "framed", None, []

    def run(self):
        """Returns how whole the object is: framed, confirmed or unverified; or raises."""
        with suppress(Ended):
            self.take_all(self.plan["session"] + self.plan["work"])
        return self.whole

    def take_all(self, steps):
        for step in steps:
            name = "take_" + step["step"].replace("-", "_")
            if not hasattr(self, name):
                raise PlanError("not-supported-here", step["step"])
            getattr(self, name)(step)

    # Steps.

    def take_connect(self, step):
        self.protocol, self.unread = step["protocol"], b""
        self.wire.connect(step)

    def take_secure(self, step):
        if self.unread:
            raise PlanError("injected", repr(self.unread))
        self.wire.secure(step["host"])

    def take_secure_data(self, _):
        self.protects_data = True

    def take_exchange(self, step):
        cases = list(step["cases"])
        while True:
            self.send(step["send"])
            if not step["cases"]:
                return
            case = self.case_at_last(cases)
            if case["then"] != "retry":
                return self.follow(case)
            self.take_all(case["steps"])
            cases.remove(case)

    def take_transfer(self, step):
        self.open_data(step["ports"])
        self.send(step["command"]["send"])
        case = self.case_at_last(step["command"]["cases"])
        if case["then"] != "next":
            self.wire.close_data()
            return self.follow(case)
        if self.protects_data:
            self.wire.secure_data()
        is_sent = has_ended = False
        while not (is_sent and has_ended):
            if not is_sent and (reply := self.whole_reply()):
                is_sent = self.case(step["done"], reply) is not None
                continue
            channel, more = self.wire.receive_any(control=not is_sent, data=not has_ended)
            if channel == "control":
                self.take_in(more)
            else:
                self.give(more)
                if has_ended := not more:
                    # Some servers send their reply only after the end of TLS from this side.
                    self.wire.close_data()
        self.whole = "confirmed"

    def open_data(self, ways):
        for way in ways:
            if way["name"] == "PASV" and self.wire.is_ipv6():
                continue
            self.send(way["send"])
            code, text = self.reply()
            while self.meaning(code, text) == "wait":
                code, text = self.reply()
            if code != way["code"] and (code < 400 or self.meaning(code, text) == "busy"):
                raise PlanError(self.meaning(code, text), f"{code} {shown(text)}")
            if number := code == way["code"] and PORTS[way["name"]](text):
                with suppress(OSError):
                    return self.wire.connect_data(number)
        raise PlanError("not-connected", "no data connection")

    def take_go_on(self, step):
        self.next = step
        raise Ended

    def take_local(self, step):
        if step["what"] not in ("file", "data"):
            raise PlanError("not-supported-here", step["what"])
        known = octets(step[step["what"]])
        self.give(Path(os.fsdecode(known)).read_bytes() if step["what"] == "file" else known)

    def take_receive(self, step):
        kind, end = step["object"]["kind"], step["object"]["end"]
        if kind == "form":
            self.form = []
            self.object(end, kind, self.form.append)
        else:
            self.whole = self.object(end, kind, self.give)

    # Messages and replies.

    def send(self, message):
        if message:
            self.sends += 1
            if self.sends > self.plan["most_sends"]:
                raise PlanError("unknown-plan", "it sends more than most_sends")
            self.wire.send(message)

    def follow(self, case):
        match case["then"]:
            case "next":
                return
            case "first":
                self.take_all(case["steps"])
            case "instead":
                self.take_all(case["steps"])
                raise Ended
            case "nothing":
                self.whole = "confirmed"
                raise Ended
            case other:
                raise PlanError("unknown-plan", f"then {other}")

    def meaning(self, code, text):
        return (fitting(self.protocol["meanings"], code, text) or {"means": "unexpected"})["means"]

    def case(self, cases, reply=None):
        """The case of a reply, which is read unless it is given; None if another one follows."""
        code, text = reply or self.reply()
        case = fitting(cases, code, text) or {"means": self.meaning(code, text), "then": "fail"}
        if case["then"] == "fail" and (case["means"] != "wait" or "on" in case):
            raise PlanError(case["means"], f"{code} {shown(text)}")
        return None if case["then"] == "fail" else case

    def case_at_last(self, cases):
        for _ in range(ANNOUNCEMENTS):
            if case := self.case(cases):
                return case
        raise PlanError("wait", "too many replies announce another one")

    def reply(self):
        while (reply := self.whole_reply()) is None:
            self.take_in(self.wire.receive())
        return reply

    def take_in(self, more):
        if not more:
            raise PlanError("cut-off", repr(self.unread))
        self.unread += more
        if len(self.unread) > LONGEST_REPLY:
            raise PlanError("too-much")

    def whole_reply(self):
        """Takes a reply from what was read, if it is all there: its code and text."""
        framing = self.protocol["replies"]
        if framing not in ("line", "lines"):
            raise PlanError("not-supported-here", f"replies {framing}")
        if not re.match(rb"[0-9]{0,2}\Z|[0-9]{3}", self.unread):
            raise PlanError("garbled", repr(self.unread))
        *lines, rest = self.unread.replace(b"\r\n", b"\n").split(b"\n")
        if not lines:
            return None
        if not (found := re.match(rb"([1-6][0-9]{2})([ -]|\Z)", lines[0])):
            raise PlanError("garbled", repr(lines[0]))
        count = 1
        if framing == "lines" and found[2] == b"-":
            last = re.compile(found[1] + rb"( |\Z)")
            count = next((i for i, line in enumerate(lines, 1) if i > 1 and last.match(line)), None)
            if count is None:
                return None
        self.unread = self.unread.split(b"\n", count)[count]
        return int(found[1]), b"\n".join(lines[:count])[4:]

    # Objects.

    def more(self):
        """The octets that come next; b"" at the end."""
        if self.unread:
            more, self.unread = self.unread, b""
            return more
        return self.wire.receive()

    def line(self, limit=None):
        """The next line with its end, or what is there at the end of the connection or after `limit`."""
        line = b""
        while b"\n" not in line and not (limit and len(line) > limit) and (more := self.more()):
            line += more
        end = line.find(b"\n") + 1 or len(line)
        self.unread = line[end:] + self.unread
        return line[:end]

    def object(self, end, kind, give):
        """Reads the object; returns how its end is known."""
        match end:
            case "connection":
                while more := self.more():
                    give(more)
                return self.wire.ending()
            case "connection-less-dot":
                return self.lines(give, only_last=True)
            case "dot-or-connection":
                return self.lines(give)
            case "dot":
                return self.lines(give, stuffed=b".", may_end=False)
            case "gopher-plus":
                return self.gopher_plus(kind, give)
        raise PlanError("not-supported-here", f"end {end}")

    def lines(self, give, stuffed=b"", may_end=True, only_last=False):
        dot = b""
        while line := self.line():
            give(dot)
            dot = b""
            if line in (b".\r\n", b".\n") or may_end and line in (b".", b".\r"):
                if not only_last:
                    return "framed"
                dot = line
            elif line.endswith(b"\n") or may_end:
                give(line.removeprefix(stuffed))
        if not may_end:
            raise PlanError("cut-off")
        return "framed" if dot else self.wire.ending()

    def gopher_plus(self, kind, give):
        line = self.line(FIRST_LINE)
        if found := re.fullmatch(rb"(\+[0-9]+|\+-[12]|-[+-]?[0-9]+)\r?\n", line):
            match found[1]:
                case b"+-1":
                    return self.lines(give, may_end=False)
                case b"+-2":
                    return self.object("connection", kind, give)
                case number if number.startswith(b"+"):
                    return self.counted(int(number), give)
            text = []
            self.lines(text.append)
            raise PlanError("missing", shown(b"".join(text)))
        self.unread = line + self.unread
        ends = {"menu": "dot-or-connection", "text": "connection-less-dot", "form": "connection-less-dot"}
        return self.object(ends.get(kind, "connection"), kind, give)

    def counted(self, left, give):
        while left and (more := self.more()):
            give(more[:left])
            self.unread = more[left:]
            left -= len(more[:left])
        if left:
            raise PlanError("cut-off", f"{left} octets are missing")
        return "framed"
