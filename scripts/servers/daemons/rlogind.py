"""rsh-redone's rlogind: joe enters by .rhosts, jim with the password "secret".

It answers clients only whose own port is below 1024, so a client must run as root.
"""

from shared import accounts
from shared.server import Account, Server, inetd

SHELL = """#!/bin/bash
echo "Welcome $(id -un). TERM=$TERM tty=$(tty)"
while read -r -p '$ ' line; do
    case $line in
    exit) break ;;
    size) stty size ;;
    *) echo "you said: $line" ;;
    esac
done
"""
PAM = "auth sufficient pam_rhosts.so\n" + accounts.PAM


def prepare(home):
    users = [("joe", "*", "/mnt/joe", "/mnt/shell"), ("jim", accounts.SECRET, "/mnt/jim", "/mnt/shell")]
    accounts.system(home, users, PAM, services=["other", "rlogin", "login", "rsh"])
    home.write("shell", SHELL, 0o755)
    home.write("joe/.rhosts", "127.0.0.1 +\nlocalhost +\n", 0o644)
    (home.path / "jim").mkdir()
    return inetd(home.port, "/usr/sbin/in.rlogind")


SERVERS = [
    Server(
        name="rlogind",
        kind="rlogin",
        about="rlogin, for clients with a port below 1024",
        packages=("rsh-redone-server", "rsh-redone-client"),
        prepare=prepare,
        accounts=(Account("joe", ""), Account("jim", "secret")),
        client="rsh-redone-rlogin",
        features={"client_port_below": 1024},
    )
]
