"""Programs and servers on this machine, for scripts: the built command, Debian's servers, web servers in Python,
certificates.
"""

import json
import os
import shutil
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVERS = ROOT / "target/servers"
sys.path.insert(0, str(ROOT / "scripts/servers"))
import shared  # noqa: E402 (in scripts/servers)


def command(arguments):
    """Returns the path of the built command: the first argument, if there is one, or target/debug/locator."""
    return str(Path(arguments[0] if arguments else ROOT / "target/debug/locator").resolve())


def short(value, length=90):
    text = repr(value)
    return text if len(text) < length else f"{text[:length]}…"


@contextmanager
def running(name):
    """Starts a server of scripts/servers, which runs at least until the context ends; yields its entry in
    servers.json, or None if it does not start.
    """
    with shared.use():
        start = [ROOT / "scripts/servers/start", "--while-used", name]
        is_started = os.environ.get("LOCATOR_NO_SERVERS") != "1" and subprocess.run(start, capture_output=True).returncode == 0
        yield json.loads((SERVERS / "run/servers.json").read_text())["servers"][name] if is_started else None


def daemon(name):
    """Returns the path of a server's program, and the environment that it needs: that of scripts/servers, or one
    on the PATH.
    """
    own = SERVERS / "system"
    program = shutil.which(name, path=f"{own}/usr/sbin:{os.environ['PATH']}:/usr/sbin")
    if program is None:
        sys.exit(f"{name} is missing: scripts/servers/install")
    libraries = ":".join(str(path) for path in own.glob("usr/lib/*-linux-gnu*"))
    return program, {**os.environ, "LD_LIBRARY_PATH": libraries}


def free_ports(number):
    """Returns ports that nobody had a moment ago."""
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def start_daemon(name, arguments, port, log=None):
    """Starts a server's program; returns it when it accepts connections."""
    program, environment = daemon(name)
    process = subprocess.Popen([program, *map(str, arguments)], env=environment, stderr=log)
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return process
        except ConnectionRefusedError:
            time.sleep(0.01)
    sys.exit(f"{name} did not start; it needs root")


def certify(folder, hosts="DNS:localhost,IP:127.0.0.1", options=()):
    """Writes a certificate that is signed by itself: the files `certificate` and `key`."""
    names = ["-subj", "/CN=localhost", "-addext", f"subjectAltName={hosts}", *options, "-days", "2"]
    keys = ["-nodes", "-newkey", "rsa:2048", "-keyout", Path(folder) / "key", "-out", Path(folder) / "certificate"]
    subprocess.run(["openssl", "req", "-x509", *names, *keys], check=True, capture_output=True)


class Answers(BaseHTTPRequestHandler):
    """A handler of requests that says only what it is told to."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "test", ""

    def log_message(self, *_):
        pass

    def say(self, status, body, length=None, **fields):
        """Sends a response; "_" in the names of header fields is "-"."""
        self.send_response(status)
        if status != 304:
            self.send_header("Content-Length", str(length or len(body)))
        for name, value in {"Content_Type": "text/plain", **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD" and status != 304:
            self.wfile.write(body)


class WebServer(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client may end a connection when it likes."""


def serve(handler, certificate=None, clients=None):
    """Starts a web server, with TLS if there is a certificate (the files of certificate and key); returns its
    port. `clients` is the authority of the certificates that clients must have.
    """
    server = WebServer(("127.0.0.1", 0), handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        if clients:
            context.load_verify_locations(clients)
            context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]
