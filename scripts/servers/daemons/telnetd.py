"""The telnetd of GNU inetutils, with a program of ours in place of login."""

from shared import accounts
from shared.server import Account, Server, inetd

LOGIN = """#!/bin/bash
read -r -p 'login: ' user
read -r -s -p 'Password: ' password
echo
[ "$user" = joe ] && [ "$password" = secret ] || { echo 'Login incorrect'; exit 1; }
echo "Welcome $user. TERM=$TERM USER=${USER-} tty=$(tty)"
while read -r -p '$ ' line; do
    case $line in
    exit) break ;;
    *) echo "you said: $line" ;;
    esac
done
echo bye
"""


def prepare(home):
    accounts.system(home, [])
    home.write("login", LOGIN, 0o755)
    return inetd(home.port, "/usr/sbin/telnetd -h -E /mnt/login")


SERVERS = [
    Server(
        name="telnetd",
        kind="telnet",
        about="telnet that negotiates terminal type, speed and environment",
        packages=("inetutils-telnetd", "inetutils-telnet"),
        prepare=prepare,
        accounts=(Account("joe", "secret"),),
        greets=True,
        client="inetutils-telnet",
    )
]
