"""gophernicus: gopher without "+"; texts without the final "."; selectors in menus as #ooo."""

from shared.server import Server, inetd


def prepare(home):
    return inetd(
        home.port, f"/usr/sbin/gophernicus -r /srv -h 127.0.0.1 -p {home.port} -nr -nv -ns -nu -nm -l /mnt/log"
    )


SERVERS = [
    Server(
        name="gophernicus",
        kind="gopher",
        about="gopher without Gopher+, selectors with octal escapes",
        packages=("gophernicus",),
        prepare=prepare,
        features={
            "plus": False,
            "octal_selectors": True,
            "changes": ["crlf", "final line end"],
            "refuses": [b"pub/.hidden".hex()],
            "search": "/cgi-bin/search",
        },
    )
]
