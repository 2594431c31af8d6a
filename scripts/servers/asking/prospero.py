"""Prospero: the access methods of a file, in several datagrams of which some are lost or late."""

import socket


def header(connection, number, total, received):
    return b"\x09" + b"".join(field.to_bytes(2) for field in (connection, number, total, received))


def answer(wire, connection, request):
    """Sends a request in one packet, and reads the answer."""
    wire.send(header(connection, 1, 1, 0) + request)
    packets, total = {}, None
    while total is None or len(packets) < total:
        try:
            datagram = wire.recv(65536)
        except TimeoutError:
            received = next(number for number in range(65536) if number + 1 not in packets)
            wire.send(header(connection, 0, 0, received))
            continue
        if int.from_bytes(datagram[1:3]) != connection:
            # Of an earlier answer.
            continue
        length = datagram[0] & 63
        number = int.from_bytes(datagram[3:5]) if length > 3 else 1
        total = (int.from_bytes(datagram[5:7]) if length > 5 else number == 1) or total
        packets[number] = datagram[length:]
        assert len(packets) < 1000, "no end"
    return b"".join(packets[number] for number in sorted(packets))


def ask(server, listed):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        wire.settimeout(1)
        wire.connect(("127.0.0.1", server["port"]))
        methods = answer(wire, 0x4141, b"GET-OBJECT-INFO ACCESS-METHOD+SIZE ASCII AFTP/etc/motd 0\n").decode()
        if server["name"] == "prospero-contents":
            expected = "PROSPERO-CONTENTS"
        else:
            expected = f"127.0.0.1'({listed['servers']['vsftpd']['port']})' ASCII '/etc/motd' BINARY"
        assert expected in methods, methods
        links = answer(wire, 0x4242, b"DIRECTORY ASCII AFTP/etc\nLIST '' COMPONENTS\n").decode()
        assert "LINK  L FILE motd " in links, links
    return "a file and a directory"
