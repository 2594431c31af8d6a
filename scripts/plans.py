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
ERROR_LINE = 1024
# The first line of a reply: its code is the first group, its text what follows.
CODED = rb"([1-6][0-9]{2})(?:[ -]|\Z)"
FIRST_LINES = {"line": CODED, "lines": CODED, "head": rb"HTTP/1\.[0-9] " + CODED}


class PlanError(Exception):
    """What ended a plan: what it means (spec/plan.md, 4), and the reply."""

    __str__ = lambda self: ": ".join(map(str, self.args))  # noqa: E731


class Ended(Exception):
    """The plan has ended before its last step."""


def octets(value):
    """Octets of JSON."""
    return value["text"].encode() if "text" in value else base64.b64decode(value["base64"], validate=True)


def shown(text):
    return text.decode("utf-8", "backslashreplace")


def port_of_229(text):
    found = re.match(rb"[^(]*\(([!-/:-~])\1\1([0-9]+)\1\)", text)
    return int(found[2]) if found and 0 < int(found[2]) < 65536 else None


def port_of_227(text):
    for word in re.findall(rb"[0-9,]+", text):
        numbers = [int(number or 256) for number in word.split(b",")]
        if len(numbers) == 6 and max(numbers) < 256:
            return 256 * numbers[4] + numbers[5] or None
    return None


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


class Run:
    """One plan that is carried out. `give` takes the octets of the object."""

    def __init__(self, plan, wire, give):
        self.plan, self.wire, self.give = plan, wire, give
        self.unread, self.protocol, self.protects_data = b"", None, False
        self.sends, self.announced, self.whole, self.next, self.form = 0, 0, "framed", None, []
        self.length, self.attempted, self.said = None, None, ""

    def run(self):
        """Returns how whole the object is: framed, confirmed or unverified; or raises."""
        with suppress(Ended):
            self.take_all(self.plan["session"] + self.plan["work"])
        return self.whole

    def named(self, what, name):
        """The method for a name in the plan; a plan with a name that is not known is refused."""
        if not hasattr(self, method := f"{what}_{name}".replace("-", "_")):
            raise PlanError("not-supported-here", f"{what} {name}")
        return getattr(self, method)

    def take_all(self, steps):
        for step in steps:
            self.named("take", step["step"])(step)

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
        cases, then = list(step["cases"]), "retry"
        while then == "retry":
            self.send(step["send"])
            if not step["cases"]:
                return
            case = self.decided(self.reply(cases))
            then = self.follow(case)
            cases.remove(case)

    def take_transfer(self, step):
        self.open_data(step["ports"])
        restart = step.get("restart", {"start": 0, "send": [], "cases": []})
        for command in [restart, step["command"]] if restart["send"] else [step["command"]]:
            self.send(command["send"])
            case = self.decided(self.reply(command["cases"]))
            if case["then"] != "next":
                self.wire.close_data()
                # What follows a refused RETR is another object.
                self.length = self.length if command is restart else None
                self.follow(case)
                return
        if self.protects_data:
            self.wire.secure_data()
        done, has_ended, count, is_announced = None, False, restart["start"], True
        while not (done and has_ended):
            if not done and (reply := self.whole_reply(step["done"])):
                done = self.decided(reply)
                continue
            channel, more = self.wire.receive_any(control=not done, data=not has_ended)
            if channel == "control":
                self.take_in(more)
            else:
                self.give(more)
                count += len(more)
                if has_ended := not more:
                    is_announced = not self.protects_data or self.wire.ending() == "confirmed"
                    # Some servers send their reply only after the end of TLS from this side.
                    self.wire.close_data()
        if self.length is not None and count < self.length:
            raise PlanError("wrong-length", f"{count} octets instead of {self.length}")
        self.whole = "confirmed" if self.length in (None, count) and is_announced else "unverified"
        self.follow(done)

    def open_data(self, ways):
        failure = PlanError("not-connected", "no data connection")
        for way in ways:
            if way["name"] == "PASV" and self.wire.is_ipv6():
                continue
            self.send(way["send"])
            case, code, text = self.reply(())
            if code == way["code"]:
                if port := PORTS[way["name"]](text):
                    with suppress(OSError):
                        return self.wire.connect_data(port)
            elif code < 400 or case["means"] == "busy":
                self.decided((case, code, text))
            else:
                failure = PlanError(case["means"], f"{code} {shown(text)}")
        raise failure

    def take_go_on(self, step):
        self.next = step
        raise Ended

    def take_local(self, step):
        self.named("local", step["what"])(step)

    def local_file(self, step):
        self.give(Path(os.fsdecode(octets(step["file"]))).read_bytes())

    def local_data(self, step):
        self.give(octets(step["data"]))

    def take_receive(self, step):
        if step["object"]["kind"] == "form":
            self.object(step["object"], self.form.append)
        elif step["object"]["kind"] == "dropped":
            self.object(step["object"], lambda _: None)
        else:
            self.whole = self.object(step["object"], self.give)

    # Messages and replies.

    def send(self, message):
        if message:
            self.sends += 1
            if self.sends > self.plan["most_sends"]:
                raise PlanError("unknown-plan", "it sends more than most_sends")
            self.wire.send(message)

    def follow(self, case):
        """Does what a case says; returns its `then`."""
        then = case["then"]
        if then not in ("next", "first", "retry", "instead", "attempt", "nothing"):
            raise PlanError("unknown-plan", f"then {then}")
        if then in ("next", "attempt"):
            self.attempted = PlanError(case["means"], self.said) if then == "attempt" else None
        self.take_all(case.get("steps", []))
        if then == "nothing":
            self.whole = "confirmed"
        if then in ("instead", "attempt", "nothing"):
            raise Ended
        return then

    def decided(self, reply):
        """The case of a reply; one that fails is an error."""
        case, code, text = reply
        self.said = f"{code} {shown(text)}"
        if case["then"] == "fail":
            if self.attempted and code // 100 == 5:
                raise self.attempted
            raise PlanError(case["means"], f"{code} {shown(text)}")
        if case["means"] == "length" and (number := re.match(rb"[ \t]*([0-9]+)", text)):
            self.length = int(number[1])
        return case

    def reply(self, cases):
        """The next reply that announces no other one: its case, code and text."""
        while not (reply := self.whole_reply(cases)):
            self.take_in(self.wire.receive())
        return reply

    def whole_reply(self, cases):
        """The same, from what was read; None if it is not all there."""
        while reply := self.framed():
            if case := fitting(cases, *reply):
                return case, *reply
            means = self.means(*reply)
            self.announced += 1
            if means != "wait" or self.announced > ANNOUNCEMENTS:
                return {"means": means, "then": "fail"}, *reply
        return None

    def means(self, code, text):
        """What a reply means that no case lists."""
        return (fitting(self.protocol["meanings"], code, text) or {"means": "unexpected"})["means"]

    def take_in(self, more):
        if not more:
            raise PlanError("cut-off", repr(self.unread))
        self.unread += more
        if len(self.unread) > LONGEST_REPLY:
            raise PlanError("too-much")

    def framed(self):
        """Takes a reply from what was read, if it is all there: its code and text."""
        if (framing := self.protocol["replies"]) not in FIRST_LINES:
            raise PlanError("not-supported-here", f"replies {framing}")
        *lines, _ = self.unread.replace(b"\r\n", b"\n").split(b"\n")
        if not lines:
            # What cannot become a code is not waited for.
            if framing != "head" and not re.match(rb"[1-6]|\Z", self.unread):
                raise PlanError("garbled", repr(self.unread))
            return None
        if not (found := re.match(FIRST_LINES[framing], lines[0])):
            raise PlanError("garbled", repr(lines[0]))
        last = {"line": rb"", "lines": found[1] + rb"(?: |\Z)", "head": rb"\Z"}[framing]
        count = next((i for i, line in enumerate(lines, 1) if re.match(last, line)), None)
        if count is None:
            return None
        self.unread = self.unread.split(b"\n", count)[count]
        return int(found[1]), b"\n".join(lines[:count])[found.end() :]

    # Objects.

    def more(self):
        """The octets that come next; b"" at the end."""
        more, self.unread = self.unread, b""
        return more or self.wire.receive()

    def line(self, limit=None):
        """The next line with its end, or what is there at the end of the connection or after `limit`."""
        line = b""
        while b"\n" not in line and not (limit and len(line) > limit) and (more := self.more()):
            line += more
        end = line.find(b"\n") + 1 or len(line)
        self.unread = line[end:] + self.unread
        return line[:end]

    def object(self, target, give):
        """Reads an object; returns how its end is known."""
        if "error" in target and target["end"] != "gopher-plus":
            if target["error"] != "menu-line":
                raise PlanError("unknown-plan", target["error"])
            self.refuse_menu_line(target["end"])
        match target["end"]:
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
                return self.gopher_plus(target, give)
        raise PlanError("not-supported-here", f"end {target['end']}")

    def refuse_menu_line(self, end):
        """What a server sends in place of the object is an error."""
        if not (line := self.line(ERROR_LINE)):
            raise PlanError("empty-reply")
        rest, fields = b"", line.rstrip(b"\r\n").split(b"\t")
        if len(line) <= ERROR_LINE and len(fields) > 3 and (line[:1] == b"3" or line[:1] == b"0" and fields[2] == b"error.host"):
            is_end = lambda: end == "dot-or-connection" and rest.startswith((b".\n", b".\r\n"))  # noqa: E731
            while b".\r\n".startswith(rest) or rest == b".\n":
                if is_end() or not (more := self.more()):
                    raise PlanError("missing", shown(fields[0][1:]))
                rest += more
            if is_end():
                raise PlanError("missing", shown(fields[0][1:]))
        self.unread = line + rest + self.unread

    def lines(self, give, stuffed=b"", may_end=True, only_last=False):
        dot, is_exact = b"", True
        while line := self.line():
            give(dot)
            dot = b""
            if line in (b".\r\n", b".\n") or may_end and line in (b".", b".\r"):
                if stuffed and not (is_exact and line == b".\r\n"):
                    raise PlanError("ambiguous-end")
                if not only_last and line.endswith(b"\n"):
                    return "framed"
                dot = line
            elif line.endswith(b"\n") or may_end:
                give(line.removeprefix(stuffed) if is_exact else line)
            is_exact = line.endswith(b"\r\n")
        if not may_end and not dot:
            raise PlanError("cut-off")
        return "framed" if dot.endswith(b"\n") else self.wire.ending()

    def gopher_plus(self, target, give):
        line = self.line(FIRST_LINE)
        if not (found := re.fullmatch(rb"(\+[0-9]+|\+-[12]|-[+-]?[0-9]+)\r?\n", line)):
            if re.fullmatch(rb"[+-][0-9\r-]*", line) and len(line) < FIRST_LINE:
                raise PlanError("cut-off", repr(line))
            self.unread = line + self.unread
            ends = {"menu": "dot-or-connection", "text": "connection-less-dot", "form": "connection-less-dot"}
            return self.object(target | {"end": ends.get(target["kind"], "connection")}, give)
        if found[1] == b"+-1":
            return self.lines(give, may_end=False, only_last=target["kind"] == "text")
        if found[1] == b"+-2":
            return self.object({"end": "connection"}, give)
        if found[1].startswith(b"+"):
            return self.counted(int(found[1]), give)
        self.lines((text := []).append)
        said = shown(b"".join(text))
        raise PlanError("busy" if said.startswith("2") else "missing", said)

    def counted(self, left, give):
        while left and (more := self.more()):
            give(more[:left])
            self.unread, left = more[left:], left - len(more[:left])
        if left:
            raise PlanError("cut-off", f"{left} octets are missing")
        return "framed"
