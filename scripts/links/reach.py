"""Servers and names of the public network that lead to private addresses, in a namespace that has all of them.

1.2.3.4 and 1.2.3.5 are the public network. A server of DNS answers for `*.maps.org` by what is in the name.
Listeners at the private addresses count who came: only with --private anybody may, and to the addresses that give
secrets to the machines of a cloud never.
"""

import socket
import struct
import subprocess
import threading
from collections import Counter
from urllib.parse import quote, unquote

from . import check, run
from .scripted import Server, redirect, response
from .zoo import page

PUBLIC, OTHER = "1.2.3.4", "1.2.3.5"
METADATA = ["169.254.169.254", "fd00:ec2::254"]
INSIDE = ["10.0.0.1", "100.64.0.1", "fd00::1", "127.0.0.1"]
# Names, with the addresses of the first answer and of all others.
NAMES = {
    "a.root-servers.net": (PUBLIC, PUBLIC),
    "public.maps.org": (PUBLIC, PUBLIC),
    "metadata.maps.org": (METADATA[0], METADATA[0]),
    "metadata6.maps.org": (METADATA[1], METADATA[1]),
    "inside.maps.org": (INSIDE[0], INSIDE[0]),
    "home.maps.org": (INSIDE[3], INSIDE[3]),
    "zero.maps.org": ("0.0.0.0", "0.0.0.0"),
    "mapped.maps.org": (f"::ffff:{METADATA[0]}", f"::ffff:{METADATA[0]}"),
    "nat64.maps.org": ("64:ff9b::a9fe:a9fe", "64:ff9b::a9fe:a9fe"),
    # A name that has another address when it is asked for again.
    "rebinds.maps.org": (PUBLIC, METADATA[0]),
    "rebinds-inside.maps.org": (PUBLIC, INSIDE[0]),
}
# A name with two addresses, of which one is private.
BOTH = {"both.maps.org": [METADATA[0], PUBLIC]}


class Names:
    """A server of DNS (RFC 1035) at 127.0.0.1:53: what it does not know does not exist."""

    def __init__(self):
        self.asked, self.socket = Counter(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            query, peer = self.socket.recvfrom(4096)
            self.socket.sendto(self.answer(query), peer)

    def answer(self, query):
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1 : at + 1 + query[at]].decode())
            at += 1 + query[at]
        name, (kind,) = ".".join(labels).lower(), struct.unpack("!H", query[at + 1 : at + 3])
        question, records = query[12 : at + 5], []
        for address in self.addresses(name, kind):
            family, number = (socket.AF_INET6, 28) if ":" in address else (socket.AF_INET, 1)
            if number == kind:
                octets = socket.inet_pton(family, address)
                records.append(struct.pack("!HHHIH", 0xC00C, kind, 1, 0, len(octets)) + octets)
        status = 0 if name in NAMES or name in BOTH else 3
        return query[:2] + struct.pack("!HHHHH", 0x8580 | status, 1, len(records), 0, 0) + question + b"".join(records)

    def addresses(self, name, kind):
        if name in BOTH:
            return BOTH[name]
        self.asked[name, kind] += 1
        first, then = NAMES.get(name, (None, None))
        return [address for address in (first if self.asked[name, kind] == 1 else then,) if address]


class Trap:
    """Listeners at an address, which count the connections."""

    def __init__(self, address):
        self.address, self.came = address, 0
        for port in 80, 443, 8080:
            server = Server(self.answer, host=address, port=port)
            server.serve = self.count
        self.lock = threading.Lock()

    def count(self, stream):
        with self.lock:
            self.came += 1
        with stream:
            stream.settimeout(1)
            try:
                stream.sendall(response(200, body="<p id=there>secret"))
                stream.recv(65536)
            except OSError:
                pass

    def answer(self, request):
        raise AssertionError("it only counts")


def public(request):
    """`/to/…` redirects to what follows, `/meta/…` is a page."""
    kind, _, rest = unquote(request.target[1:]).partition("/")
    if kind == "to":
        return redirect(302, rest)
    if kind == "hops":
        # Over another public server.
        return redirect(301, f"http://{OTHER}/to/{quote(rest)}")
    return response(200, body="<p id=there>")


# Where a public server leads: URL, and the code without --private.
LEADS = {
    "http://169.254.169.254/latest/meta-data/": "redirect-inward",
    "http://metadata.maps.org/": "redirect-inward",
    "http://metadata6.maps.org/": "redirect-inward",
    "http://mapped.maps.org/": "redirect-inward",
    "http://both.maps.org/": ("redirected", "redirect-inward"),
    "http://[fd00:ec2::254]/": "redirect-inward",
    "http://[::ffff:169.254.169.254]/": "redirect-inward",
    "http://10.0.0.1/": "redirect-inward",
    "http://inside.maps.org/": "redirect-inward",
    "http://[fd00::1]/": "redirect-inward",
    "http://100.64.0.1/": "redirect-inward",
    "http://127.0.0.1/": "redirect-inward",
    "http://localhost/": "redirect-inward",
    "http://home.maps.org/": "redirect-inward",
    "http://zero.maps.org/": "redirect-inward",
    "http://2852039166/": ("redirect-inward", "redirect-refused"),
    "http://0xa9fea9fe/": ("redirect-inward", "redirect-refused"),
    "http://0251.0376.0251.0376/": ("redirect-inward", "redirect-refused"),
    "http://169.254.43518/": ("redirect-inward", "redirect-refused"),
    "ftp://10.0.0.1/": ("redirect-inward", "redirect-refused"),
    "file:///etc/hostname": "redirect-refused",
    "http://public.maps.org/": "redirected",
}
# What documents name themselves.
NAMED = {
    "http://169.254.169.254/": "private",
    "http://metadata.maps.org/": "private",
    "http://metadata6.maps.org/": "private",
    "http://mapped.maps.org/": "private",
    "http://nat64.maps.org/": ("private", "unreachable", "no-network"),
    "http://inside.maps.org/": "private",
    "http://home.maps.org/": "private",
    "http://10.0.0.1/": "private",
    "http://127.0.0.1/": "private",
    "http://localhost/": "private",
    "http://2852039166/": ("private", "policy"),
    "http://[fd00:ec2::254]/": "private",
    "http://public.maps.org/": "ok",
    # Programs read a host with a dot at its end differently, so the policy cannot say whose it is.
    "http://public.maps.org./": ("ok", "policy"),
    "http://none.maps.org/": "no-such-name",
    "http://1.2.3.4:81/": "connection-refused",
    "http://1.2.3.4/#there": "ok",
    "http://9.9.9.9/": ("unreachable", "no-network"),
}


def compare(what, found, expected):
    codes = found.codes()
    for url, code in expected.items():
        if codes.get(url) not in (code if isinstance(code, tuple) else (code,)):
            yield f"{what}: {url} must be {code}: {next((link for link in found.links if link['url'] == url), None)}"


def came(what, traps, may_come=()):
    """Yields the private addresses that somebody came to, and forgets who came."""
    for trap in traps:
        if trap.came and trap.address not in may_come:
            yield f"{what}: {trap.came} connections to {trap.address}"
        trap.came = 0


def without_private(folder, traps):
    redirects = {f"http://{PUBLIC}/{way}/{url}": code for url, code in LEADS.items() for way in ("to", "hops")}
    for fragment in "", "#there":
        page(folder, "a.md", [url + fragment for url in [*NAMED, *redirects]])
        found = check(folder, "--interval", "0", "--timeout", "5", "a.md")
        if not fragment:
            yield from compare("without --private", found, NAMED | redirects)
            # Only the dead ones are broken.
            broken = {link["url"] for link in found.links if link["outcome"] == "broken"}
            if broken != {"http://none.maps.org/", "http://1.2.3.4:81/"} or found.status != 1:
                yield f"broken, status {found.status}: {broken}"
        yield from came(f"without --private{fragment}", traps)


def with_private(folder, traps):
    """Private addresses are asked, the metadata services are not; public servers still do not lead inwards."""
    named = {"http://10.0.0.1/": "ok", "http://inside.maps.org/": "ok", "http://127.0.0.1/": "ok"}
    refused = ("private", "policy")
    named |= {url: refused for url in NAMED if "metadata" in url or "254" in url or "mapped" in url}
    redirects = {
        f"http://{PUBLIC}/to/{url}": code for url, code in LEADS.items() if "both" not in url and not url.startswith("file")
    }
    page(folder, "a.md", [*named, *redirects])
    found = check(folder, "--private", "--interval", "0", "--timeout", "5", "a.md")
    yield from compare("with --private", found, named | redirects)
    yield from came("with --private", traps, may_come=INSIDE)


def rebinding(folder, traps):
    """A name that has a public address at first: whenever it is looked up again, its address is judged again."""
    urls = [f"http://{name}/{number}#x" for name in NAMES if "rebinds" in name for number in range(30)]
    page(folder, "a.md", urls)
    for options in [], ["--private"]:
        found = check(folder, "--interval", "0", *options, "a.md")
        if any(link["outcome"] == "broken" for link in found.links) or found.status:
            yield f"rebinding {options}: {found.said}"
        yield from came(f"rebinding {options}", traps, may_come=INSIDE if options else ())


def named_pages(folder, traps):
    """A page that the user names has its own reach, its redirects do not have more."""
    for url in f"http://{PUBLIC}/to/http://169.254.169.254/", "http://169.254.169.254/", "http://metadata.maps.org/":
        status, printed, said, _, _ = run(folder, url)
        if status != 2 or printed or said.count("\n") > 2:
            yield f"{url}: status {status}: {printed}{said}"
        yield from came(f"the page {url}", traps)


def nothing_there(folder):
    """Without a server of names nothing is known, which is one error and status 2."""
    page(folder, "many.md", [f"http://h{number}.maps.org/" for number in range(1000)])
    # The file is that of this namespace alone.
    (folder.parent / "resolv.conf").write_text("nameserver 9.9.9.9\n")
    status, printed, said, seconds, _ = run(folder, "many.md")
    lines = [line for line in said.splitlines() if line]
    if (status, printed) != (2, "") or len(lines) > 4 or not any("network" in line for line in lines):
        yield f"without names: status {status} in {seconds:.1f} s: {printed[:300]} {said[:600]}"


def test(folder):
    """Yields what is wrong."""
    files = {"resolv.conf": "nameserver 127.0.0.1\noptions timeout:2 attempts:1\n", "hosts": "127.0.0.1 localhost\n::1 localhost\n"}
    for name, text in files.items():
        (folder / name).write_text(text)
        subprocess.run(["mount", "--bind", folder / name, f"/etc/{name}"], check=True)
    try:
        yield from with_servers(folder / "site")
    finally:
        for name in files:
            subprocess.run(["umount", f"/etc/{name}"], check=True)


def with_servers(folder):
    Names()
    for address in PUBLIC, OTHER:
        Server(public, host=address, port=80)
    traps = [Trap(address) for address in [*METADATA, *INSIDE]]
    # The listeners do count.
    with socket.create_connection((METADATA[0], 80)) as stream:
        stream.recv(1)
    yield from () if traps[0].came else ["the listeners do not count"]
    for part in without_private, with_private, rebinding, named_pages:
        list(came("before", traps))
        yield from part(folder, traps)
    yield from nothing_there(folder)
    print(f"  {len(LEADS)} redirects over one and two servers, {len(NAMED)} links, {len(traps)} addresses inside")
