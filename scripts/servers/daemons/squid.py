"""squid, a proxy for http, ftp and whois, without a login and with one by Digest or Basic. It goes to
127.0.0.1 only.
"""

from hashlib import md5

from shared import accounts
from shared.server import Account, Server

CONFIGURATION = """http_port 127.0.0.1:{port}
visible_hostname localhost
pid_filename /mnt/pid
cache_log /mnt/cache.log
access_log stdio:/mnt/requests
cache deny all
cache_mem 8 MB
coredump_dir /mnt
netdb_filename none
pinger_enable off
icp_port 0
udp_outgoing_address 127.0.0.1
shutdown_lifetime 1 second
dns_nameservers 127.0.0.1
acl here dst 127.0.0.0/8
{login}http_access allow here
http_access deny all
ftp_user anonymous@test.invalid
ftp_passive on
"""
LOGIN = """auth_param digest program /usr/lib/squid/digest_file_auth -c /mnt/digest
auth_param digest realm proxy
auth_param basic program /usr/lib/squid/basic_ncsa_auth /mnt/users
auth_param basic realm proxy
acl known proxy_auth REQUIRED
http_access deny !known
"""


def prepare(home, login):
    accounts.system(home, [])
    home.write("users", f"joe:{accounts.SECRET}\n")
    home.write("digest", f"joe:proxy:{md5(b'joe:proxy:secret').hexdigest()}\n")
    home.write("squid.conf", CONFIGURATION.format(port=home.port, login=LOGIN if login else ""))
    return ["sh", "-c", "chown proxy:proxy /mnt && exec squid -N -f /mnt/squid.conf"]


def server(name, login, about):
    users = (Account("joe", "secret"),) if login else ()
    return Server(
        name,
        "proxy",
        about,
        packages=("squid", "squid-common"),
        prepare=lambda home: prepare(home, login),
        accounts=users,
        needs=("nginx",),
    )


SERVERS = [
    server("squid", False, "a proxy, also for ftp"),
    server("squid-login", True, "a proxy that wants Proxy-Authorization"),
]
