"""A certificate authority for the servers, and one certificate of it, for localhost and 127.0.0.1."""

import subprocess

from . import CERTIFICATES

REQUEST = """[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
[server]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature,keyEncipherment
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost,IP:127.0.0.1
"""


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], cwd=CERTIFICATES, check=True, capture_output=True)


def write():
    """Writes ca.pem, cert.pem, key.pem and both.pem (key and certificate), if they are not there."""
    if (CERTIFICATES / "both.pem").exists():
        return
    CERTIFICATES.mkdir(parents=True, exist_ok=True)
    for name, section in ("locator tests", "authority"), ("localhost", "server"):
        (CERTIFICATES / f"{section}.cnf").write_text(REQUEST.format(name=name))
    new = ["req", "-newkey", "rsa:2048", "-nodes"]
    openssl(
        *new,
        "-x509",
        "-days",
        "3650",
        "-config",
        "authority.cnf",
        "-extensions",
        "authority",
        "-keyout",
        "ca.key",
        "-out",
        "ca.pem",
    )
    openssl(*new, "-config", "server.cnf", "-keyout", "key.pem", "-out", "server.csr")
    openssl(
        *[
            "x509",
            "-req",
            "-in",
            "server.csr",
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-set_serial",
            "1",
            "-days",
            "3650",
        ],
        *["-extfile", "server.cnf", "-extensions", "server", "-out", "cert.pem"],
    )
    text = (CERTIFICATES / "key.pem").read_text() + (CERTIFICATES / "cert.pem").read_text()
    (CERTIFICATES / "both.pem").write_text(text)
