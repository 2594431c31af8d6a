"""sn, a small news server of RFC 977: no CAPABILITIES; articles are numbered from 10."""

from shared import ARTICLES
from shared.contents import GROUPS, NEWS, on_the_wire
from shared.server import Server, inetd

FILL = """set -e
export SNROOT=/mnt/spool POSTING_OK=
mkdir $SNROOT
snprimedb
for group in {groups}; do snnewgroup "$group"; done
for article in {articles}; do snstore < /mnt/articles/$article; done
exec {server}
"""


def prepare(home):
    (home.path / "articles").mkdir()
    numbers = range(1, len(NEWS) + 1)
    for number in numbers:
        (home.path / f"articles/{number}").write_bytes(on_the_wire((ARTICLES / str(number)).read_bytes()))
    server = " ".join(inetd(home.port, "/usr/sbin/snntpd.bin"))
    return ["sh", "-c", FILL.format(groups=" ".join(GROUPS), articles=" ".join(map(str, numbers)), server=server)]


SERVERS = [
    Server(
        "sn",
        "nntp",
        "news by RFC 977, 430 for a number outside the group",
        packages=("sn",),
        prepare=prepare,
        greets=True,
        features={"first_number": 10},
    )
]
