"""Whois: one name."""

from . import files


def ask(server, listed):
    with files.connect(server, listed["ca"]) as connection:
        connection.sendall(b"joe\r\n")
        answer = files.read_all(connection)
    assert b"Test Institute" in answer and b"caf\xe9\r\n" in answer, answer
    return "joe"
