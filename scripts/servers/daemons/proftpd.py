"""ProFTPD, without TLS, with TLS on request, with TLS from the first octet, and with few connections."""

from shared import accounts
from shared.contents import HIDDEN
from shared.server import Account, Server

CONFIGURATION = """ModulePath /usr/lib/proftpd
ServerName "proftpd"
ServerType standalone
DefaultAddress 127.0.0.1
SocketBindTight on
Port {port}
UseIPv6 off
UseReverseDNS off
User nobody
Group nogroup
PidFile /mnt/pid
ScoreboardFile /mnt/scoreboard
ScoreboardMutex /mnt/scoreboard.lck
SystemLog /mnt/log
TransferLog /mnt/transfers
WtmpLog off
<IfModule mod_delay.c>
DelayEngine off
</IfModule>
<IfModule mod_ctrls.c>
ControlsEngine off
ControlsSocket /mnt/ctrls.sock
</IfModule>
AuthUserFile /mnt/users
AuthGroupFile /mnt/groups
AuthOrder mod_auth_file.c
RequireValidShell off
UseFtpUsers off
DefaultRoot /srv
<Anonymous /srv>
User nobody
Group nogroup
UserAlias anonymous nobody
UserAlias ftp nobody
RequireValidShell off
UseFtpUsers off
{most}</Anonymous>
{most}"""
TLS = """LoadModule mod_tls.c
<IfModule mod_tls.c>
TLSEngine on
TLSLog /mnt/tls.log
TLSRSACertificateFile /mnt/cert.pem
TLSRSACertificateKeyFile /mnt/key.pem
TLSRequired off
TLSOptions NoSessionReuseRequired {implicit}
</IfModule>
"""


def prepare(home, tls, most):
    accounts.system(home, [])
    users = (
        ("joe", accounts.SECRET, "/srv/home/joe"),
        ("a@b/c", accounts.ESCAPED, "/srv"),
        ("nopass", accounts.EMPTY, "/srv"),
        ("nobody", "*", "/srv"),
    )
    home.write(
        "users", "".join(f"{user}:{hash}:65534:65534::{directory}:/bin/sh\n" for user, hash, directory in users), 0o600
    )
    home.write("groups", "nogroup:x:65534:\n", 0o600)
    most = f"MaxClientsPerHost {most}\n" if most else ""
    text = CONFIGURATION.format(port=home.port, most=most)
    if tls:
        home.certify()
        text += TLS.format(implicit="UseImplicitSSL" if tls == "implicit" else "")
    home.write("proftpd.conf", text)
    return ["/usr/sbin/proftpd", "-n", "-c", "/mnt/proftpd.conf"]


def server(name, tls, about, most=None):
    return Server(
        name=name,
        kind="ftp",
        about=about,
        packages=("proftpd-core", "proftpd-mod-crypto"),
        prepare=lambda home: prepare(home, tls, most),
        accounts=(
            Account("anonymous", ""),
            Account("joe", "secret", "home/joe"),
            Account("a@b/c", "p@:/%w"),
            Account("nopass", ""),
        ),
        tls=tls,
        greets=tls != "implicit",
        features={"empty_list": 226, "missing_list": 450, "omits": HIDDEN},
    )


SERVERS = [
    server("proftpd", None, "FTP, 450 to NLST of what is missing"),
    server("proftpd-tls", "explicit", "FTP, TLS on request"),
    server("proftpd-few", None, "FTP, 530 to the fourth login of an address", most=3),
    server("proftpd-implicit", "implicit", "FTP in TLS from the first octet"),
]
