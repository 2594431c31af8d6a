"""The ftpd of GNU inetutils, another descendant of BSD's; it refuses an empty password."""

from . import netkit_ftpd

SERVERS = [
    netkit_ftpd.server(
        "inetutils-ftpd", "a BSD ftpd with FEAT and LPRT", "inetutils-ftpd", "/usr/sbin/ftpd", netkit_ftpd.USERS
    )
]
