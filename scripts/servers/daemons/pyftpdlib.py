"""pyftpdlib: names are UTF-8 only, and a login directory is always "/".

Its TLS does not work with current clients, so it has none here.
"""

from shared.contents import FILES
from shared.server import Account, Server

PROGRAM = """import os
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer

users = DummyAuthorizer()
users.add_anonymous("/srv")
users.add_user("joe", "secret", "/srv/home/joe")
users.add_user("a@b:c/d", "p@:/%w", "/srv")
users.add_user("nopass", "", "/srv")
FTPHandler.authorizer = users
FTPHandler.use_sendfile = False
FTPServer(("127.0.0.1", {port}), FTPHandler).serve_forever()
"""


def prepare(home):
    home.write("server.py", PROGRAM.format(port=home.port))
    return ["/usr/bin/python3", "-W", "ignore", "/mnt/server.py"]


def is_utf8(path):
    try:
        return path.decode() is not None
    except UnicodeDecodeError:
        return False


# In listings it replaces the octets of others by "?".
OTHERS = [path.hex() for path in FILES if not is_utf8(path)]
SERVERS = [
    Server(
        name="pyftpdlib",
        kind="ftp",
        about="FTP with names in UTF-8 only, 125 or 150 at random",
        packages=("python3-pyftpdlib",),
        prepare=prepare,
        accounts=(
            Account("anonymous", ""),
            Account("joe", "secret", "home/joe", None),
            Account("a@b:c/d", "p@:/%w"),
            Account("nopass", ""),
        ),
        greets=True,
        features={"empty_list": 226, "missing_list": 550, "refuses": OTHERS, "omits": OTHERS},
    )
]
