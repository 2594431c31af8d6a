"""INN 2: open, with a login, with the mode switch of RFC 3977, and in TLS.

Where 127.0.0.1 is a peer, innd itself answers and knows the commands of transit only: it answers
others with 401 MODE-READER, and MODE READER starts the reader. In TLS the reader runs alone, on the
articles that the open server has.
"""

import socket

from shared import ARTICLES, accounts
from shared.contents import GROUPS, NEWS, on_the_wire
from shared.server import Account, Server

CONFIGURATION = """mta: "/bin/true %s"
organization: "test"
ovmethod: tradindexed
hismethod: hisv6
pathhost: news.test.invalid
domain: test.invalid
fromhost: test.invalid
server: 127.0.0.1
bindaddress: 127.0.0.1
sourceaddress: 127.0.0.1
port: {port}
nnrpdpostport: {port}
pathnews: /mnt
pathbin: /usr/lib/news/bin
pathcontrol: /usr/lib/news/bin/control
pathetc: /mnt/news
pathdb: {data}/db
pathlog: /mnt/logs
pathrun: /mnt/run
pathtmp: /mnt/temp
pathspool: {data}/spool
patharticles: {data}/spool/articles
pathoverview: {data}/spool/overview
pathincoming: {data}/spool/incoming
pathoutgoing: {data}/spool/outgoing
patharchive: {data}/spool/archive
pathfilter: /mnt/filter
pathhttp: /mnt/http
allownewnews: true
enableoverview: true
groupbaseexpiry: true
storeonxref: true
articlemmap: true
artcutoff: 0
# However busy the machine is.
nnrpdloadlimit: 0
maxartsize: 1000000
wireformat: true
doinnwatch: false
pgpverify: false
tlscafile: ""
tlscertfile: /mnt/news/cert.pem
tlskeyfile: /mnt/news/key.pem
"""
OPEN = """auth "all" {
  hosts: "127.0.0.1"
  default: "<anyone>"
}
access "all" {
  users: "<anyone>"
  newsgroups: "*"
  access: RPAN
}
"""
LOGIN = """auth "all" {
  hosts: "127.0.0.1"
  auth: "ckpasswd -f /mnt/news/users"
}
access "joe" {
  users: "joe"
  newsgroups: "*"
  access: RPAN
}
"""
# Groups, and whether articles may be posted to them.
ACTIVE = [
    *(("control", "n"), ("control.cancel", "n"), ("junk", "n"), ("test.moderated", "m")),
    *((group, "y") for group in GROUPS),
]
FILES = {
    "news/storage.conf": "method tradspool {\n newsgroups: *\n class: 0\n}\n",
    "news/newsfeeds": "ME:!*/!local::\n",
    "news/expire.ctl": "/remember/:31\n*:A:1:never:never\n",
    "news/control.ctl": "",
    "news/moderators": "",
    "news/passwd.nntp": "",
    "news/subscriptions": "",
    "db/active": "".join(f"{group} 0000000000 0000000001 {flag}\n" for group, flag in ACTIVE),
    "db/newsgroups": "test.group\tThe test group.\ntest.other\tAnother.\ntest.empty\tNothing here.\n",
    "db/active.times": "",
    "db/history": "",
}
DIRECTORIES = "logs run temp http filter spool/articles spool/overview spool/incoming/tmp spool/outgoing spool/archive"
# innd refuses to run as another user than news.
AS_NEWS = "setpriv --reuid news --regid news --clear-groups"
START = f"""set -e
cd /mnt
mkdir -p {DIRECTORIES}
chown -R news:news .
export INNCONF=/mnt/news/inn.conf
"""
INND = (
    f"{AS_NEWS} /usr/lib/news/bin/makedbz -i -o -s 1000 -f /mnt/db/history\nexec {AS_NEWS} /usr/lib/news/bin/innd -f\n"
)
NNRPD = f"""cp cert.pem key.pem news
chown news:news news/*.pem
exec {AS_NEWS} /usr/lib/news/bin/nnrpd -S -D -f -p {{port}} -b 127.0.0.1
"""


def prepare(home, access, peers="", data="/mnt", program=INND):
    accounts.system(home, [])
    for name, text in FILES.items():
        home.write(name, text)
    home.write("news/inn.conf", CONFIGURATION.format(port=home.port, data=data))
    home.write("news/readers.conf", access)
    home.write("news/users", f"joe:{accounts.SECRET}\n")
    home.write("news/incoming.conf", peers)
    return ["sh", "-c", START + program.format(port=home.port)]


def prepare_tls(home):
    """A reader alone, with the articles of the open server."""
    home.certify()
    return prepare(home, OPEN, data="/run/servers/inn2", program=NNRPD)


def fill(home):
    """Posts every article, over one connection."""
    with (
        socket.create_connection(("127.0.0.1", home.port), timeout=30) as connection,
        connection.makefile("rwb") as news,
    ):

        def say(line, wanted):
            news.write(line)
            news.flush()
            reply = news.readline()
            if not reply.startswith(wanted):
                raise OSError(f"{line[:40]!r}: {reply!r}")

        news.readline()
        say(b"MODE READER\r\n", b"200")
        if home.path.name == "inn2-login":
            say(b"AUTHINFO USER joe\r\n", b"381")
            say(b"AUTHINFO PASS secret\r\n", b"281")
        for number in range(1, len(NEWS) + 1):
            say(b"POST\r\n", b"340")
            say(on_the_wire((ARTICLES / str(number)).read_bytes()), b"240")


def server(name, about, prepare, features=(), fill=fill, **options):
    features = {"first_number": 1} | dict(features)
    packages = ("inn2", "inn2-inews")
    return Server(name, "nntp", about, packages, prepare, fill=fill, features=features, **options)


PEER = 'peer self {\n  hostname: "127.0.0.1"\n}\n'
SERVERS = [
    server("inn2", "news by RFC 3977", lambda home: prepare(home, OPEN), greets=True),
    server(
        "inn2-login",
        "news that wants AUTHINFO (480)",
        lambda home: prepare(home, LOGIN),
        {"wants_login": True},
        accounts=(Account("joe", "secret"),),
        greets=True,
    ),
    server(
        "inn2-mode",
        "news that wants MODE READER (401)",
        lambda home: prepare(home, OPEN, PEER),
        {"wants_mode_reader": True},
        greets=True,
    ),
    server("inn2-tls", "news in TLS from the first octet", prepare_tls, fill=None, tls="implicit", needs=("inn2",)),
]
