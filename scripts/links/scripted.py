"""A server on 127.0.0.1 that answers as a function says, and counts what it was asked.

The function gets a `Request` and returns the octets of a response, or does something else with the stream
and returns None, which ends the connection.
"""

import socket
import ssl
import threading
from collections import Counter
from contextlib import suppress


class Request:
    """A request of HTTP: method, target and headers, with the stream that it came from."""

    def __init__(self, method, target, headers, stream):
        self.method, self.target, self.headers, self.stream = method, target, headers, stream


def response(status, *headers, body=b"", length=None, reason="Status"):
    """Returns the octets of a response; `body` is bytes or a text of HTML."""
    if isinstance(body, str):
        headers, body = [*headers, "Content-Type: text/html"], body.encode()
    sized = status >= 200 and status not in (204, 304)
    fields = [*headers, *([f"Content-Length: {len(body) if length is None else length}"] if sized else [])]
    return "\r\n".join([f"HTTP/1.1 {status} {reason}", *fields, "", ""]).encode() + body


def redirect(status, to, *headers):
    return response(status, f"Location: {to}", *headers)


def without_body(octets):
    """Returns the heads of the responses, as they are for HEAD: those before the last have a status 1xx."""
    start = 0
    while octets.startswith(b"HTTP/1.1 1", start) and b"\r\n\r\n" in octets[start:]:
        start = octets.index(b"\r\n\r\n", start) + 4
    end = octets.find(b"\r\n\r\n", start)
    return octets if end < 0 else octets[: end + 4]


class Server:
    """A server that runs until the process ends, or `close`."""

    def __init__(self, answer, host="127.0.0.1", certificate=None, port=0, context=None):
        self.answer, self.counts, self.lock = answer, Counter(), threading.Lock()
        self.connections, self.open, self.most_open = 0, 0, 0
        # How many requests are answered at the same time at most.
        self.running, self.most_running = 0, 0
        self.context = context
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.create_server((host, port), family=family, backlog=4096)
        self.port = self.listener.getsockname()[1]
        name = f"[{host}]" if ":" in host else host
        self.base = f"{'https' if self.context else 'http'}://{name}:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self, path):
        return self.base + path

    def close(self):
        self.listener.close()

    def accept(self):
        with suppress(OSError):
            while True:
                stream, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=[stream], daemon=True).start()

    def count(self, name, change):
        with self.lock:
            now = getattr(self, name) + change
            setattr(self, name, now)
            setattr(self, f"most_{name}", max(now, getattr(self, f"most_{name}")))

    def serve(self, stream):
        self.count("open", 1)
        with self.lock:
            self.connections += 1
        with suppress(OSError, ValueError), stream:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.context:
                stream = self.context.wrap_socket(stream, server_side=True)
            with stream, stream.makefile("rb") as file:
                while self.one(file, stream):
                    pass
        self.count("open", -1)

    def one(self, file, stream):
        """Answers a request; returns whether another may follow."""
        line = file.readline().decode("latin-1").split()
        if len(line) != 3:
            return False
        headers = {}
        while field := file.readline().decode("latin-1").strip():
            name, _, value = field.partition(":")
            headers[name.lower()] = value.strip()
        with self.lock:
            self.counts[line[0], line[1]] += 1
        self.count("running", 1)
        try:
            octets = self.answer(Request(line[0], line[1], headers, stream))
            if octets is None:
                return False
            stream.sendall(without_body(octets) if line[0] == "HEAD" else octets)
            return b"Connection: close" not in octets
        finally:
            self.count("running", -1)

    def asked(self, target):
        """Returns how often a target was asked for, by each method."""
        with self.lock:
            return {method: count for (method, path), count in self.counts.items() if path == target}


def closed_port(host="127.0.0.1"):
    """Returns a port at which nobody listens: a socket has it that does not."""
    kept = socket.socket()
    kept.bind((host, 0))
    KEPT.append(kept)
    return kept.getsockname()[1]


KEPT = []
