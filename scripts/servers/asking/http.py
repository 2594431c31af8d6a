"""HTTP: every file of the tree, and a page with a password; proxies: a page through them."""

import http.client
from base64 import b64encode
from urllib.parse import quote

from . import files

BASIC = "Basic " + b64encode(b"joe:secret").decode()


def opened(server, ca):
    if server["tls"]:
        return http.client.HTTPSConnection(
            server["host"], server["port"], timeout=files.PATIENCE, context=files.trusting(ca)
        )
    return http.client.HTTPConnection(server["host"], server["port"], timeout=files.PATIENCE)


def get(connection, target, **fields):
    connection.request("GET", target, headers=fields)
    response = connection.getresponse()
    return response.status, response.read()


def ask(server, listed):
    connection = opened(server, listed["ca"])
    entries = files.manifest()["files"]
    for entry in entries:
        path = bytes.fromhex(entry["path"])
        fields = {"Authorization": BASIC} if path.startswith(b"private/") else {}
        status, octets = get(connection, "/" + quote(path), **fields)
        assert status == 200 and files.is_content(octets, entry), f"{path}: {status}"
    status, _ = get(connection, "/private/x.txt")
    assert status == 401, status
    return f"{len(entries)} files"


def ask_proxy(server, listed):
    """Asks a proxy for a page of nginx."""
    connection = opened(server, listed["ca"])
    target = "http://127.0.0.1:{port}/pub/a/b".format(**listed["servers"]["nginx"])
    fields = {"Proxy-Authorization": BASIC} if server["accounts"] else {}
    if fields:
        status, _ = get(connection, target)
        assert status == 407, status
    status, octets = get(connection, target, **fields)
    (entry,) = (entry for entry in files.manifest()["files"] if entry["path"] == b"pub/a/b".hex())
    assert status == 200 and files.is_content(octets, entry), (status, octets)
    return target
