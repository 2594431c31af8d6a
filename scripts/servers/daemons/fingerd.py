"""fingerd, the Linux port of the server of BSD for RFC 1288, and its finger."""

from shared import accounts
from shared.server import Server, inetd


def prepare(home):
    accounts.system(home, accounts.ftp_users("/mnt/joe"), accounts.PAM, services=["other"])
    home.write("joe/.plan", "No plan.\n")
    return inetd(home.port, "/usr/sbin/in.fingerd")


SERVERS = [
    Server(
        name="fingerd",
        kind="finger",
        about="what is known of joe, for schemes of a program's own",
        packages=("fingerd", "finger"),
        prepare=prepare,
    )
]
