"""ARDP: a message and its answer as datagrams, as spec/plan.md defines it."""

import secrets
import socket

from plans import PlanError

PIECE = 1250
WINDOW = 16
# Seconds until something is sent again, and at last given up; how often a server may ask to wait.
WAITS = [4, 8, 16, 32]
REQUESTS_TO_WAIT = 100
PLEASE_ACKNOWLEDGE, HAS_NO_DATA = 0x80, 0x40


class Packet:
    """A packet: the fields of its header, and its data."""

    def __init__(self, octets):
        length = octets[0] & 0x3F if octets else 0
        if length < 3 or octets[0] >> 6 or length > len(octets):
            raise ValueError("not a packet of ARDP")
        header, self.data = octets[:length], octets[length:]
        self.connection = header[1:3]
        self.number, self.total, self.received, self.wait = (
            int.from_bytes(header[at : at + 2], "big") if length >= at + 2 else missing
            for at, missing in ((3, 1), (5, int(length < 5)), (7, 0), (9, 0))
        )
        self.flags, self.option = (header[at] if length > at else 0 for at in (11, 12))


def pieces_of(message):
    return [message[i : i + PIECE] for i in range(0, len(message), PIECE)] or [b""]


class Ardp:
    """What looks like a connection: a message is sent, then its answer is received, then the end."""

    def __init__(self, host, port):
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        self.socket, self.family = socket.socket(family, kind, protocol), family
        self.socket.connect(address)

    def close(self):
        self.socket.close()

    def sendall(self, message):
        self.number = secrets.token_bytes(2)
        self.pieces = pieces_of(message)
        # What the server has, and the data of the answer by number.
        self.received, self.answer, self.total, self.failures = 0, {}, None, 0
        self.is_asked = True
        self.send_pieces()

    def send(self, number, more=b"", data=b""):
        total = len(self.pieces) if number else 0
        done = 0 if number else self.done()
        numbers = b"".join(one.to_bytes(2, "big") for one in (number, total, done))
        self.socket.send(bytes([9 + len(more)]) + self.number + numbers + more + data)

    def send_pieces(self):
        window = self.pieces[self.received : self.received + WINDOW]
        for number, piece in enumerate(window, self.received + 1):
            is_last = number == self.received + len(window) < len(self.pieces)
            self.send(number, b"\0\0" + bytes([PLEASE_ACKNOWLEDGE]) if is_last else b"", piece)

    def send_again(self):
        self.failures += 1
        if self.failures == len(WAITS):
            raise TimeoutError("the server does not answer")
        self.send(0) if self.answer else self.send_pieces()

    def done(self):
        """All packets of the answer up to this number were received."""
        return next(number for number in range(len(self.answer) + 1) if number + 1 not in self.answer)

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
            if asked := self.take(packet):
                wait, requests = asked, requests + 1
                if requests > REQUESTS_TO_WAIT:
                    raise TimeoutError("the server asks to wait")
        self.is_asked = False
        return b"".join(self.answer[number] for number in range(1, self.total + 1))

    def take(self, octets):
        """Takes a packet; returns how long the server asks to wait."""
        packet = Packet(octets)
        if packet.connection not in (self.number, self.number[::-1]):
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
