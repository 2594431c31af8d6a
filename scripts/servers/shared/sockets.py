"""The addresses that processes listen on, from /proc."""

import os
import socket

LISTENS = "0A"
# 127.0.0.1, 127.0.0.53 and the like, in the byte order of /proc.
LOOPBACK = "7F"


def sockets_of(processes):
    """The inodes of the sockets that `processes` have open."""
    for process in processes:
        try:
            for descriptor in os.scandir(f"/proc/{process}/fd"):
                target = os.readlink(descriptor.path)
                if target.startswith("socket:["):
                    yield target[8:-1]
        except (FileNotFoundError, ProcessLookupError):
            continue


def waiting(processes):
    """Where `processes` take connections or datagrams: protocol, address as in /proc, port."""
    inodes = set(sockets_of(processes))
    for protocol in "tcp", "tcp6", "udp", "udp6":
        with open(f"/proc/net/{protocol}") as table:
            rows = [line.split() for line in table][1:]
        for row in rows:
            if row[9] in inodes and (row[3] == LISTENS or protocol.startswith("udp")):
                address, _, port = row[1].partition(":")
                yield protocol, address, int(port, 16)


def elsewhere(processes):
    """Addresses other than 127.* on which `processes` take connections or datagrams."""
    for protocol, address, port in waiting(processes):
        if not address.endswith(LOOPBACK):
            yield f"{protocol} {readable(address)}:{port}"


def listens(processes, port):
    """Whether one of `processes` takes connections or datagrams on this port."""
    return any(protocol in ("tcp", "udp") and at == port for protocol, _, at in waiting(processes))


def readable(address):
    """An address of /proc, which has words of 32 bits in the machine's byte order, as it is written."""
    words = [bytes.fromhex(address[at : at + 8])[::-1] for at in range(0, len(address), 8)]
    octets = b"".join(words)
    return socket.inet_ntop(socket.AF_INET if len(octets) == 4 else socket.AF_INET6, octets)
