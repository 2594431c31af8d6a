"""DICT and finger: a definition, and a user."""

from . import files


def ask_dict(server, listed):
    with files.connect(server, listed["ca"]) as connection:
        files.read_until(connection, b"220 ")
        connection.sendall(b'DEFINE few "a."\r\nQUIT\r\n')
        answer = files.read_all(connection)
    assert b'151 "a."' in answer and b"\r\n..\r\nb\r\n" in answer, answer
    return "a definition"


def ask_finger(server, listed):
    with files.connect(server, listed["ca"]) as connection:
        connection.sendall(b"joe\r\n")
        answer = files.read_all(connection)
    assert b"Login: joe" in answer and b"No plan." in answer, answer
    return "joe"
