"""Telnet, rlogin and TN3270: what a terminal is asked first, and a login."""

import socket

from . import files

IAC, WILL, DO, WONT, DONT = 0xFF, 0xFB, 0xFD, 0xFC, 0xFE


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
    return "a login"


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
    return "a login"


def ask_tn3270(server, listed):
    """The server asks for the terminal type first (RFC 1576)."""
    with files.connect(server, listed["ca"]) as connection:
        began = connection.recv(3)
    assert began == bytes([IAC, DO, 24]), began
    return "a terminal type"
