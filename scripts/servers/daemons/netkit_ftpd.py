"""ftpd-ssl, the Linux port of the ftpd of 4.4BSD: no FEAT, 550 to NLST of an empty directory."""

from shared import accounts
from shared.server import Account, Server, inetd

PAM = "auth sufficient pam_ftp.so\n" + accounts.PAM


def prepare(home, command):
    # Users are not confined: "/" is the machine's, and the tree is at /srv. Anonymous is.
    accounts.system(home, accounts.ftp_users("/srv/home/joe"), PAM, services=["other", "ftp", "ftpd"])
    return inetd(home.port, command)


def server(name, about, package, command, users):
    return Server(
        name=name,
        kind="ftp",
        about=about,
        packages=(package,),
        prepare=lambda home: prepare(home, command),
        accounts=(Account("anonymous", ""), *users),
        greets=True,
        # The octet FF in a command must be doubled, as telnet has it (RFC 959, 3.1.1.5.2 and RFC 854).
        features={"empty_list": 550, "missing_list": 550, "doubles_ff": True},
    )


USERS = Account("joe", "secret", "home/joe", "srv"), Account("a@b/c", "p@:/%w", "", "srv")
SERVERS = [
    server(
        "ftpd-ssl",
        "a BSD ftpd: FF doubled in names, 550 for empty directories",
        "ftpd-ssl",
        "/usr/sbin/in.ftpd",
        (*USERS, Account("nopass", "", "", "srv")),
    )
]
