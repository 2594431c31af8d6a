"""Pure-FTPd: logs anonymous in at USER (230), answers in several lines, offers TLS; once with few connections."""

from shared import accounts
from shared.contents import FILES, HIDDEN
from shared.server import Account, Server

# No names of clients; chroot; user ids from 1; most clients in all and of one address; the process
# file; no log; the longest listing and its depth.
OPTIONS = "-H -A -u 1 -c 50 -C {most} -g /mnt/pid -f none -L 5000:8"


def prepare(home, most):
    home.certify()
    # Anonymous is the system's account "ftp"; the others are in a database of its own.
    accounts.system(home, [("ftp", "*", "/srv", "/bin/false")])
    users = ("joe", accounts.SECRET, "/srv/./home/joe"), ("a@b/c", accounts.ESCAPED, "/srv/./")
    home.write(
        "pw", "".join(f"{user}:{hash}:1001:1000::{directory}::::::::::::\n" for user, hash, directory in users), 0o600
    )
    options = f"-S 127.0.0.1,{home.port} -l puredb:/mnt/pw.pdb -2 /mnt/both.pem -Y 1 " + OPTIONS.format(most=most)
    return ["sh", "-c", f"pure-pw mkdb /mnt/pw.pdb -f /mnt/pw && mkdir -p /run/pure-ftpd && exec pure-ftpd {options}"]


def server(name, about, most):
    return Server(
        name=name,
        kind="ftp",
        about=about,
        packages=("pure-ftpd", "pure-ftpd-common"),
        prepare=lambda home: prepare(home, most),
        accounts=(Account("anonymous", ""), Account("joe", "secret", "home/joe"), Account("a@b/c", "p@:/%w")),
        tls="explicit",
        greets=True,
        features={
            "empty_list": 226,
            "missing_list": 550,
            "adds": [".", ".."],
            # What anonymous may not fetch: names with a backslash, and hidden ones.
            "refuses": [*HIDDEN, *(path.hex() for path in FILES if b"\\" in path)],
        },
    )


SERVERS = [
    server("pure-ftpd", "FTP without a password for anonymous, TLS on request", 50),
    server("pure-ftpd-few", "FTP, 421 to the fourth connection of an address", 3),
]
