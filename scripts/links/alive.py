"""A site in which nothing is dead, with everything that only looks dead.

The documents are in `alive/`; `{web}`, `{secure}` and others in them are the servers of `Hosts`, whose first name
of a path says how they answer. `CODES` has what must be known of a reference.
"""

import html
import socket
import ssl
import struct
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

from . import certificates, check
from .scripted import Server, redirect, response

DOCUMENTS = Path(__file__).resolve().parent / "alive"
# Names that not every system can have in a clone.
ODD = ["with space", "käse", "a|b", "100%", "a[1]", "hash#tag", "question?", "a_(b)"]


def reset(stream):
    """Ends a connection by a reset."""
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()


class Answers:
    """What the server of the web answers, by the first name of the path."""

    def __init__(self):
        self.tries = Counter()

    def __call__(self, request):
        kind, _, rest = request.target[1:].partition("?")[0].partition("/")
        self.tries[request.method, request.target] += 1
        answer = getattr(self, "on_" + kind.replace("-", "_"), None)
        if answer:
            return answer(request, rest)
        if kind.isdigit():
            return response(int(kind), body="<p>a page of the server")
        return response(200, body=f"<h1 id=there>{kind}</h1><a name=old-way></a><p id='a b'><p id='&eacute;'>")

    def gets(self, request):
        return self.tries["GET", request.target]

    @staticmethod
    def on_head(request, rest):
        """`/head/405/200`: the status to HEAD, and that to GET."""
        return response(int(rest.split("/")[request.method == "GET"]), body="<p id=there>")

    @staticmethod
    def on_head_resets(request, rest):
        return reset(request.stream) if request.method == "HEAD" else response(200, body="here")

    def on_busy(self, request, rest):
        """The first answer is 429."""
        is_first = self.tries[request.method, request.target] < 2
        return response(429, "Retry-After: 1") if is_first else response(200, body="here")

    def on_first_resets(self, request, rest):
        """A server that restarts: the retry at the end finds it."""
        return response(200, body="here") if self.gets(request) > 2 else reset(request.stream)

    def on_first_fails(self, request, rest):
        return response(200, body="here") if self.gets(request) > 1 else response(503)

    @staticmethod
    def on_cookie(request, rest):
        """Redirects to itself until the cookie is there."""
        if "seen=1" in request.headers.get("cookie", ""):
            return response(200, body="here")
        return redirect(302, request.target, "Set-Cookie: seen=1; Path=/")

    @staticmethod
    def on_consent(request, rest):
        """Redirects to a page for consent and back, with a cookie."""
        has_cookie = "agreed=1" in request.headers.get("cookie", "")
        if rest.startswith("ask"):
            return redirect(303, f"/consent/page{rest[3:]}", "Set-Cookie: agreed=1; Path=/")
        return response(200, body="here") if has_cookie else redirect(302, f"/consent/ask{rest[4:]}")

    @staticmethod
    def on_head_loops(request, rest):
        return redirect(302, request.target) if request.method == "HEAD" else response(200, body="here")

    @staticmethod
    def on_members(request, rest):
        return redirect(301, "/login?back=/members")

    @staticmethod
    def on_chain(request, rest):
        return redirect(302, f"/chain/{int(rest) - 1}") if int(rest) else response(200, body="here")

    @staticmethod
    def on_to(request, rest):
        """`/to/301/NAME`: a redirect to a Location by its name."""
        status, _, name = rest.partition("/")
        places = {
            "relative": "../../ok/a",
            "query": "?a=b",
            "fragment": "/ok/b#there",
            "space": "/ok/a b",
            "utf-8": "/ok/\xc3\xa4",
            "upper": f"HTTP://{request.headers['host'].upper()}/ok/c",
            "slashes": f"//{request.headers['host']}/ok/d",
            "dots": "/x/../ok/e",
        }
        if request.target.endswith("?a=b"):
            return response(200, body="here")
        return redirect(int(status), places[name])

    @staticmethod
    def on_challenge(request, rest):
        return response(403, "cf-mitigated: challenge", "Server: cloudflare", body="<title>Just a moment...</title>")

    @staticmethod
    def on_missing_challenge(request, rest):
        return response(404, "cf-mitigated: challenge", body="<title>Just a moment...</title>")

    @staticmethod
    def on_browsers_only(request, rest):
        return response(404 if request.method == "HEAD" else 200, body="here")

    @staticmethod
    def on_short(request, rest):
        """A body that ends early."""
        return response(200, "Connection: close", length=500, body="<p>and then")

    @staticmethod
    def on_endless_chunks(request, rest):
        return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n"

    @staticmethod
    def on_until_close(request, rest):
        return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p id=there>"

    @staticmethod
    def on_hints(request, rest):
        hints = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
        return hints + hints + response(200, body="<p id=there>")

    @staticmethod
    def on_no_reason(request, rest):
        return b"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"

    @staticmethod
    def on_bare_lf(request, rest):
        return b"HTTP/1.1 200 OK\nContent-Length: 0\nConnection: close\n\n"

    @staticmethod
    def on_http10(request, rest):
        return b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nhere"

    @staticmethod
    def on_refresh(request, rest):
        return response(200, body="<meta http-equiv=refresh content='0; url=/ok/there'>")

    @staticmethod
    def on_script(request, rest):
        return response(200, body="<div id=app></div><script src=app.js></script>")

    @staticmethod
    def on_gone_by_head(request, rest):
        return response(410) if request.method == "HEAD" else response(200, body="here")

    @staticmethod
    def on_lies(request, rest):
        """Says that a text is compressed."""
        return response(200, "Content-Encoding: gzip", body="<p id=there>not compressed")


def no_http():
    """Returns the port of a server that answers in another protocol."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run():
        while True:
            with listener.accept()[0] as stream, suppress(OSError):
                stream.recv(65536)
                stream.sendall(b"220 mail.example ESMTP\r\n")

    threading.Thread(target=run, daemon=True).start()
    return listener.getsockname()[1]


def old_tls(certificate):
    """Returns the settings of a server that has only versions of TLS that are not used any more."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.load_cert_chain(certificate)
    return context


class Hosts:
    """The servers that the documents name."""

    def __init__(self, folder):
        made = folder / "certificates"
        if not made.exists():
            certificates.write(made)
        self.trusts, self.answers = made / "ca.pem", Answers()
        self.web = Server(self.answers)
        self.secure = Server(self.on_secure, certificate=made / "good.pem")
        self.servers = {
            "web": self.web,
            "secure": self.secure,
            "six": Server(self.answers, host="::1"),
            "unknown-issuer": Server(self.answers, certificate=made / "unknown-issuer.pem"),
            "not-yet": Server(self.answers, certificate=made / "not-yet.pem"),
            "old-tls": Server(self.answers, context=old_tls(made / "good.pem")),
        }
        self.places = {name: server.base for name, server in self.servers.items()}
        port = self.web.port
        self.places |= {
            "no-http": f"http://127.0.0.1:{no_http()}",
            "web-slashes": f"http:////127.0.0.1:{port}",
            "web-upper": f"HTTP://LOCALHOST:{port}",
            "web-user": f"http://joe@127.0.0.1:{port}",
            "web-zeros": f"http://127.0.0.1:00{port}",
        }

    def on_secure(self, request):
        if request.target.startswith("/down"):
            return redirect(302, self.web.url("/ok/down"))
        return self.answers(request)

    def fill(self, text):
        """Puts the servers in the place of their names."""
        for name, place in self.places.items():
            text = text.replace("{" + name + "}", place)
        return text


def codes(hosts):
    """Returns the references of alive/references.txt, with their codes."""
    lines = (DOCUMENTS / "references.txt").read_text().splitlines()
    words = [line.partition(" ")[::2] for line in lines if line and not line.startswith("#")]
    return [(hosts.fill(reference), code) for code, reference in words]


def write(top, hosts):
    """Writes the site; returns the references that must have a code, with it."""
    for path in DOCUMENTS.rglob("*"):
        to = top / path.relative_to(DOCUMENTS)
        if path.is_file() and path.name != "references.txt":
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(hosts.fill(path.read_text()).encode() if path.suffix != ".png" else path.read_bytes())
    for name in ODD:
        (top / f"files/{name}.html").write_text("<p>")
    (top / "with space").mkdir()
    (top / "with space/a page.html").write_text('<a href="../files/plain.html">x</a>')
    # The tree of a repository: what is above it is at a forge.
    (top / ".git").mkdir()
    others(top)
    expected = codes(hosts)
    links = "".join(f'<a href="{html.escape(url)}">x</a>\n' for url, _ in expected)
    (top / "references.html").write_text(f"<!DOCTYPE html>\n{links}<p id=anchor>")
    return expected


def others(top):
    """Writes documents in other encodings, and with other ends of lines."""
    page = '<a href="files/käse.html">x</a><a href="#ä">x</a><p id="ä">'
    (top / "latin1.html").write_bytes(f"<meta charset=iso-8859-1>{page}".encode("latin-1"))
    (top / "utf16.html").write_bytes(page.encode("utf-16"))
    (top / "mark.md").write_bytes("\ufeff# Käse\r\n\r\n[x](#käse) [y](files/käse.html)\r\n".encode())
    (top / "old-mac.md").write_bytes(b"# A\r\r[x](#a)\r")
    (top / "empty.html").touch()
    (top / "empty.md").touch()


def test(folder):
    """Checks the site, and yields what is red, or is known otherwise than it should be."""
    hosts = Hosts(folder)
    expected = write(folder / "site", hosts)
    found = check(folder / "site", "--private", "--interval", "0", ".", trusts=hosts.trusts)
    broken = [link for link in found.links if link["outcome"] == "broken"]
    yield from (f"broken: {link}" for link in broken)
    own = [link for link in found.links if link["file"] == "references.html"]
    if found.status or len(own) != len(expected):
        yield f"status {found.status}, {len(own)} of {len(expected)} references: {found.said}"
    for (reference, code), link in zip(expected, own):
        if (reference.strip(), code) != (link["url"], link["code"]):
            yield f"{reference!r} must be {code}: {link}"
    documents = {link["file"] for link in found.links}
    if len(documents) < FEWEST_DOCUMENTS:
        yield f"only {len(documents)} documents have links: {sorted(documents)}"
    print(f"  {len(found.links)} links in {len(documents)} documents, none broken: {found.seconds:.1f} s")


# So many documents have links.
FEWEST_DOCUMENTS = 24
