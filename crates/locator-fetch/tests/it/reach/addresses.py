"""Gives the loopback interface of this network namespace addresses, and runs a program in it.

usage: addresses.py ADDRESS… -- PROGRAM ARGUMENT…

Needs nothing but the kernel: no `ip`.
"""

import errno
import fcntl
import os
import socket
import struct
import sys

SIOCGIFFLAGS, SIOCSIFFLAGS = 0x8913, 0x8914
SIOCSIFADDR, SIOCSIFNETMASK = 0x8916, 0x891C
IFF_UP = 1


def address_of(name, octets):
    """Returns a struct ifreq with a name and an IPv4 address."""
    return struct.pack("16sHH4s8x", name.encode(), socket.AF_INET, 0, octets)


def wait_for(address):
    """Waits until an IPv6 address can be bound: the kernel checks for duplicates first."""
    while True:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            try:
                return probe.bind((address, 0))
            except OSError as error:
                if error.errno != errno.EADDRNOTAVAIL:
                    raise
        os.sched_yield()


def main():
    addresses = sys.argv[1 : sys.argv.index("--")]
    program = sys.argv[sys.argv.index("--") + 1 :]
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as four,
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as six,
    ):
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(four, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(four, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))
        for number, address in enumerate(addresses):
            if ":" in address:
                # struct in6_ifreq: the address, the length of its prefix, the interface.
                octets = socket.inet_pton(socket.AF_INET6, address)
                fcntl.ioctl(six, SIOCSIFADDR, struct.pack("=16sIi", octets, 128, socket.if_nametoindex("lo")))
            else:
                name = f"lo:{number}"
                fcntl.ioctl(four, SIOCSIFADDR, address_of(name, socket.inet_aton(address)))
                fcntl.ioctl(four, SIOCSIFNETMASK, address_of(name, b"\xff" * 4))
    for address in addresses:
        if ":" in address:
            wait_for(address)
    os.execvp(program[0], program)


if __name__ == "__main__":
    main()
