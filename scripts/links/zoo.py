"""A server that answers in every way, also wrongly: each answer must have its code.

What an answer means is in docs/links.md and spec/command.md; only 404 and 410 to GET, a refused connection, a
loop and a certificate may be broken.
"""

import gzip
import socket
import struct
import time
import zlib

from . import check
from .scripted import Server, closed_port, redirect, response

QUICK = ["--private", "--interval", "0"]
HERE = "<h1 id=there>here</h1>"


def page(folder, name, urls):
    """Writes a document with these links."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("".join(f"[x](<{url}>)\n" for url in urls))


def compare(folder, name, expected, *options, trusts=None):
    """Checks a document whose links must have these codes; yields what is wrong, and returns what was found."""
    page(folder, name, expected)
    found = check(folder, *QUICK, *options, name, trusts=trusts)
    codes = found.codes()
    for url, code in expected.items():
        if codes.get(url) not in (code if isinstance(code, tuple) else (code,)):
            link = next((link for link in found.links if link["url"] == url), None)
            yield f"{url} must be {code}: {link}"
    must = 1 if any(link["outcome"] == "broken" for link in found.links) else 0
    if found.status != must or len(found.links) != len(expected):
        yield f"{name}: status {found.status}, {len(found.links)} of {len(expected)} links: {found.said}"
    return found


# Statuses.

REDIRECTS = {301, 302, 303, 307, 308}


def code_of(status):
    """The code of a status without a Location, to HEAD and to GET."""
    named = {401: "login", 403: "forbidden", 404: "not-found", 407: "proxy", 410: "gone", 503: "busy"}
    if status in named:
        return named[status]
    if status in REDIRECTS:
        return "bad-redirect"
    return "ok" if status < 300 else "server-error" if 500 <= status <= 599 else "status"


def by_status(request):
    """`/both/404`, `/head/404` (GET says 200), `/get/404` (HEAD says 200), `/to/301` (with a Location)."""
    kind, _, status = request.target[1:].partition("/")
    if kind == "end":
        return response(200, body=HERE)
    status, is_head = int(status), request.method == "HEAD"
    if kind == "to":
        return redirect(status, "/end")
    if kind == "both" or is_head == (kind == "head"):
        return response(status)
    return response(200, body=HERE)


def statuses(folder):
    """Every status to HEAD and GET apart, and with a Location."""
    # A server for each, since one that refuses HEAD once is asked by GET at once.
    both, head, get, to = (Server(by_status) for _ in range(4))
    usual = [status for status in range(200, 600) if status != 429] + [600, 700, 999]
    expected = {both.url(f"/both/{status}"): code_of(status) for status in usual}
    expected |= {head.url(f"/head/{status}"): "ok" for status in usual}
    # A short page is read by GET, too, which alone says that it is dead.
    dead = {404: "not-found", 410: "gone"}
    expected |= {get.url(f"/get/{status}"): dead.get(status, "ok") for status in usual}
    leads = REDIRECTS | {300}
    # Not a redirect: the Location of these is of something else (RFC 9110, 15.3.2).
    expected |= {to.url(f"/to/{status}"): "redirected" if status in leads else code_of(status) for status in usual}
    yield from compare(folder, "statuses.md", expected)
    for server in both, head, get, to:
        for (method, target), count in server.counts.items():
            # An error of the server is asked for once more at the end, and a busy server twice.
            most = 3 if "/503" in target else 2 if "/5" in target else 1
            if count > (most if method == "GET" else 1):
                yield f"{method} {target}: {count} times"


INTERIM = [100, 102, 103, 104, 150, 199]


def interim(folder):
    """Statuses 1xx, before another response and alone."""

    def answer(request):
        kind, _, status = request.target[1:].partition("/")
        one = response(int(status), "Link: </a>; rel=preload")
        if kind == "alone":
            return one + b"Connection: close"
        return one * (1 if kind == "once" else 30) + response(200, body=HERE)

    server = Server(answer)
    expected = {server.url(f"/once/{status}{name}"): "ok" for status in INTERIM for name in ("", "#there")}
    expected |= {server.url(f"/often/{status}"): "ok" for status in INTERIM}
    expected |= {server.url(f"/alone/{status}"): ("reset", "protocol") for status in [*INTERIM, 101]}
    yield from compare(folder, "interim.md", expected)


# Redirects.


def answer_chain(request):
    kind, _, rest = request.target[1:].partition("/")
    match kind:
        case "chain":
            return redirect(301, f"/chain/{int(rest) - 1}") if int(rest) else response(200, body=HERE)
        case "around":
            return redirect(302, f"/around/{(int(rest) + 1) % 4}")
        case "itself":
            return redirect(302, request.target)
        case "counts":
            # A new URL each time.
            return redirect(302, f"/counts/{int(rest) + 1}")
        case "cookie-counts":
            # A new cookie each time.
            number = int(request.headers.get("cookie", "n=0").split("n=")[-1])
            return redirect(302, request.target, f"Set-Cookie: n={number + 1}")
        case "cookie-thrice":
            number = int(request.headers.get("cookie", "n=0").split("n=")[-1])
            at = redirect(302, request.target, f"Set-Cookie: n={number + 1}")
            return at if number < 3 else response(200, body=HERE)
        case "cookie-never":
            return redirect(302, request.target, "Set-Cookie: seen=1")
        case "private":
            return redirect(301, "/accounts/login?next=/private")
    places = {
        "empty": "",
        "spaces": "  ",
        "no-host": "http:///",
        "bracket": "http://[",
        "port": "http://127.0.0.1:99999/",
        "script": "javascript:alert(1)",
        "data": "data:text/html,<p>",
        "file": "file:///etc/passwd",
        "ftp": "ftp://127.0.0.1/",
        "mail": "mailto:joe@example.org",
        "smtp": "http://127.0.0.1:25/",
        "none": f"http://127.0.0.1:{CLOSED}/",
        "dead": "/404",
        "long": "/" + "a" * 5000,
    }
    if request.target in ("/404", "/accounts/login?next=/private"):
        return response(404 if kind == "404" else 200)
    return redirect(302, places[kind]) if kind in places else response(200, body=HERE)


CLOSED = closed_port()


def redirects(folder):
    server = Server(answer_chain)
    expected = {server.url(f"/chain/{n}"): "redirected" if n <= 20 else "too-many-redirects" for n in range(1, 26)}
    expected |= {
        server.url("/around/0"): "loop",
        server.url("/itself/a"): "loop",
        server.url("/counts/0"): "too-many-redirects",
        server.url("/cookie-counts"): "loop",
        server.url("/cookie-never"): "loop",
        server.url("/cookie-thrice"): "ok",
        server.url("/private"): "login",
        server.url("/empty"): ("bad-redirect", "loop"),
        server.url("/spaces"): ("bad-redirect", "loop"),
        server.url("/no-host"): ("bad-redirect", "redirect-refused"),
        server.url("/bracket"): "bad-redirect",
        server.url("/port"): ("bad-redirect", "redirect-refused"),
        server.url("/script"): "redirect-refused",
        server.url("/data"): "redirect-refused",
        server.url("/file"): "redirect-refused",
        server.url("/ftp"): "redirect-refused",
        server.url("/mail"): "redirect-refused",
        server.url("/smtp"): "redirect-refused",
        server.url("/none"): "connection-refused",
        server.url("/dead"): "not-found",
        server.url("/long"): "redirected",
    }
    found = yield from compare(folder, "redirects.md", expected)
    hops = {link["url"]: len(link.get("hops", [])) for link in found.links}
    if any(hops[server.url(f"/chain/{n}")] != n for n in range(1, 21)):
        yield f"numbers of hops: {hops}"
    # Forty links to one chain are as many requests as it has URLs.
    if any(server.asked(f"/chain/{n}") != {"HEAD": 1} for n in range(1, 26)):
        yield f"chains: {[server.asked(f'/chain/{n}') for n in range(0, 26)]}"


# Answers that are wrong, or that do not end.


def reset(stream):
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()


def bomb():
    """The gzip format of 256 MiB of zeros, in 256 KiB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = packer.compress(b"<p id=there>")
    block = bytes(1 << 20)
    return start + b"".join(packer.compress(block) for _ in range(256)) + packer.flush()


def endless(stream, start, piece):
    """Sends a piece again and again, until the client has enough."""
    stream.sendall(start)
    while True:
        stream.sendall(piece)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
WRONG = {
    # What is sent, and the codes that may follow: without a fragment, and with `#there`.
    "zero-nine": (b"<h1 id=there>HTTP/0.9</h1>\n", ("protocol", "reset")),
    "nothing": (b"", "reset"),
    "half-a-line": (b"HTTP/1.1 2", ("protocol", "reset")),
    "half-a-head": (b"HTTP/1.1 200 OK\r\nX: y", ("protocol", "reset")),
    "smtp": (b"220 mail ESMTP\r\n", ("protocol", "reset")),
    "ssh": (b"SSH-2.0-OpenSSH_9.2\r\n", ("protocol", "reset")),
    "icy": (b"ICY 200 OK\r\n\r\n", ("protocol", "reset", "ok")),
    "lower-case": (b"http/1.1 200 ok\r\n\r\n", ("protocol", "reset", "ok")),
    "http-3": (b"HTTP/3.0 200 OK\r\n\r\n", ("protocol", "reset", "ok")),
    "http-2-frames": (b"\0\0\0\x04\0\0\0\0\0", ("protocol", "reset")),
    "tls-alert": (b"\x15\x03\x01\0\x02\x02\x28", ("protocol", "reset")),
    "status-word": (b"HTTP/1.1 okay\r\n\r\n", ("protocol", "reset")),
    "status-42": (b"HTTP/1.1 42 Short\r\n\r\n", ("protocol", "reset")),
    "status-2000": (b"HTTP/1.1 2000 Long\r\n\r\n", ("protocol", "reset")),
    "no-colon": (HEAD + b"what is this\r\n\r\n", ("protocol", "reset", "ok")),
    "nul": (HEAD + b"X: a\0b\r\n\r\n", ("protocol", "reset", "ok")),
    "folded": (HEAD + b"X: a\r\n b\r\n\r\n", ("protocol", "reset", "ok")),
    "latin-1": (HEAD + b"X: \xe4\r\nContent-Length: 0\r\n\r\n", "ok"),
    "space-colon": (HEAD + b"X : a\r\n\r\n", ("protocol", "reset", "ok")),
    "two-lengths": (HEAD + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", ("protocol", "reset", "ok")),
    "negative-length": (HEAD + b"Content-Length: -3\r\n\r\nabc", ("protocol", "reset", "ok")),
    "huge-length": (HEAD + b"Content-Length: 99999999999999999999999\r\n\r\nabc", ("protocol", "reset", "ok")),
    "longer": (HEAD + b"Content-Length: 10\r\n\r\nabc", "ok"),
    "shorter": (HEAD + b"Content-Length: 2\r\n\r\nabc", "ok"),
    "bad-chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", "ok"),
    "chunk-overflow": (HEAD + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabc", "ok"),
    "other-coding": (HEAD + b"Transfer-Encoding: nonsense\r\n\r\nabc", ("ok", "protocol", "reset")),
    "many-headers": (HEAD + b"".join(b"X-%d: y\r\n" % n for n in range(5000)) + b"\r\n", ("protocol", "reset", "ok")),
    "large-header": (HEAD + b"X: " + b"y" * 3_000_000 + b"\r\n\r\n", ("protocol", "reset", "ok")),
}


def answer_wrongly(request):
    kind = request.target[1:].partition("/")[0]
    request.stream.sendall(WRONG[kind][0])
    # No reset: what is sent must arrive.
    request.stream.shutdown(socket.SHUT_WR)
    request.stream.settimeout(5)
    while request.stream.recv(65536):
        pass


def wrong(folder):
    server = Server(answer_wrongly)
    expected = {server.url(f"/{kind}"): codes for kind, (_, codes) in WRONG.items()}
    yield from compare(folder, "wrong.md", expected)
    # With a fragment the body is read; then only HTTP that is right has an answer.
    read = {"unread-anchor", "remote-anchor"}
    with_fragment = {}
    for url, codes in expected.items():
        codes = {codes} if isinstance(codes, str) else set(codes)
        with_fragment[f"{url}#nowhere"] = tuple(codes - {"ok"} | (read if "ok" in codes else set()))
    yield from compare(folder, "wrong-fragments.md", with_fragment)


def answer_without_end(request):
    stream = request.stream
    match request.target[1:].partition("/")[0]:
        case "reset-in-head":
            stream.sendall(b"HTTP/1.1 200 OK\r\nX: y\r\n")
            return reset(stream)
        case "reset-in-body":
            if request.method == "HEAD":
                return response(405)
            stream.sendall(HEAD + b"Content-Length: 1000\r\n\r\n<p id=there>")
            time.sleep(0.2)
            return reset(stream)
        case "endless-line":
            return endless(stream, b"HTTP/1.1 200 ", b"OK" * 30_000)
        case "endless-header":
            return endless(stream, HEAD + b"X: ", b"y" * 60_000)
        case "endless-headers":
            return endless(stream, HEAD, b"X: y\r\n" * 10_000)
        case "endless-hints":
            return endless(stream, b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 1000)
        case "endless-body":
            return endless(stream, HEAD + b"\r\n<p id=there>", b"<p>" * 20_000)
        case "endless-chunks":
            return endless(stream, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"3\r\n<p>\r\n" * 5_000)
        case "endless-tag":
            return endless(stream, HEAD + b"\r\n<p id=there>", b"<" * 60_000)
        case "bomb":
            return response(200, "Content-Type: text/html", "Content-Encoding: gzip", body=BOMB)
        case "gzip":
            return response(200, "Content-Type: text/html", "Content-Encoding: gzip", body=gzip.compress(HERE.encode()))
    raise AssertionError(request.target)


BOMB = bomb()
# The most memory that the command may have, in MiB: ten pages at a time may have 16 MiB each.
MOST_MEMORY = 300


def without_end(folder):
    server = Server(answer_without_end)
    expected = {
        "reset-in-head": "reset",
        "reset-in-body": "ok",
        "reset-in-body/x#there": ("reset", "unread-anchor"),
        "endless-line": ("protocol", "timed-out", "reset"),
        "endless-header": ("protocol", "timed-out", "reset"),
        "endless-headers": ("protocol", "timed-out", "reset"),
        "endless-hints": ("protocol", "timed-out", "reset"),
        "endless-body": "ok",
        "endless-body/x#there": ("unread-anchor", "ok"),
        "endless-chunks/x#there": ("unread-anchor", "ok"),
        "endless-tag/x#there": ("unread-anchor", "ok"),
        "bomb": "ok",
        "bomb/x#there": "unread-anchor",
        "bomb/x#nowhere": "unread-anchor",
        "gzip#there": "unread-anchor",
    }
    expected = {server.url(f"/{path}"): code for path, code in expected.items()}
    found = yield from compare(folder, "without-end.md", expected, "--timeout", "5")
    if found.memory > MOST_MEMORY:
        yield f"{found.memory} MiB for answers without an end"


def slow(folder):
    """Servers that send an octet now and then, or nothing."""

    def answer(request):
        octets = response(200, body=HERE)
        if request.target == "/late":
            time.sleep(1)
            return octets
        if request.target == "/trickles":
            for octet in octets:
                request.stream.sendall(bytes([octet]))
                time.sleep(0.3)
        time.sleep(20)

    server, silent = Server(answer), socket.create_server(("127.0.0.1", 0))
    expected = {server.url("/late"): "ok", server.url("/trickles"): "timed-out", server.url("/silent"): "timed-out"}
    expected[f"http://127.0.0.1:{silent.getsockname()[1]}/"] = "timed-out"
    found = yield from compare(folder, "slow.md", expected, "--timeout", "2")
    if found.seconds > 15:
        yield f"{found.seconds} s for servers that do not answer within 2 s"


# Limits.


def limits(folder):
    """Servers that say that they are asked too much."""

    def answer(request):
        kind = request.target[1:].partition("/")[0]
        if kind == "ok":
            return response(200, body=HERE)
        status, *fields = {
            "day": (429, "Retry-After: 86400"),
            "busy-day": (503, "Retry-After: 86400"),
            "date": (429, "Retry-After: Fri, 31 Dec 2100 23:59:59 GMT"),
            "past": (503, "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"),
            "nonsense": (503, "Retry-After: soon"),
            "negative": (503, "Retry-After: -1"),
            "for-ever": (429,),
            "ever-zero": (429, "Retry-After: 0"),
            "limit": (200, "RateLimit-Remaining: 0", "RateLimit-Reset: 3600"),
        }[kind]
        return response(status, *fields)

    codes = {"day": "waits", "busy-day": "waits", "date": "waits", "past": "busy", "nonsense": "busy"}
    codes |= {"negative": "busy", "for-ever": "too-many-requests", "ever-zero": "too-many-requests", "limit": "ok"}
    servers = {kind: Server(answer) for kind in codes}
    expected = {servers[kind].url(f"/{kind}"): code for kind, code in codes.items()}
    found = yield from compare(folder, "limits.md", expected, "--max-wait", "1")
    for kind in "day", "busy-day", "date":
        if sum(servers[kind].counts.values()) != 1:
            yield f"{kind}: asked {servers[kind].counts}"
    if sum(servers["for-ever"].counts.values()) > 7 or found.seconds > 20:
        yield f"429 for ever: {servers['for-ever'].counts} in {found.seconds} s"
    # What is left for the same host is not asked either.
    server = Server(answer)
    urls = [server.url("/day"), *[server.url(f"/ok/{number}") for number in range(200)]]
    page(folder, "same-host.md", urls)
    found = check(folder, *QUICK, "--per-host", "1", "same-host.md")
    if {link["code"] for link in found.links} != {"waits"} or sum(server.counts.values()) != 1:
        yield f"a host that asks to wait for a day: {server.counts}"


def many(folder):
    """1,000 links to one host, and to one that wants cookies: ten requests at a time, each URL once."""

    def answer(request):
        kind, _, rest = request.target[1:].partition("/")
        time.sleep(0.004)
        if kind == "cookie" and "seen=1" not in request.headers.get("cookie", ""):
            return redirect(302, request.target, "Set-Cookie: seen=1; Path=/")
        if kind == "moved":
            return redirect(301, "/ok/same")
        return response(404 if kind == "dead" else 200, body=HERE)

    for kind, code, most in ("ok", "ok", 2), ("dead", "not-found", 2), ("moved", "redirected", 1), ("cookie", "ok", 3):
        server = Server(answer)
        expected = {server.url(f"/{kind}/{number}"): code for number in range(1000)}
        yield from compare(folder, f"many-{kind}.md", expected)
        requests = sum(server.counts.values())
        if server.most_running > 10 or requests > 1000 * most + 2:
            yield f"1,000 links, {kind}: {requests} requests, {server.most_running} at a time"
        if server.connections > 60:
            yield f"1,000 links, {kind}: {server.connections} connections"


def test(folder):
    """Yields what is wrong."""
    for part in statuses, interim, redirects, wrong, without_end, slow, limits, many:
        began, count = time.monotonic(), 0
        for line in part(folder / "site"):
            count += 1
            yield f"{part.__name__}: {line}"
        print(f"  {part.__name__:12} {count or 'no'} errors, {time.monotonic() - began:.1f} s", flush=True)
