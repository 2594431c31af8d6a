"""pygopherd: gopher and, in part, Gopher+; texts with LF and without the final "."."""

import re

from shared import SYSTEM
from shared.server import Server

SETTINGS = {
    "port": "{port}\ninterface = 127.0.0.1\nservername = 127.0.0.1",
    "root": "/srv",
    "pidfile": "/mnt/pid",
    "usechroot": "no",
    "logmethod": "file",
    "cachetime": "0",
}


def prepare(home):
    """Changes some lines of Debian's configuration: no chroot, no other user, programs run."""
    text = (SYSTEM / "etc/pygopherd/pygopherd.conf").read_text()
    for name, value in SETTINGS.items():
        text = re.sub(rf"(?m)^{name} *=.*", f"{name} = {value.format(port=home.port)}", text)
    text = re.sub(r"(?m)^set[ug]id.*\n", "", text)
    text = text.replace("file.FileHandler]", "scriptexec.ExecHandler, file.FileHandler]")
    home.write("pygopherd.conf", text)
    return ["/usr/bin/python3", "-u", "-W", "ignore", "/usr/sbin/pygopherd", "/mnt/pygopherd.conf"]


SERVERS = [
    Server(
        name="pygopherd",
        kind="gopher",
        about="Gopher+ with INFO, ABSTRACT and ASK blocks",
        packages=("pygopherd", "python3-simpletal"),
        prepare=prepare,
        features={
            "plus": True,
            "octal_selectors": False,
            "changes": [],
            "refuses": [b"pub/trail ".hex()],
            "search": "/cgi-bin/search",
        },
    )
]
