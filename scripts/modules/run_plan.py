#!/usr/bin/env python3
"""Carries out the plan of a URL as spec/plan.md defines it, and writes the object.

    scripts/modules/run_plan.py [--ca FILE] [--answer PROMPT=TEXT]… [--locator COMMAND] URL [OPTION OF plan]…
    scripts/modules/run_plan.py --upload FILE URL [OPTION OF get]…

Asks `locator plan --json --show-secrets` for the plan, or `locator get --plan` for that of an upload. Standard error says how the end of the object
is known: framed, confirmed or unverified. Exit status: 1 if the server refused or another URL leads
to the object, 2 for any other failure.

This is the oracle of that page: written from it alone, in the order of its sections, which the
comments name, with nothing but the standard library. Tests import it and replace the network by a
recording or a script: a `Wire`.
"""

import argparse
import base64
import json
import os
import re
import secrets
import select
import socket
import ssl
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCATOR = os.environ.get("LOCATOR", ROOT / "target/debug/locator")

# Limits that the page leaves to a program (section 9), in octets, replies and seconds.
LONGEST_REPLY = 65536
LONGEST_PACKET = 100_000
ANNOUNCEMENTS = 100
PATIENCE = 15
# 3. The first line of a reply: its code is the first group, its text what follows.
CODED = rb"([1-6][0-9]{2})(?:[ -]|\Z)"
FIRST_LINES = {"line": CODED, "lines": CODED, "head": rb"HTTP/1\.[0-9] " + CODED}
# The shortest slices, the last offset in a document, and how many equal slices are no progress.
SHORTEST_SLICE = 1000
LAST_OFFSET = 9_999_999_999
REPEATS, REPEATED = 250, 2_500_000
# 6. The longest line that is an error of Gopher, the longest first line of Gopher+, and the most
# octets before a packet of WAIS.
ERROR_LINE = 1024
FIRST_LINE = 64
SKIPPED = 1024


class PlanError(Exception):
    """What ended a plan: what it means (section 4) or another word, and the reply."""

    __str__ = lambda self: ": ".join(map(str, self.args))  # noqa: E731


class Ended(Exception):
    """The plan has ended before its last step."""


def octets(value):
    """Octets of JSON (section 1)."""
    return value["text"].encode() if "text" in value else base64.b64decode(value["base64"], validate=True)


def shown(text):
    return text.decode("utf-8", "backslashreplace")


def number(read):
    return int.from_bytes(read, "big")


class Wire:
    """What a plan is carried out on. A wire has these methods and connect(step), connect_data(port),
    secure(host), secure_data(), send_data(is_text), send(message), receive(), receive_any(control, data), which returns
    "control" or "data" and octets, close_data() and is_ipv6(). b"" is the end of a connection, a
    reset is a ConnectionResetError, a data connection that cannot be made an OSError.
    """

    is_announced = False

    def connect_again(self, step):
        """Connects for a second request of HTTP."""
        self.connect(step)

    def ending(self):
        """How the end of a connection is known: confirmed if TLS announced it."""
        return "confirmed" if self.is_announced else "unverified"

    def answer(self, prompt):
        """The user's octets for a prompt, or None."""
        return None

    def filled(self, piece):
        """The octets of a piece of a message (section 2)."""
        match piece:
            case {"secret": None}:
                raise PlanError("no-answer", "a secret is hidden")
            case {"secret": secret}:
                return octets(secret)
            case {"prompt": name, "forbidden": forbidden}:
                if (answer := self.answer(name)) is None:
                    raise PlanError("no-answer", name)
                if set(answer) & set(forbidden.encode()) or name == "form" and b"." in answer.splitlines():
                    raise PlanError("answer", repr(answer))
                return answer
            case {"fresh": "nonce"}:
                return base64.b64encode(self.nonce())
        return octets(piece)

    def nonce(self):
        return secrets.token_bytes(16)


class Run:
    """A plan that is carried out. `give` takes the octets of the object."""

    # 1. The plan.

    def __init__(self, plan, wire, give):
        self.plan, self.wire, self.give = plan, wire, give
        # Of the connection: its step, octets that were not used yet, and the largest packet.
        self.connected, self.unread, self.largest, self.protects_data = None, b"", LONGEST_PACKET, False
        self.sends, self.announced, self.attempted, self.said = 0, 0, None, ""
        # How the end is known, the announced length, the last answer of Prospero, and what is next.
        self.whole, self.length, self.attributes, self.list, self.next = "framed", None, b"", [], None

    def run(self):
        """Returns how the end of the object is known: framed, confirmed or unverified; or raises."""
        try:
            with suppress(Ended):
                self.take_all(self.plan["session"] + self.plan["work"])
        except OSError:
            raise
        except ValueError as error:
            raise PlanError("garbled", str(error)) from error
        return self.whole

    def take_all(self, steps):
        for step in steps:
            self.named("take", step["step"])(step)

    def named(self, what, name):
        """The method for a name in the plan; a plan with a name that is not known is refused."""
        if not hasattr(self, method := f"{what}_{name}".replace("-", "_")):
            raise PlanError("not-supported-here", f"{what} {name}")
        return getattr(self, method)

    # 2. Messages.

    def send(self, message):
        if message:
            self.sends += 1
            if self.sends > self.plan["most_sends"]:
                raise PlanError("unknown-plan", "it sends more than most_sends")
            self.wire.send(message)

    # 3. Steps: `connect`, and how replies are read on the connection.

    def take_connect(self, step):
        self.connected, self.unread = step, b""
        self.wire.connect(step)

    @property
    def replies(self):
        return self.connected["protocol"]["replies"]

    def framed(self):
        """Takes a reply from what was read, if it is all there: its code and text."""
        if self.replies == "packets":
            if (apdu := self.packet()) is None:
                return None
            code, self.largest, self.states_largest = init_response(apdu)
            return code, b""
        if self.replies not in FIRST_LINES:
            raise PlanError("not-supported-here", f"replies {self.replies}")
        *lines, _ = self.unread.replace(b"\r\n", b"\n").split(b"\n")
        if not lines:
            # What cannot become a code is not waited for.
            if self.replies != "head" and not re.match(rb"[1-6]|\Z", self.unread):
                raise PlanError("garbled", repr(self.unread))
            return None
        if not (found := re.match(FIRST_LINES[self.replies], lines[0])):
            raise PlanError("garbled", repr(lines[0]))
        last = {"line": rb"", "lines": found[1] + rb"(?: |\Z)", "head": rb"\Z"}[self.replies]
        count = next((i for i, line in enumerate(lines, 1) if re.match(last, line)), None)
        if count is None:
            return None
        self.unread = self.unread.split(b"\n", count)[count]
        return int(found[1]), b"\n".join(lines[:count])[found.end() :]

    # `exchange`, `receive`, `secure` and `secure-data`.

    def take_exchange(self, step):
        cases, then = list(step["cases"]), "retry"
        while then == "retry":
            self.send(step["send"])
            if not step["cases"]:
                return
            case = self.decided(self.reply(cases))
            then = self.follow(case)
            cases.remove(case)

    def take_receive(self, step):
        match target := step["object"]:
            case {"end": "nothing"}:
                self.whole = "framed"
            case {"kind": "form" | "dropped"}:
                self.object(target, lambda _: None)
            case {"kind": "attributes"} | {"end": "contents"}:
                self.prospero_answer(target)
            case _:
                self.whole = self.object(target, self.give)

    def take_secure(self, step):
        if self.unread:
            raise PlanError("injected", repr(self.unread))
        self.wire.secure(step["host"])

    def take_secure_data(self, _):
        self.protects_data = True

    # `transfer`.

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
        transferred = self.transferred(step["done"], restart["start"], step.get("length"))
        if transferred is None:
            self.whole = "framed"
            return
        done, count, is_announced = transferred
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

    def transferred(self, cases, count, wanted):
        """Reads both connections: the case of the reply, the length, and whether the end is known.

        None after as many octets as are wanted.
        """
        done, has_ended, is_announced, left = None, False, True, wanted
        while not (done and has_ended):
            if not done and (reply := self.whole_reply(cases)):
                done = self.decided(reply)
                continue
            channel, more = self.wire.receive_any(control=not done, data=not has_ended)
            if channel == "control":
                self.take_in(more)
                continue
            more = more[:left]
            self.give(more)
            count += len(more)
            if left is not None and not (left := left - len(more)):
                self.wire.close_data()
                if not done:
                    self.reply([{"on": {"class": digit}, "means": "sent", "then": "next"} for digit in (2, 4, 5)])
                return None
            if has_ended := not more:
                is_announced = not self.protects_data or self.wire.ending() == "confirmed"
                # Some servers send their reply only after the end of TLS from this side.
                self.wire.close_data()
        return done, count, is_announced

    # `upload`.

    def take_upload(self, step):
        self.open_data(step["ports"])
        self.send(step["command"]["send"])
        case = self.decided(self.reply(step["command"]["cases"]))
        if case["then"] != "next":
            self.wire.close_data()
            self.follow(case)
            return
        if self.protects_data:
            self.wire.secure_data()
        self.wire.send_data(step["object"]["kind"] == "text")
        self.wire.close_data()
        self.whole = "confirmed"
        self.follow(self.decided(self.reply(step["done"])))

    # `slices`.

    def take_slices(self, step):
        start, count, repeats, last, length = 0, 1, 0, None, step["length"] or 0
        room = self.largest - 100 - sum(piece.get("width") or len(octets(piece)) for piece in step["send"])
        first = size = min(step["slice"], room)
        if size < min(SHORTEST_SLICE, step["slice"]):
            raise PlanError("not-supported", "the server's answers are so short")
        while start < LAST_OFFSET and repeats < REPEATS and repeats * len(last or b"") < REPEATED:
            is_at_length = start == step["length"]
            end = min(start + (first if is_at_length else size), length if start < length else LAST_OFFSET)
            fresh = {"slice-start": start, "slice-end": end, "slice-number": count}
            self.send([{"text": f"{fresh[piece['fresh']]:010}"} if "fresh" in piece else piece for piece in step["send"]])
            try:
                answer = self.wais_answer(count)[0]
                text, is_last = answer.slice(start, end, is_at_length)
            except PlanError as error:
                if error.args[0] != "cut-off" or not is_at_length:
                    raise
                self.whole = "unverified"
                return
            if answer.text is not None and not is_same(answer.identifier, octets(step["identifier"])):
                raise PlanError("unexpected", "a part of another document")
            self.give(text)
            if is_last and not (end - start > first and text and answer.diagnostic is None):
                self.whole = "framed"
                return
            is_progress = answer.reference is not None or end <= length
            repeats, last = repeats + 1 if text == last and not is_progress else 0, text
            start, count = start + len(text), count + 1
            if self.states_largest and count == 2:
                size = max(size, room)
            elif is_last:
                size = first
        raise PlanError("no-progress" if repeats else "too-much")

    # `request`: also a login after 401, and the framing of the body (RFC 9112, 6.3).

    def take_request(self, step):
        self.send(step["head"])
        code, text, fields = self.head()
        if code == 401 and step["login"]:
            self.body(fields, code, lambda _: None)
            self.wire.connect_again(self.connected)
            *before, last = step["head"]
            self.wire.send([*before, *with_login(last, step["login"])])
            code, text, fields = self.head()
        if code // 100 == 3 and b"location" in fields:
            self.next = {"url": shown(fields[b"location"])}
            raise Ended
        if code // 100 != 2:
            raise PlanError(self.means(code, text), f"{code} {shown(text)}")
        self.whole = self.body(fields, code, self.give)

    def head(self):
        """The code, the text and the fields of a response."""
        while not (reply := self.framed()) or reply[0] // 100 == 1:
            if not reply:
                self.take_in(self.wire.receive())
        text, *lines = reply[1].split(b"\n")
        return reply[0], text, http_fields(lines[:-1])

    def body(self, fields, code, give):
        """Reads the body of a response; returns how its end is known."""
        if code in (204, 304):
            return "framed"
        if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
            while size := int(self.line().split(b";")[0], 16):
                self.counted(size, give)
                self.line()
            while self.line().strip():
                pass
            return "framed"
        if b"content-length" in fields:
            return self.counted(int(fields[b"content-length"]), give)
        return self.object({"end": "connection"}, give)

    # `go-on` and `local`.

    def take_go_on(self, step):
        if "url" in step:
            self.next = step
            raise Ended
        method = prospero_method(self.attributes, step["access_method"])
        self.list = step["list"]
        if method[0] in ("list", "PROSPERO-CONTENTS"):
            self.take_all(step["list" if method[0] == "list" else "contents"])
        else:
            self.next = {"access_method": method}
        raise Ended

    def take_local(self, step):
        self.named("local", step["what"])(step)

    def local_file(self, step):
        self.give(Path(os.fsdecode(octets(step["file"]))).read_bytes())

    def local_data(self, step):
        self.give(octets(step["data"]))

    # 4. Replies.

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
            raise PlanError(case["means"], self.said)
        if case["means"] == "length" and (length := re.match(rb"[ \t]*([0-9]+)", text)):
            self.length = int(length[1])
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
        case = fitting(self.connected["protocol"]["meanings"], code, text)
        return (case or {"means": "unexpected"})["means"]

    def take_in(self, more):
        if not more:
            raise PlanError("cut-off", repr(self.unread))
        self.unread += more
        if len(self.unread) > LONGEST_REPLY:
            raise PlanError("too-much")

    # 5. Objects.

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
            case "answer" if self.replies == "packets":
                answer, apdu = self.wais_answer()
                if answer.diagnostic is not None and not answer.hits:
                    raise answer.failure()
                give(apdu)
                return "framed"
            case "answer" if self.replies == "datagrams":
                return self.object({"end": "connection"}, give) and "framed"
        raise PlanError("not-supported-here", f"end {target['end']}")

    def more(self):
        """The octets that come next; b"" at the end."""
        more, self.unread = self.unread, b""
        return more or self.wire.receive()

    def counted(self, left, give):
        while left and (more := self.more()):
            give(more[:left])
            self.unread, left = more[left:], left - len(more[:left])
        if left:
            raise PlanError("cut-off", f"{left} octets are missing")
        return "framed"

    # 6. Named operations. Lines and dots.

    def line(self, limit=None):
        """The next line with its end, or what is there at the end of the connection or after `limit`."""
        line = b""
        while b"\n" not in line and not (limit and len(line) > limit) and (more := self.more()):
            line += more
        end = line.find(b"\n") + 1 or len(line)
        self.unread = line[end:] + self.unread
        return line[:end]

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

    # An error in place of an object of Gopher, and the first line of Gopher+.

    def refuse_menu_line(self, end):
        """What a server sends in place of the object is an error."""
        if not (line := self.line(ERROR_LINE)):
            raise PlanError("empty-reply")
        rest, fields = b"", line.rstrip(b"\r\n").split(b"\t")
        is_error = line[:1] == b"3" or line[:1] == b"0" and fields[2:3] == [b"error.host"]
        if len(line) <= ERROR_LINE and len(fields) > 3 and is_error:
            error = PlanError("missing", shown(fields[0][1:]))
            while b".\r\n".startswith(rest) or rest == b".\n":
                if end == "dot-or-connection" and rest.endswith(b"\n") or not (more := self.more()):
                    raise error
                rest += more
            if end == "dot-or-connection" and rest.startswith((b".\n", b".\r\n")):
                raise error
        self.unread = line + rest + self.unread

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

    # Packets of WAIS.

    def packet(self):
        """Takes the next packet from what was read, if it is all there."""
        apdu, self.unread = find_packet(self.unread, self.largest) or (None, self.unread)
        return apdu

    def wais_answer(self, reference=None):
        """The next answer, which may refer to this request, and its octets."""
        while (apdu := self.packet()) is None:
            if not (more := self.wire.receive()):
                raise PlanError("cut-off", repr(self.unread[:25]))
            self.unread += more
        answer = SearchResponse(apdu)
        if answer.reference is not None and (reference is None or int(answer.reference) != reference):
            raise PlanError("unexpected", shown(answer.reference))
        return answer, apdu

    # 8. Answers of Prospero.

    def prospero_answer(self, target):
        """Reads the attributes of an object, or its contents."""
        answer = bytearray()
        self.whole = self.object(target | {"end": "answer"}, answer.extend)
        if forwarded := refuse_answer(answer):
            self.next = {"forwarded": forwarded}
            raise Ended
        if target["kind"] == "attributes":
            self.attributes = answer
        elif [*prospero_lines(answer)] == [[b"NONE-FOUND"]]:
            self.take_all(self.list)
            raise Ended
        else:
            self.give(prospero_contents(answer))


# 3. Steps: a request of HTTP.


def http_fields(lines):
    """Names in lower case, and values; of several with a name the last."""
    named = (line.partition(b":")[::2] for line in lines)
    return {name.strip().lower(): value.strip() for name, value in named}


def with_login(piece, login):
    """The last piece of a head, with the field of a login (RFC 7617)."""
    user, password = (octets(login[key]["secret"]) for key in ("user", "password"))
    field = b"Authorization: Basic " + base64.b64encode(user + b":" + password) + b"\r\n\r\n"
    return {"text": piece["text"].removesuffix("\r\n")}, {"secret": {"text": field.decode()}}


# 4. Replies.


def fitting(entries, code, text):
    """The most exact entry for a reply, or None; of equally exact ones the first."""
    word = re.match(rb"[ \t]*([^ \t\r\n]*)", text)[1].decode("latin-1").lower()
    for wanted in {"code": code, "word": word}, {"code": code}, {"class": code // 100}:
        for entry in entries:
            on = entry["on"]
            if (on | {"word": on["word"].lower()} if "word" in on else on) == wanted:
                return entry
    return None


# 6. Named operations. The ports of 229 and 227.


def port_of_229(text):
    found = re.match(rb"[^(]*\(([!-/:-~])\1\1([0-9]+)\1\)", text)
    return int(found[2]) if found and 0 < int(found[2]) < 65536 else None


def port_of_227(text):
    for word in re.findall(rb"[0-9,]+", text):
        numbers = [int(digits or 256) for digits in word.split(b",")]
        if len(numbers) == 6 and max(numbers) < 256:
            return 256 * numbers[4] + numbers[5] or None
    return None


PORTS = {"EPSV": port_of_229, "PASV": port_of_227}

# Packets of WAIS: the header, the tag of a diagnostic, and what its codes mean.
HEADER = re.compile(rb"([0-9]{10})[zZ]2.{10}  .", re.DOTALL)
DIAGNOSTIC = 28
MEANINGS = {b"SF": "missing", b"S2": "busy", b"SV": "busy"}
MEANINGS |= dict.fromkeys([b"S3", b"SK", b"SL", b"SM", b"SO", b"SP", b"SQ", b"T3"], "not-supported")


def find_packet(read, limit):
    """The APDU of the first packet and what follows it; None if it is not all there."""
    start = read.find(b"0", 0, SKIPPED + 1)
    if start < 0 and len(read) > SKIPPED or start >= 0 and not read[start : start + 10].isdigit():
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


def wais_fields(read):
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


def divide(apdu, kind, fixed):
    """The octets of fixed length after the type of an APDU, and its fields."""
    length = 2 + number(apdu[:2])
    if apdu[2:3] != bytes([kind]) or not 3 + fixed <= length <= len(apdu):
        raise ValueError("not the expected response of WAIS")
    return apdu[3 : 3 + fixed], [*wais_fields(apdu[3 + fixed : length]), *wais_fields(apdu[length:])]


def init_response(apdu):
    """The result of Init, the limit of the server's messages, and whether it was stated."""
    result, found = divide(apdu, 0x15, 1)
    limit = max([number(value) for tag, value in found if tag in (5, 6)], default=0)
    return result[0], min(limit or LONGEST_PACKET, LONGEST_PACKET), limit > 0


class SearchResponse:
    """A response to a search: its reference, text, hits (values by tag), and first diagnostic."""

    def __init__(self, apdu):
        _, found = divide(apdu, 0x17, 10)
        found = [inner for tag, value in found for inner in (wais_fields(value) if tag == 99 else [(tag, value)])]
        first = {tag: value for tag, value in reversed(found)}
        self.reference, self.diagnostic = first.get(2), first.get(DIAGNOSTIC)
        self.hits = [dict(wais_fields(value)) for tag, value in found if tag in (150, 151, 152, 154)]
        if len(texts := [dict(wais_fields(value)) for tag, value in found if tag == 153]) > 1:
            raise ValueError("two parts of documents")
        self.identifier, self.text = b"", None
        for text in texts:
            self.identifier, self.text = text.get(116, b""), text.get(127, b"")
        self.code, self.words = (self.diagnostic or b"")[:2].upper(), (self.diagnostic or b"")[2:-1]

    def failure(self):
        return PlanError(MEANINGS.get(self.code, "refused"), shown(self.code + b" " + self.words))

    def slice(self, start, end, is_at_length):
        """The octets of a slice, and whether it is the last one (section 3, `slices`)."""
        text, ends_here = self.text or b"", self.diagnostic is not None
        if ends_here and not is_at_length:
            is_after_end = start or self.text is not None or self.words.lower().startswith(b"request out of range")
            if self.code != b"SF" or not is_after_end:
                raise self.failure()
        if len(text) > end - start or self.text is None and not start and not ends_here:
            raise ValueError("a slice has another length than was asked for")
        return text, ends_here or len(text) < end - start


def is_same(one, other):
    """Whether identifiers are those of one document; some servers send none."""
    if not one or not other or one == other:
        return True
    with suppress(ValueError):
        return [*wais_fields(one)] == [*wais_fields(other)]
    return False


# 7. ARDP.

PIECE = 1250
WINDOW = 16
# Seconds until something is sent again, and at last given up; how often a server may ask to wait.
WAITS = [2] + [4] * 14
REQUESTS_TO_WAIT = 100
PLEASE_ACKNOWLEDGE, HAS_NO_DATA = 0x80, 0x40


class Packet:
    """A packet of ARDP: the fields of its header, and its data."""

    def __init__(self, read):
        length = read[0] & 0x3F if read else 0
        if length < 3 or read[0] >> 6 or length > len(read):
            raise ValueError("not a packet of ARDP")
        header, self.data = read[:length], read[length:]
        self.connection = header[1:3]
        self.number, self.total, self.received, self.wait = (
            number(header[at : at + 2]) if length >= at + 2 else missing
            for at, missing in ((3, 1), (5, int(length < 5)), (7, 0), (9, 0))
        )
        self.flags, self.option = (header[at] if length > at else 0 for at in (11, 12))


def pieces_of(message):
    return [message[i : i + PIECE] for i in range(0, len(message), PIECE)] or [b""]


class Ardp:
    """A socket that looks like a connection: a message is sent, then its answer is received, then the end."""

    def __init__(self, host, port):
        self.family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        self.socket = socket.socket(self.family, kind)
        self.socket.connect(address)
        self.close = self.socket.close

    def sendall(self, message):
        self.connection, self.pieces = secrets.token_bytes(2), pieces_of(message)
        # What the server has, and the data of the answer by number.
        self.received, self.answer, self.total, self.failures, self.is_asked = 0, {}, None, 0, True
        self.send_pieces()

    def send(self, piece, more=b"", data=b""):
        numbers = piece, len(self.pieces) if piece else 0, 0 if piece else self.done()
        header = self.connection + b"".join(one.to_bytes(2, "big") for one in numbers) + more
        self.socket.send(bytes([1 + len(header)]) + header + data)

    def send_pieces(self):
        window = self.pieces[self.received : self.received + WINDOW]
        for piece, data in enumerate(window, self.received + 1):
            is_last = piece == self.received + len(window) < len(self.pieces)
            self.send(piece, b"\0\0" + bytes([PLEASE_ACKNOWLEDGE]) if is_last else b"", data)

    def send_again(self):
        self.failures += 1
        if self.failures == len(WAITS):
            raise TimeoutError("the server does not answer")
        self.send(0) if self.answer else self.send_pieces()

    def done(self):
        """All packets of the answer up to this number were received."""
        return next(done for done in range(len(self.answer) + 1) if done + 1 not in self.answer)

    def recv(self, _):
        """The whole answer, and afterwards nothing."""
        wait, requests = 0, 0
        if not self.is_asked:
            return b""
        while not self.total or self.done() < self.total:
            self.socket.settimeout(wait or WAITS[self.failures])
            try:
                packet = self.socket.recv(65535)
            except TimeoutError:
                wait = 0
                self.send_again()
                continue
            if asked := self.take(Packet(packet)):
                wait, requests = asked, requests + 1
                if requests > REQUESTS_TO_WAIT:
                    raise TimeoutError("the server asks to wait")
        self.is_asked = False
        return b"".join(self.answer[piece] for piece in range(1, self.total + 1))

    def take(self, packet):
        """Takes a packet; returns how long the server asks to wait."""
        if packet.connection not in (self.connection, self.connection[::-1]):
            return 0
        if packet.option in (1, 2):
            raise PlanError("refused" if packet.option == 1 else "broken", "ARDP")
        if packet.option in (4, 5):
            raise PlanError("not-supported-here", "another server")
        if packet.total and self.total not in (None, packet.total):
            raise PlanError("garbled", "the packets of the answer contradict each other")
        if self.received < packet.received <= len(self.pieces):
            self.received, self.failures = packet.received, 0
            if packet.received < len(self.pieces):
                self.send_pieces()
        if packet.number and not packet.flags & HAS_NO_DATA:
            self.total = packet.total or self.total
            if packet.number not in self.answer:
                self.answer[packet.number], self.failures = packet.data, 0
        if packet.flags & PLEASE_ACKNOWLEDGE:
            self.send(0)
        return packet.wait


# 8. Answers of Prospero.

FAILURES = {
    b"NOT-FOUND": "missing",
    b"NOT-A-DIRECTORY": "missing",
    b"AUTHENTICATION-REQUIRED": "need-login",
    b"SERVER-FAILED": "busy",
}
# In the order in which they are taken; only the last one leads to no other URL.
METHODS = [b"FTP", b"AFTP", b"GOPHER", b"WAIS", b"PROSPERO-CONTENTS"]
WORD = re.compile(rb"(?:'(?:[^']|'')*'|[^' \n])+|\n")


def prospero_lines(answer):
    """Yields the words of each line."""
    words = []
    for found in WORD.findall(answer + b"\n"):
        if found != b"\n":
            # Quoted parts and others without a space between them are one word.
            parts = re.findall(rb"'((?:[^']|'')*)'|([^']+)", found)
            words.append(b"".join(quoted.replace(b"''", b"'") or other for quoted, other in parts))
        elif words:
            yield words
            words = []


def refuse_answer(answer):
    """An answer that is a failure is an error; returns the server to which it leads, if it does."""
    for words in prospero_lines(answer):
        if words[0] == b"FAILURE":
            raise PlanError(FAILURES.get(b"".join(words[1:2]), "refused"), shown(answer))
        if words[0] in (b"ERROR", b"VERSION-NOT-SUPPORTED"):
            raise PlanError("not-supported", shown(answer))
        if words[0] == b"FORWARDED":
            return [*map(shown, words[1:])]
    return None


def prospero_attributes(answer):
    """Yields the name and the values of each attribute."""
    for words in prospero_lines(answer):
        if words[0] == b"ATTRIBUTE" and words[4:5] == [b"SEQUENCE"]:
            yield words[3], words[5:]


def prospero_contents(answer):
    parts = [values for name, values in prospero_attributes(answer) if name == b"CONTENTS"]
    if not parts or any(values[:1] != [b"DATA"] or len(values) < 2 for values in parts):
        raise PlanError("missing", "the answer has no contents")
    return b"".join(values[1] for values in parts)


def prospero_method(answer, access_method):
    """The words of the method that is taken: the first one in the order of the page, or `list`."""
    found = [*prospero_attributes(answer)]
    for wanted in access_method:
        name, value = octets(wanted["name"]), octets(wanted["value"])
        if not any(one == name and (value in values or value == b" ".join(values)) for one, values in found):
            raise PlanError("missing", f"{shown(name)} is not {shown(value)}")
    methods = [values for name, values in found if name == b"ACCESS-METHOD" and values]
    known = [values for values in methods if values[0] in METHODS]
    if methods and not known:
        raise PlanError("not-supported-here", str(methods))
    return [*map(shown, min(known, key=lambda one: METHODS.index(one[0]), default=[b"list"]))]


# The network, and the program.


class Network(Wire):
    """TCP and TLS, and ARDP over UDP."""

    def __init__(self, answers, ca=None, upload=None):
        self.answer, self.control, self.data, self.upload = answers.get, None, None, upload
        self.context = ssl.create_default_context(cafile=ca)
        # A session of TLS 1.3 comes too late for the first data connection.
        self.context.maximum_version = ssl.TLSVersion.TLSv1_2

    def connect(self, step):
        self.close()
        if step["transport"] == "udp":
            self.control = Ardp(step["host"], step["port"])
            return
        self.control = socket.create_connection((step["host"], step["port"]), PATIENCE)
        if step["transport"] == "tls":
            self.secure(step["host"])

    def secure(self, host):
        self.secured = partial(self.context.wrap_socket, server_hostname=host, suppress_ragged_eofs=False)
        self.control = self.secured(self.control)

    def connect_data(self, port):
        self.data = socket.create_connection((self.control.getpeername()[0], port), PATIENCE)

    def secure_data(self):
        self.data = self.secured(self.data, session=self.control.session)

    def send_data(self, is_text):
        """Sends the user's file."""
        sent = Path(self.upload).read_bytes()
        self.data.sendall(re.sub(rb"(?<!\r)\n", b"\r\n", sent) if is_text else sent)

    def close_data(self):
        if isinstance(self.data, ssl.SSLSocket):
            with suppress(OSError):
                self.data.unwrap()
        if self.data:
            self.data.close()
            self.data = None

    def close(self):
        self.close_data()
        if self.control:
            self.control.close()

    def is_ipv6(self):
        return self.control.family == socket.AF_INET6

    def send(self, message):
        self.control.sendall(b"".join(map(self.filled, message)))

    def receive(self, connection=None):
        connection = connection or self.control
        try:
            more = connection.recv(65536)
            self.is_announced = not more and isinstance(connection, ssl.SSLSocket)
            return more
        except ssl.SSLEOFError:
            return b""

    def receive_any(self, control, data):
        wanted = {"data": self.data} if data else {}
        wanted |= {"control": self.control} if control else {}
        ready = [one for one in wanted.values() if isinstance(one, ssl.SSLSocket) and one.pending()]
        ready = ready or select.select(list(wanted.values()), [], [], PATIENCE)[0]
        if not ready:
            raise TimeoutError("nothing happened")
        name = next(name for name, one in wanted.items() if one is ready[0])
        return name, self.receive(ready[0])


# What a server says (section 4).
SAID = """
need-password need-account need-login need-mode missing wrong-login refused busy not-supported no-tls broken
""".split()


def plan_of(arguments, locator=LOCATOR, upload=None):
    verb = ["get", "--plan", "-T", upload] if upload else ["plan"]
    asked = subprocess.run([locator, *verb, "--json", "--show-secrets", *arguments], capture_output=True)
    if not asked.stdout:
        raise PlanError("no-plan", asked.stderr.decode())
    line = json.loads(asked.stdout)
    if "plan" not in line:
        raise PlanError("no-plan", line["error"]["message"])
    return line["plan"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ca")
    parser.add_argument("--answer", action="append", default=[])
    parser.add_argument("--locator", default=LOCATOR)
    parser.add_argument("--upload")
    options, arguments = parser.parse_known_args()
    answers = {"email": "guest@"} | dict(answer.split("=", 1) for answer in options.answer)
    wire = Network({name: answer.encode() for name, answer in answers.items()}, options.ca, options.upload)
    try:
        run = Run(plan_of(arguments, options.locator, options.upload), wire, sys.stdout.buffer.write)
        whole = run.run()
    except (PlanError, OSError) as error:
        print(f"run_plan: {error}", file=sys.stderr)
        return 1 if error.args[0] in SAID else 2
    finally:
        wire.close()
        sys.stdout.flush()
    print(f"run_plan: {run.next or whole}", file=sys.stderr)
    return 1 if run.next else 0


if __name__ == "__main__":
    sys.exit(main())
