"""The Prospero server of this repository (crates/locator-dev); Debian has none."""

from shared.server import Server

from . import wais


def prepare(home):
    """Serves the tree as `AFTP/…`, in small packets of which some are lost, doubled or late."""
    wais.build(home)
    faults = ["--packet=100", "--lose=2,19", "--double=3", "--delay=5"]
    ftp = f"--ftp=127.0.0.1({home.ports['vsftpd']})"
    return ["/mnt/locator-dev", "serve-prospero", str(home.port), "/srv", ftp, *faults]


def prepare_contents(home):
    """Serves the tree itself, without a server of another protocol, and without faults."""
    wais.build(home)
    return ["/mnt/locator-dev", "serve-prospero", str(home.port), "/srv", "--contents"]


SERVERS = [
    Server(
        name="prospero",
        kind="prospero",
        about="Prospero, with files on an FTP server",
        packages=(),
        prepare=prepare,
        needs=("vsftpd",),
        has_datagrams=True,
    ),
    Server(
        name="prospero-contents",
        kind="prospero",
        about="Prospero, which sends files itself",
        packages=(),
        prepare=prepare_contents,
        has_datagrams=True,
    ),
]
