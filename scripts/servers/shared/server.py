"""The description of a server, and the directory in which one is configured."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from . import CERTIFICATES, SYSTEM


@dataclass(frozen=True)
class Account:
    """A user of a server.

    `login` is the directory of the tree after login, and `absolute` the path of the tree's top in
    absolute paths (None: the user cannot name it). Both are relative to the tree, without a leading
    or trailing "/".
    """

    user: str
    password: str
    login: str = ""
    absolute: str | None = ""


@dataclass(frozen=True)
class Home:
    """The directory of one server, which it sees as /mnt; `etc` in it covers the machine's /etc."""

    path: Path
    port: int
    # The ports of all servers that run, by name.
    ports: dict = field(default_factory=dict)

    def write(self, name, text, mode=0o644):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    def certify(self):
        """Copies the certificate and the key of the servers: cert.pem, key.pem, both.pem."""
        for name in "cert.pem", "key.pem", "both.pem":
            self.write(name, (CERTIFICATES / name).read_text(), 0o600)


@dataclass(frozen=True)
class Server:
    """A server: `prepare` writes its files and returns the command that runs it in the foreground.

    `tls` is "explicit" (on request), "required" (explicit, nothing without it), "implicit" (from the
    first octet) or None. `fill` stores what can only be stored while the server runs. `needs` are
    the names of servers that must run too. `client` is a program of the packages for a terminal.
    `has_datagrams` says that the server uses UDP.
    """

    name: str
    kind: str
    about: str
    packages: tuple
    prepare: Callable[[Home], list]
    accounts: tuple = ()
    tls: str | None = None
    greets: bool = False
    fill: Callable[[Home], None] | None = None
    needs: tuple = ()
    client: str | None = None
    has_datagrams: bool = False
    features: dict = field(default_factory=dict)


def write_client(home, program):
    """Writes `client`, which runs a program of the packages on this machine; returns its path."""
    libraries = ":".join(str(path) for path in SYSTEM.glob("usr/lib/*-linux-gnu*"))
    run = f"LD_LIBRARY_PATH={shlex.quote(libraries)} exec {shlex.quote(str(SYSTEM / 'usr/bin' / program))}"
    home.write("client", f'#!/bin/sh\n{run} "$@"\n', 0o755)
    return str(home.path / "client")


def inetd(port, command):
    """The command that runs `command` for each connection to `port`, as inetd does."""
    return ["socat", f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork,backlog=64", f"EXEC:{command},nofork"]
