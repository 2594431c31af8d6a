"""nginx, with redirects, logins, limits, HTTP/2, and certificates of each kind that can be wrong.

The program is that of scripts/servers, or one on the PATH. In front of a scripted server it is slow, too.
"""

import gzip
import os
import subprocess
import time

import machine

from . import certificates, check
from .scripted import Server, response
from .zoo import compare, page

CONFIGURATION = """
worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log; {user}
events {{ worker_connections 256; }}
http {{
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  log_format one '$server_port $request_method $request_uri $server_protocol $status $connection';
  access_log {folder}/access.log one;
  types {{ text/html html; text/plain txt; image/gif gif; }}
  limit_req_zone $server_port zone=slow:1m rate=2r/s;
  limit_req_zone $server_port zone=few:1m rate=30r/s;
  server_tokens off;
  server {{
    listen 127.0.0.1:{web};
    root {folder}/files; autoindex on; gzip_static on;
    error_page 404 /error.html; error_page 418 =200 /index.html; error_page 419 =404 /index.html;
    location = /error.html {{ internal; }}
    {redirects}
    location = /with-fragment {{ return 301 /docs/guide.html#usage; }}
    location = /loop {{ return 302 /loop-2; }} location = /loop-2 {{ return 302 /loop; }}
    location = /to-private {{ return 302 /private/page.html; }}
    location = /to-missing {{ return 301 /none.html; }}
    location = /to-login {{ return 302 /users/sign_in?to=$request_uri; }} location = /users/sign_in {{ return 200 in; }}
    location = /cookie {{ if ($http_cookie ~ seen) {{ return 200 here; }} add_header Set-Cookie seen=1 always; return 302 /cookie; }}
    location = /drops {{ return 444; }}
    location = /gone {{ return 410; }}
    location = /teapot {{ return 418; }} location = /soft {{ return 419; }}
    location = /only-get {{ if ($request_method = HEAD) {{ return 405; }} return 200 "here"; }}
    location = /only-browsers {{ if ($http_user_agent !~ Mozilla) {{ return 403; }} return 200 "here"; }}
    location = /hotlink.gif {{ valid_referers none server_names; if ($invalid_referer) {{ return 403; }} return 200 "x"; }}
    location = /empty {{ return 204; }}
    location /private/ {{ auth_basic "realm"; auth_basic_user_file {folder}/users; }}
    location /internal/ {{ internal; }}
    location /denied/ {{ deny all; }}
    location /up/ {{ proxy_pass http://127.0.0.1:{scripted}/; proxy_read_timeout 1s; proxy_buffering off; }}
    location /dead/ {{ proxy_pass http://127.0.0.1:1/; }}
  }}
  server {{ listen 127.0.0.1:{busy}; root {folder}/files; limit_req zone=slow nodelay; limit_req_status 429;
            error_page 429 /429.html; location = /429.html {{ internal; add_header Retry-After 1 always; }} }}
  server {{ listen 127.0.0.1:{unavailable}; root {folder}/files; limit_req zone=few burst=20; limit_req_status 503; }}
  server {{ listen 127.0.0.1:{plain_old}; root {folder}/files; keepalive_timeout 0; chunked_transfer_encoding off; }}
  server {{ listen 127.0.0.1:{h2} ssl http2; root {folder}/files; autoindex on; ssl_certificate {made}/good.pem; ssl_certificate_key {made}/good.key;
            location = /refuses-h2 {{ if ($http2) {{ return 403; }} return 200 "here"; }}
            location = /down {{ return 301 http://127.0.0.1:{web}/docs/guide.html; }}
            location = /goaway {{ return 444; }} }}
  {bad}
}}
"""
# The servers by TLS: the certificate, settings, and the code of their links.
TLS = {
    "expired": ("expired", "", "certificate-expired"),
    "other-name": ("other-name", "", "certificate-for-other-host"),
    "self-signed": ("self-signed", "", "certificate-self-signed"),
    "unknown-issuer": ("unknown-issuer", "", "certificate-unknown"),
    "not-yet": ("not-yet", "", "tls"),
    "old": ("good", "ssl_protocols TLSv1 TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;", "tls"),
    "ciphers": ("good", "ssl_protocols TLSv1.2; ssl_ciphers AES256-SHA;", "tls"),
    "wants-certificate": ("good", "ssl_verify_client on; ssl_client_certificate {made}/ca.crt;", "status"),
    "refuses": ("good", "ssl_reject_handshake on;", "tls"),
}
REDIRECTS = [301, 302, 303, 307, 308]


def slow(request):
    """A server behind nginx: `/trickle` sends an octet now and then, `/hints` has early hints."""
    if request.target == "/trickle":
        for octet in response(200, body="here"):
            request.stream.sendall(bytes([octet]))
            time.sleep(0.2)
    if request.target == "/never":
        time.sleep(30)
    return response(200, body="<p id=there>here")


class Nginx:
    """nginx with the configuration above, until it is left."""

    def __init__(self, folder):
        self.folder, made = folder / "nginx", folder / "certificates"
        certificates.write(made)
        self.trusts = made / "ca.pem"
        names = ["web", "busy", "unavailable", "plain_old", "h2", *TLS]
        self.ports = dict(zip(names, machine.free_ports(len(names))))
        self.files()
        bad = "".join(
            f"server {{ listen 127.0.0.1:{self.ports[name]} ssl; root {self.folder}/files; ssl_certificate {made}/{pem}.pem;"
            f" ssl_certificate_key {made}/{pem}.key; {more.format(made=made)} }}\n"
            for name, (pem, more, _) in TLS.items()
        )
        redirects = "".join(f"location = /moved/{status} {{ return {status} /docs/guide.html; }}\n" for status in REDIRECTS)
        user = "user root;" if os.geteuid() == 0 else ""
        words = {"folder": self.folder, "made": made, "bad": bad, "redirects": redirects, "user": user}
        text = CONFIGURATION.format(**words, **self.ports, scripted=Server(slow).port)
        (self.folder / "nginx.conf").write_text(text)

    def files(self):
        files = self.folder / "files"
        for name in "docs/empty", "private", "internal", "denied", "with space":
            (files / name).mkdir(parents=True)
        guide = "<h1 id=usage>Usage</h1>"
        for name in "index.html", "docs/guide.html", "private/page.html", "denied/page.html", "error.html", "with space/ä.html":
            (files / name).write_text(guide)
        (files / "zipped.html").write_text(guide)
        (files / "zipped.html.gz").write_bytes(gzip.compress(b"<h1 id=usage>zipped</h1>"))
        (files / "large.html").write_text("<p>" * 400_000)
        (files / "secret.html").write_text("x")
        (files / "429.html").write_text("slower")
        (self.folder / "users").write_text("joe:{PLAIN}secret\n")

    def __enter__(self):
        arguments = ["-p", self.folder, "-c", self.folder / "nginx.conf", "-e", self.folder / "error.log"]
        self.process = machine.start_daemon("nginx", arguments, self.ports["web"], log=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def url(self, server, path):
        scheme = "https" if server == "h2" or server in TLS else "http"
        return f"{scheme}://127.0.0.1:{self.ports[server]}{path}"

    def requests(self, server):
        """Returns what was asked of a server: method, path, protocol, status, connection."""
        lines = [line.split() for line in (self.folder / "access.log").read_text().splitlines()]
        return [line[1:] for line in lines if line[0] == str(self.ports[server])]


# By path, at the server of the web.
WEB = {
    "/": "ok",
    "/docs/": "ok",
    "/docs/guide.html#usage": "ok",
    "/docs/guide.html#lost": "remote-anchor",
    "/docs/#usage": "remote-anchor",
    # The slash of a directory.
    "/docs": "redirected",
    "/docs/empty": "redirected",
    "/docs/empty/": "ok",
    "/with space/ä.html": "ok",
    "/with%20space/%C3%A4.html#usage": "ok",
    "/docs/../docs/guide.html": "ok",
    "/docs/%2e%2e/docs/guide.html": "ok",
    "//docs//guide.html": "ok",
    "/%zz": ("status", "ok", "not-found"),
    "/none.html": "not-found",
    "/error.html": "not-found",
    "/internal/": "not-found",
    "/denied/page.html": "forbidden",
    **{f"/moved/{status}": "redirected" for status in REDIRECTS},
    **{f"/moved/{status}#usage": "redirected" for status in REDIRECTS},
    "/with-fragment": "redirected",
    "/loop": "loop",
    "/to-private": "login",
    "/to-missing": "not-found",
    "/to-login": "login",
    "/cookie": "ok",
    "/drops": "reset",
    "/gone": "gone",
    "/teapot": "ok",
    # A page of the site with the status of a missing one.
    "/soft": "not-found",
    "/only-get": "ok",
    "/only-browsers": "forbidden",
    "/hotlink.gif": "ok",
    "/empty": "ok",
    "/private/page.html": "login",
    "/zipped.html#usage": "ok",
    "/large.html": "ok",
    "/large.html#usage": "remote-anchor",
    "/up/there#there": "ok",
    "/up/trickle": ("ok", "timed-out", "server-error"),
    "/up/never": "server-error",
    "/dead/": "server-error",
    f"/{'x' * 9000}": "status",
}
# By path, at the server of HTTP/2.
H2 = {
    "/": "ok",
    "/docs": "redirected",
    "/docs/guide.html#usage": "ok",
    "/none.html": "not-found",
    "/refuses-h2": "ok",
    "/down": "redirect-downgrade",
    "/goaway": ("reset", "protocol", "tls"),
}


def statuses(nginx, folder):
    expected = {nginx.url("web", path): code for path, code in WEB.items()}
    expected |= {nginx.url("plain_old", path): "ok" for path in ("/", "/docs/guide.html", "/docs/guide.html#usage")}
    expected[nginx.url("plain_old", "/docs/")] = "forbidden"
    # TLS is spoken at that port.
    expected[f"http://127.0.0.1:{nginx.ports['h2']}/"] = "status"
    expected[f"https://127.0.0.1:{nginx.ports['web']}/"] = ("tls", "protocol", "reset")
    yield from compare(folder, "web.md", expected, "--timeout", "10", trusts=nginx.trusts)
    asked = [tuple(line[:2]) for line in nginx.requests("web")]
    again = {line for line in asked if asked.count(line) > 1}
    # What redirects lead to and is not there is asked for once more.
    allowed = ("/loop", "/cookie", "/drops", "/up/never", "/dead/", "/up/trickle", "/none.html")
    for method, path in again:
        # "-" is a request that is none of HTTP.
        if path != "-" and not path.startswith(allowed):
            yield f"{method} {path} was asked {asked.count((method, path))} times"


def by_tls(nginx, folder):
    expected = {nginx.url("h2", path): code for path, code in H2.items()}
    expected |= {nginx.url(name, "/"): code for name, (_, _, code) in TLS.items()}
    expected[f"https://localhost:{nginx.ports['h2']}/"] = "ok"
    yield from compare(folder, "tls.md", expected, trusts=nginx.trusts)
    protocols = {line[2] for line in nginx.requests("h2") if line[1] == "/docs/guide.html"}
    if protocols != {"HTTP/2.0"}:
        yield f"HTTP/2 was not used: {protocols}"
    # Without the authority its certificates are of an unknown issuer, which is no fault of the document. One that
    # has expired is dead whoever signed it.
    found = check(folder, "--private", "--interval", "0", "tls.md")
    broken = {link["url"] for link in found.links if link["outcome"] == "broken"}
    if broken != {nginx.url("self-signed", "/"), nginx.url("expired", "/")}:
        yield f"without the authority: {broken}"


def limited(nginx, folder):
    """Servers with a limit: 2 requests a second with 429, and 30 with 503."""
    page(folder, "limits.md", [nginx.url("busy", f"/docs/guide.html?{number}") for number in range(8)])
    found = check(folder, "--private", "limits.md")
    if {link["code"] for link in found.links} != {"ok"}:
        yield f"429: {[link['code'] for link in found.links]}"
    if (count := len(nginx.requests("busy"))) > 60:
        yield f"429: {count} requests for 8 links"
    page(folder, "pace.md", [nginx.url("unavailable", f"/docs/guide.html?{number}") for number in range(40)])
    found = check(folder, "--private", "pace.md")
    # 50 ms between two requests are 20 a second. The page is short, so it is asked for by HEAD and GET.
    if {link["code"] for link in found.links} != {"ok"} or len(nginx.requests("unavailable")) not in (40, 80):
        yield f"503: {[link['code'] for link in found.links]}"
    if (connections := len({line[4] for line in nginx.requests("unavailable")})) > 10:
        yield f"{connections} connections for 40 links"


def test(folder):
    """Yields what is wrong."""
    with Nginx(folder) as nginx:
        for part in statuses, by_tls, limited:
            began, count = time.monotonic(), 0
            for line in part(nginx, folder / "site"):
                count += 1
                yield f"{part.__name__}: {line}"
            print(f"  {part.__name__:12} {count or 'no'} errors, {time.monotonic() - began:.1f} s", flush=True)
