"""tinyproxy: answers CONNECT with HTTP/1.0, to any port."""

from shared import accounts
from shared.server import Server

CONFIGURATION = """User nobody
Group nogroup
Port {port}
Listen 127.0.0.1
Timeout 60
LogFile "/mnt/log"
PidFile "/mnt/pid"
MaxClients 50
Allow 127.0.0.1
"""


def prepare(home):
    accounts.system(home, [])
    home.write("log", "", 0o666)
    home.write("tinyproxy.conf", CONFIGURATION.format(port=home.port))
    return ["tinyproxy", "-d", "-c", "/mnt/tinyproxy.conf"]


SERVERS = [
    Server(
        "tinyproxy",
        "proxy",
        "a proxy that answers CONNECT with HTTP/1.0",
        packages=("tinyproxy-bin",),
        prepare=prepare,
        needs=("nginx",),
    )
]
