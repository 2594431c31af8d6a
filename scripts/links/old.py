"""ftp, gopher, news and wais: links to what real servers have, and to what they do not have.

The URLs are those of scripts/modules/urls_of_servers.py, all of which `get` fetches or refuses, without those that need a
login or an answer of the user.
"""

from collections import Counter
from urllib.parse import unquote_to_bytes, urlsplit

import urls_of_servers

from . import check
from .scripted import closed_port
from .zoo import QUICK, page

SERVERS = ["vsftpd", "pyftpdlib", "gophernicus", "pygopherd", "inn2", "wais"]


# What may come of a file that the server does not serve, or hides.
REFUSED = ("server-refused", "reset", "ok")


def asked(running):
    for one in urls_of_servers.asked_of(running, SERVERS):
        wants_more = one.options or one.test == "gopher-search" and one.answers
        if not wants_more and "@" not in urlsplit(one.url).netloc:
            yield one


def odd(one):
    """Returns whether the URL is that of a file that the server does not serve, or that is empty in gopher."""
    refused = [bytes.fromhex(path) for path in one.server["features"].get("refuses", [])]
    empty = [bytes.fromhex(file["path"]) for file in urls_of_servers.MANIFEST_OF_TREE["files"] if not file["size"]]
    names = refused + (empty if one.server["kind"] == "gopher" else [])
    return any(unquote_to_bytes(one.url).endswith(b"/" + name) for name in names)


def test(folder):
    """Yields what is wrong."""
    running = urls_of_servers.started(SERVERS)
    tests, codes = {}, {}
    for one in asked(running):
        tests[one.url] = one.test
        missing = one.test.endswith("missing")
        codes[one.url] = ("server-refused",) if missing else REFUSED if odd(one) else ("ok",)
    # Gopher has no status: some servers say in the text of a page that there is none.
    for name, may_be in ("gophernicus", ("ok", "server-refused")), ("pygopherd", ("server-refused",)):
        top = f"gopher://{urls_of_servers.authority(running['servers'][name])}/"
        codes |= {f"{top}0/none.txt": may_be, f"{top}1/none": may_be}
    codes |= {f"{scheme}://127.0.0.1:{closed_port()}/a": ("connection-refused",) for scheme in ("ftp", "gopher", "news")}
    page(folder / "site", "old.md", codes)
    found = check(folder / "site", *QUICK, "--timeout", "20", "old.md")
    if len(found.links) != len(codes):
        yield f"{len(found.links)} of {len(codes)} links: {found.said}"
    for link in found.links:
        if link["code"] not in codes[link["url"]]:
            yield f"{tests.get(link['url'])} must be {codes[link['url']]}: {link}"
    print(f"  {len(codes)} links, {Counter(link['code'] for link in found.links).most_common()}")
