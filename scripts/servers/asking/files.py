"""What the servers are asked about: servers.json and tree.json, and connections to a server."""

import hashlib
import json
import socket
import ssl

from shared import MANIFEST, RUNNING

# Seconds.
PATIENCE = 15


def running():
    return json.loads(RUNNING.read_text())


def manifest():
    return json.loads(MANIFEST.read_text())


def is_content(octets, entry):
    return {"sha256": hashlib.sha256(octets).hexdigest(), "size": len(octets)} == {
        key: entry[key] for key in ("sha256", "size")
    }


def trusting(ca):
    """TLS that trusts the servers' authority alone and checks the host."""
    return ssl.create_default_context(cafile=ca)


def connect(server, ca):
    """A connection to a server, in TLS if the server begins with it."""
    connection = socket.create_connection((server["host"], server["port"]), timeout=PATIENCE)
    if server["tls"] == "implicit":
        connection = trusting(ca).wrap_socket(connection, server_hostname=server["host"])
    return connection


def read_until(connection, wanted):
    """Reads until `wanted` was read, or the end."""
    read = b""
    while wanted not in read and (more := connection.recv(4096)):
        read += more
    assert wanted in read, read
    return read


def read_all(connection):
    return b"".join(iter(lambda: connection.recv(65536), b""))
