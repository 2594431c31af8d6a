"""vsftpd, without TLS, with TLS that both connections must use, with TLS from the first octet, and with
few connections.

In the second way it demands, as by default, that the data connection resume the TLS session of the
control connection.
"""

from shared import accounts
from shared.contents import HIDDEN
from shared.server import Account, Server

CONFIGURATION = """listen=YES
listen_address=127.0.0.1
listen_port={port}
background=NO
anonymous_enable=YES
anon_root=/srv
local_enable=YES
chroot_local_user=YES
passwd_chroot_enable=YES
allow_writeable_chroot=YES
secure_chroot_dir=/mnt/empty
pam_service_name=vsftpd
vsftpd_log_file=/mnt/log
log_ftp_protocol=YES
xferlog_enable=YES
ascii_download_enable=YES
pasv_address=127.0.0.1
connect_from_port_20=NO
# The sandbox ends the session at SIZE on current kernels.
seccomp_sandbox=NO
"""
TLS = """ssl_enable=YES
allow_anon_ssl=YES
force_anon_logins_ssl={demanded}
force_anon_data_ssl={demanded}
force_local_logins_ssl={demanded}
force_local_data_ssl={demanded}
require_ssl_reuse={demanded}
implicit_ssl={implicit}
rsa_cert_file=/mnt/cert.pem
rsa_private_key_file=/mnt/key.pem
ssl_ciphers=HIGH
"""


def prepare(home, tls, most):
    (home.path / "empty").mkdir()
    # The "/./" ends the part of the path that becomes the user's "/".
    accounts.system(home, accounts.ftp_users("/srv/./home/joe"), services=["vsftpd"])
    text = CONFIGURATION.format(port=home.port)
    if most:
        text += f"max_per_ip={most}\n"
    if tls:
        home.certify()
        yes = {True: "YES", False: "NO"}
        text += TLS.format(demanded=yes[tls == "required"], implicit=yes[tls == "implicit"])
    home.write("vsftpd.conf", text)
    return ["/usr/sbin/vsftpd", "/mnt/vsftpd.conf"]


def server(name, tls, about, most=None):
    return Server(
        name=name,
        kind="ftp",
        about=about,
        packages=("vsftpd",),
        prepare=lambda home: prepare(home, tls, most),
        accounts=(
            Account("anonymous", ""),
            Account("joe", "secret", "home/joe"),
            Account("a@b/c", "p@:/%w"),
            Account("nopass", ""),
        ),
        tls=tls,
        greets=tls != "implicit",
        # NLST of what is not there, and of an empty directory: 226 and no data.
        features={"empty_list": 226, "missing_list": 226, "omits": HIDDEN},
    )


SERVERS = [
    server("vsftpd", None, "FTP with login directories"),
    server("vsftpd-tls", "required", "FTP that demands TLS, with the session resumed for data"),
    server("vsftpd-few", None, "FTP, 421 to the fourth connection of an address", most=3),
    server("vsftpd-implicit", "implicit", "FTP in TLS from the first octet"),
]
