#!/usr/bin/env python3
"""Checks that a recording of scripts/servers/record-proxy is one path through a plan, octet by octet.

    scripts/modules/wire_is_plan.py RECORDING PLAN    PLAN is a line of `locator plan --json --show-secrets`

scripts/modules/run_plan.py carries out the plan, with the recorded server in place of a network. Each
message of the plan must be what the client sent next, may have been sent only after the reply that it
follows, and the client must have sent nothing else and opened no other connection. What fills a hole
may be anything that the plan allows. A client that ended early sent the beginning of a path; then the
exit status is 0 only with --beginning. After TLS begins the client must have sent nothing but TLS; what
is in it cannot be checked, and the output says so.
"""

import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import run_plan  # noqa: E402 (the directory of this script is where it is)

# Fields that a client may add or leave out: they do not change what is asked for.
OWN_FIELDS = b"accept", b"accept-encoding", b"connection", b"user-agent"
# The head of a record of TLS: a type, a version, a length; and the type of the first.
HANDSHAKE = 0x16
RECORD = re.compile(rb"[\x14-\x17]\x03[\x00-\x04]..", re.DOTALL)


class WrongError(Exception):
    """The recording is not a path of the plan."""


class CutError(Exception):
    """The recording ends before the path does."""


class EncryptedError(Exception):
    """What follows is encrypted."""


class Recording(run_plan.Wire):
    """A wire that answers as the recorded server did, and compares what is sent."""

    def __init__(self, recorded):
        self.connections, self.events = recorded["connections"], recorded["events"]
        for event in self.events:
            event["octets"] = bytes.fromhex(event.get("octets", ""))
        self.control = self.data = None
        self.taken, self.opened, self.ended = set(), set(), set()
        # The latest event that the client must have seen before it goes on, and octets it sent that belong
        # to its next message.
        self.seen, self.rest = -1, b""

    # What run_plan.py asks for.

    def connect(self, step):
        self.rest_is_empty()
        mains = [one for one in self.connections if one["role"] == "main" and one["id"] not in self.opened]
        if not mains:
            raise CutError("no connection")
        if step["port"] not in (mains[0]["port"], mains[0]["server_port"]):
            raise WrongError(f"port {mains[0]['port']} is connected to, not {step['port']}")
        self.control = self.open(mains[0]["id"])
        if step["transport"] == "tls":
            raise EncryptedError
        self.is_udp, self.request = step["transport"] == "udp", None

    def connect_again(self, step):
        """A client of HTTP may ask again on the same connection."""
        if any(one["id"] not in self.opened for one in self.connections):
            self.connect(step)

    def connect_data(self, port):
        found = [one["id"] for one in self.connections if one["role"] == "data" and one["port"] == port]
        if not found:
            # The client could not connect, or has ended; what it sent next decides.
            raise ConnectionRefusedError
        self.data = self.open(found[0])

    def secure(self, _):
        raise EncryptedError

    def close_data(self):
        self.data = None

    def is_ipv6(self):
        return False

    def send(self, message):
        if self.is_udp:
            self.send_datagrams(b"".join(map(run_plan.octets, message)))
            return
        pattern = re.compile(b"".join(map(pattern_of, message)), re.DOTALL)
        octets, self.rest = self.rest, b""
        while not (found := pattern.match(octets) or same_request(octets, message)):
            index, event = self.next(self.control, "client")
            if event is None or event["what"] in ("fin", "reset"):
                raise (WrongError if octets else CutError)(f"{octets} is sent, not {shown(message)}")
            if index < self.seen:
                raise WrongError(f"{event['octets']} is sent before the reply that it follows")
            self.take(index)
            octets += event["octets"]
        self.rest = octets[found.end() :]

    def send_datagrams(self, planned):
        """The packets with the number of the next request are its pieces, perhaps again, or acknowledgements."""
        index, event = self.next(self.control, "client")
        if event is None:
            raise CutError("nothing is sent")
        if index < self.seen:
            raise WrongError(f"{event['octets']} is sent before the answer that it follows")
        self.request, pieces, sent = event["octets"][1:3], run_plan.pieces_of(planned), set()
        for index, packet in self.packets("client"):
            expected = (len(pieces), pieces[packet.number - 1]) if 0 < packet.number <= len(pieces) else (0, b"")
            if (packet.total, packet.data) != expected:
                raise WrongError(f"{packet.data} is sent, not {expected[1]}")
            sent.add(packet.number)
            self.take(index)
        if not sent.issuperset(range(1, len(pieces) + 1)):
            raise CutError("a piece of the request is not sent")

    def packets(self, side):
        """The packets of the present request, with their indexes."""
        for index, event in enumerate(self.events):
            if (event["connection"], event["from"]) != (self.control, side) or index in self.taken or not event["octets"]:
                continue
            packet = run_plan.Packet(event["octets"])
            if packet.connection in (self.request, self.request[::-1]):
                yield index, packet

    def receive_datagrams(self):
        """The answer to the present request, and afterwards nothing."""
        answer, total = {}, None
        for index, packet in [*self.packets("server")] if self.request else []:
            self.take(index)
            if packet.option in (1, 2, 4, 5):
                raise ConnectionResetError("the server does not answer the request")
            if packet.number and not packet.flags & run_plan.HAS_NO_DATA and len(answer) != total:
                answer[packet.number], total = packet.data, packet.total or total
                self.seen = index
        if len(answer) != total and self.request:
            raise CutError("the server sent nothing more")
        self.request = None
        return b"".join(data for _, data in sorted(answer.items()))

    def receive(self):
        if self.is_udp:
            return self.receive_datagrams()
        return self.receive_any(control=True, data=False)[1]

    def receive_any(self, control, data):
        wanted = {"control": self.control} if control else {}
        wanted |= {"data": self.data} if data else {}
        found = [(*self.next(connection, "server"), name) for name, connection in wanted.items()]
        found = [one for one in found if one[1]]
        if not found:
            # An end may be read more than once.
            if ended := [name for name, connection in wanted.items() if connection in self.ended]:
                return ended[0], b""
            raise CutError("the server sent nothing more")
        index, event, name = min(found, key=lambda one: one[0])
        self.take(index)
        self.seen = max(self.seen, index)
        if event["what"] == "fin":
            self.ended.add(event["connection"])
        # The client was connected to the proxy, which broke off when the server refused it.
        if event["what"] in ("reset", "refused"):
            raise ConnectionResetError("the server broke the connection")
        return name, event["octets"]

    # The events.

    def open(self, number):
        self.opened.add(number)
        index, event = self.next(number, "client")
        if event is None or event["what"] != "open" or index < self.seen:
            raise WrongError(f"connection {number} was opened before the reply with its port")
        self.take(index)
        return number

    def next(self, connection, side):
        """The first event of one side of a connection that was not taken, with its index."""
        for index, event in enumerate(self.events):
            if index not in self.taken and (event["connection"], event["from"]) == (connection, side):
                return index, event
        return None, None

    def take(self, index):
        self.taken.add(index)

    def rest_is_empty(self):
        if self.rest:
            raise WrongError(f"{self.rest} is sent too much")

    def more(self):
        """What else the client did, as events with their index."""
        for index, event in enumerate(self.events):
            is_more = event["from"] == "client" and event["what"] in ("open", "octets")
            if index not in self.taken and is_more:
                yield index, event

    def nothing_more(self):
        """The client sent nothing but the messages of the plan."""
        self.rest_is_empty()
        for _, event in self.more():
            raise WrongError(f"{event['what']} {event['octets']} is not of the plan")

    def only_tls(self):
        """All that the client did after the messages of the plan is to send records of TLS (RFC 8446, 5.1)."""
        self.rest_is_empty()
        octets = b""
        for index, event in self.more():
            if event["what"] == "open" or event["connection"] != self.control:
                raise WrongError(f"{event['what']} {event['octets']} is not of the plan")
            if index < self.seen:
                raise WrongError("TLS begins before the reply that it follows")
            octets += event["octets"]
        if octets and octets[0] != HANDSHAKE:
            raise WrongError(f"{octets} is sent in place of TLS")
        while octets:
            if not RECORD.match(octets):
                raise WrongError(f"{octets} is sent in the clear")
            octets = octets[5 + int.from_bytes(octets[3:5]) :]


def same_request(sent, message):
    """A match of the head of a request of HTTP, if the client sent it: it may have fields of its own."""
    known = [piece.get("secret", piece) for piece in message if "text" in piece or "secret" in piece]
    planned = b"".join(map(run_plan.octets, known))
    end = sent.find(b"\r\n\r\n") + 4
    if end < 4 or not re.match(rb"[A-Z]+ [^ ]+ HTTP/1\.1\r\n", planned):
        return None
    return re.match(rb"(?s).{%d}" % end, sent) if asks_for(sent[:end]) == asks_for(planned) else None


def asks_for(head):
    """What the head of a request asks for: its first line, and all fields that matter."""
    line, *lines = head.rstrip(b"\r\n").split(b"\r\n")
    fields = run_plan.http_fields(lines)
    return line, {name: value for name, value in fields.items() if name not in OWN_FIELDS}


def pattern_of(piece):
    """A regular expression of bytes for a piece of a message."""
    match piece:
        case {"secret": None}:
            raise WrongError("the plan hides a secret: make it with --show-secrets")
        case {"secret": secret}:
            return re.escape(run_plan.octets(secret))
        case {"prompt": _, "forbidden": forbidden}:
            return b"[^" + re.escape(forbidden.encode()) + b"]*"
        case {"fresh": "nonce", "width": width}:
            return rb"[A-Za-z0-9+/=]{%d}" % width
        case {"fresh": _, "width": width}:
            return rb"[0-9]{%d}" % width
    return re.escape(run_plan.octets(piece))


def shown(message):
    return " ".join(next(f"({key})" if key != "text" else repr(value) for key, value in piece.items()) for piece in message)


def check(recorded, plan):
    """Returns what the path is: whole, cut or encrypted; and how the plan ended."""
    wire = Recording(recorded)
    run = run_plan.Run(plan, wire, lambda octets: None)
    try:
        path = "whole", run.run()
    except EncryptedError:
        wire.only_tls()
        return "encrypted", None
    except CutError as error:
        path = "cut", str(error)
    except (run_plan.PlanError, OSError) as error:
        path = "whole", str(error)
    wire.nothing_more()
    return path


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--beginning"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    recorded, line = (json.loads(Path(file).read_text()) for file in arguments)
    try:
        path, ended = check(recorded, line["plan"])
    except WrongError as error:
        print(f"wire_is_plan: {error}")
        return 1
    print(f"wire_is_plan: {path}, {ended}")
    return 1 if path == "cut" and "--beginning" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
