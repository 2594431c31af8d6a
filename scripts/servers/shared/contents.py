"""What the servers serve: one tree of files, and news articles. `write` also describes them in tree.json.

Names and contents are octets: some names are Latin-1, one contains the octet FF.
"""

import hashlib
import json
import os
import shutil
from email.utils import formatdate

from . import ARTICLES, MANIFEST, TREE

ALL_OCTETS = bytes(range(256))
GIF = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
# Names that a client or a server may take for something else. Each file contains its own name, in
# hexadecimal: gophernicus changes the charset of texts.
ODD_NAMES = [
    b"100%.txt", b"semi;type=a", b"hash#x", b"what?x", b"star*x", b"[br]", b'say"hi"', b" lead", b"trail ", b"-l",
    b"~tilde", b"back\\slash", b"plus+x.txt", b"a%2Fb", b"a:b", b"a&b=c", b"{brace}", b"^caret", b"`tick`", b"pipe|x",
    "café.txt".encode(), b"latin\xe9.txt", b"iac\xffx", b".hidden", b"long " * 20 + b"end",
    b"sub dir/deep/file name.txt", b"dir;type=d/inside.txt", b"a%2Fb dir/x", b"a/b",
]  # fmt: skip

# A menu with every item type of RFC 1436 and the later i, h, s, T and URL: items. Without host and
# port an item is on the server itself.
MENU = b"""iinfo line\t\tnull.host\t1
0text\t/docs/text.txt
1docs\t/docs
2CSO\t\t127.0.0.1\t105
3an error item\t/err
4binhex\t/docs/x.hqx
5dos archive\t/docs/x.zip
6uuencoded\t/docs/x.uu
7search\t/cgi-bin/search
8telnet\tguest\t127.0.0.1\t23
9binary\t/docs/data.bin
Ttn3270\t\t127.0.0.1\t23
ggif\t/docs/dot.gif
Iimage\t/docs/dot.gif
hhtml\t/docs/page.html
hweb\tURL:http://127.0.0.1/
"""
# A gopher search: a menu with what it was asked.
SEARCH = b"""#!/bin/sh
printf '0result for [%s]\\t/docs/text.txt\\t%s\\t%s\\r\\n' "${SEARCHREQUEST-$QUERY_STRING}" "$SERVER_NAME" "$SERVER_PORT"
"""

FILES = {
    # An absolute path and one from the login directory that differ in their contents only.
    b"etc/motd": b"absolute /etc/motd\n",
    b"home/joe/etc/motd": b"home-relative etc/motd of joe\n",
    b"home/joe/a/b": b"joe a/b\n",
    b"private/x.txt": b"secret page\n",
    b"index.html": b"<html><head><title>index</title></head><body>hello</body></html>\n",
    b"pub/text.txt": b"line one\nline two\nlast line has no newline",
    b"pub/crlf.txt": b"dos one\r\ndos two\r\n",
    b"pub/all256.bin": ALL_OCTETS,
    b"pub/data.bin": ALL_OCTETS + b"\r\n\n\r\r\n\xff\xff\xff\xf2",
    b"pub/mega.bin": ALL_OCTETS * 4096,
    b"pub/empty": b"",
    b"docs/text.txt": b"plain text\nsecond line\n.\n..two dots\n.leading dot\nend\n",
    b"docs/dos.txt": b"dos\r\nlines\r\n",
    b"docs/dot.txt": b"ends with a dot\n.\n",
    b"docs/nonl.txt": b"no final newline",
    b"docs/empty.txt": b"",
    b"docs/data.bin": ALL_OCTETS,
    b"docs/dot.gif": GIF,
    b"docs/page.html": b"<html><head><title>t</title></head><body>h</body></html>\n",
    b"docs/x.hqx": b"(This file must be converted with BinHex 4.0)\n\n:!:\n",
    b"docs/x.zip": b"PK\5\6" + bytes(18),
    b"docs/x.uu": b"begin 644 x\n#8V%T\n`\nend\n",
    b"maps/gophermap": MENU,
    b"cgi-bin/search": SEARCH,
    # Gopher+ attributes, by the names that UMN gopherd and pygopherd give their files.
    b"plus/item.txt": b"the document\n",
    b"plus/item.txt.abstract": b"What the item is about.\nTwo lines, the 2nd with a + sign.\n+not a block\n",
    b"plus/item.txt.keywords": b"gopher plus test\n",
    b"plus/form.txt": b"the form\n",
    b"plus/form.txt.ask": b"Ask: How many?\t7\nAskP: Password:\nChoose: Colour\tred\tgreen\nSelect: yes\t1\n",
} | {b"pub/" + name: b"I am " + name.hex().encode() + b"\n" for name in ODD_NAMES}
HIDDEN = [path.hex() for path in FILES if b"/." in path]
PROGRAMS = {b"cgi-bin/search"}
EMPTY_DIRECTORIES = [b"pub/emptydir"]

# Message-ID, newsgroups, further header fields, body. Lines end with LF here.
NEWS = [
    (
        b"first@test.invalid",
        b"test.group",
        b"",
        b"Body of the first.\n.a line with a leading dot\n..two dots\n.\nafter the lone dot\n",
    ),
    (
        b"a%b/c?d#e@test.invalid",
        b"test.group",
        b"References: <first@test.invalid>\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
        b"caf\xc3\xa9 and latin \xe9\n",
    ),
    (b"third$1@test.invalid", b"test.group,test.other", b"", b"Crossposted.\n"),
    (b"last+dot@test.invalid", b"test.group", b"", b"The last line is a dot.\n.\n"),
    (b"long@test.invalid", b"test.group", b"", b"".join(b"line %d %s\n" % (n, b"x" * (n % 70)) for n in range(1000))),
]
GROUPS = ["test.group", "test.other", "test.empty"]


def digest(octets):
    return {"sha256": hashlib.sha256(octets).hexdigest(), "size": len(octets)}


def article(number, date):
    """The article as it is posted, with LF."""
    id, groups, fields, body = NEWS[number]
    return b"".join(
        [b"From: joe@test.invalid\nNewsgroups: ", groups, b"\nSubject: article %d\n" % (number + 1), fields]
        + [b"Message-ID: <", id, b">\nDate: ", date, b"\n\n", body]
    )


def on_the_wire(text):
    """A text as NNTP sends it: CR LF, a dot before a leading dot, and the line that ends it."""
    lines = text.removesuffix(b"\n").split(b"\n")
    return b"".join((b"." if line.startswith(b".") else b"") + line + b"\r\n" for line in lines) + b".\r\n"


def described(path, octets):
    text = path.decode(errors="backslashreplace")
    return {"path": path.hex(), "text": text, "is_program": path in PROGRAMS} | digest(octets)


def write_tree():
    top = os.fsencode(TREE)
    for directory in EMPTY_DIRECTORIES:
        os.makedirs(os.path.join(top, directory))
    for path, octets in FILES.items():
        file = os.path.join(top, path)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as out:
            out.write(octets)
        os.chmod(file, 0o755 if path in PROGRAMS else 0o644)


def write_articles():
    """Writes each article with LF, and returns their descriptions."""
    ARTICLES.mkdir()
    date = formatdate(usegmt=True).encode()
    for number, (id, groups, _, body) in enumerate(NEWS):
        (ARTICLES / str(number + 1)).write_bytes(article(number, date))
        yield {
            "id": id.decode(),
            "groups": groups.decode().split(","),
            "file": f"{ARTICLES}/{number + 1}",
            "body": digest(body),
        }


def write():
    """Writes the tree, the articles and tree.json anew."""
    for directory in TREE, ARTICLES:
        shutil.rmtree(directory, ignore_errors=True)
    write_tree()
    directories = {path.rpartition(b"/")[0] for path in FILES} | set(EMPTY_DIRECTORIES)
    manifest = {
        "files": [described(path, octets) for path, octets in FILES.items()],
        "directories": sorted({part for path in directories for part in parents(path)}),
        "articles": list(write_articles()),
        "groups": GROUPS,
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n")


def parents(path):
    """The path and the directories above it, in hexadecimal."""
    parts = path.split(b"/")
    return [b"/".join(parts[:length]).hex() for length in range(1, len(parts) + 1)]
