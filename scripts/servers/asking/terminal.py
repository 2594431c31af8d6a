"""Telnet, rlogin and TN3270: what a terminal is asked first, and a login, also by a real client."""

import fcntl
import os
import select
import socket
import struct
import subprocess
import termios
import time

from . import files

IAC, WILL, DO, WONT, DONT = 0xFF, 0xFB, 0xFD, 0xFC, 0xFE


class Terminal:
    """A client in a terminal of its own, of 24 lines and 80 columns."""

    def __init__(self, server, *arguments):
        self.ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = ["setsid", "--ctty", server["client"], *arguments]
        environment = os.environ | {"TERM": "xterm"}
        self.client = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.kill()
        self.client.wait()
        os.close(self.ours)

    def say(self, line):
        os.write(self.ours, line + b"\r")

    def wait_for(self, wanted):
        """Reads until the client has shown `wanted`."""
        shown, end = b"", time.monotonic() + files.PATIENCE
        while wanted not in shown and time.monotonic() < end:
            if select.select([self.ours], [], [], 0.1)[0]:
                shown += os.read(self.ours, 4096)
        assert wanted in shown, shown


def ask_telnet(server, listed):
    """Refuses every option, then logs in."""
    with files.connect(server, listed["ca"]) as connection:
        read = bytearray()
        while b"login: " not in read:
            more = connection.recv(4096)
            assert more, read
            connection.sendall(refusals(more))
            read += more
        connection.sendall(b"joe\r\n")
        files.read_until(connection, b"Password: ")
        connection.sendall(b"secret\r\n")
        files.read_until(connection, b"Welcome joe")
    with Terminal(server, server["host"], str(server["port"])) as terminal:
        terminal.wait_for(b"login: ")
        terminal.say(b"joe")
        terminal.wait_for(b"Password: ")
        terminal.say(b"secret")
        terminal.wait_for(b"Welcome joe")
    return "two logins"


def refusals(octets):
    answers = {WILL: DONT, DO: WONT}
    commands = (octets[at : at + 3] for at in range(len(octets) - 2) if octets[at] == IAC)
    return b"".join(bytes([IAC, answers[command], option]) for _, command, option in commands if command in answers)


def ask_rlogin(server, listed):
    """Enters from a port below 1024, which only root can have."""
    for port in range(1023, 600, -1):
        try:
            source = ("127.0.0.1", port)
            connection = socket.create_connection((server["host"], server["port"]), files.PATIENCE, source)
            break
        except OSError:
            continue
    with connection:
        # What the server sends urgently is read in its place.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
        connection.sendall(b"\0root\0joe\0xterm/9600\0")
        read = files.read_until(connection, b"Welcome joe")
    assert read.startswith(b"\0"), read
    with Terminal(server, "-p", str(server["port"]), "-l", "jim", server["host"]) as terminal:
        terminal.wait_for(b"Password: ")
        terminal.say(b"secret")
        terminal.wait_for(b"Welcome jim")
    return "two logins"


def ask_tn3270(server, listed):
    """The server asks for the terminal type first (RFC 1576)."""
    with files.connect(server, listed["ca"]) as connection:
        began = connection.recv(3)
    assert began == bytes([IAC, DO, 24]), began
    with Terminal(server, f"{server['host']}:{server['port']}") as terminal:
        terminal.wait_for(b"Hercules")
    return "the logo"
