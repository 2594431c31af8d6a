"""Certificates of a test authority, good ones and bad ones, made by openssl.

Takes a folder; writes NAME.pem (key and certificate) for each name below, and `ca.pem`, which is to be trusted.
"""

import subprocess
from datetime import UTC, datetime, timedelta

# By name: the names in the certificate, from which day on it is valid and until which, and who has signed it.
MADE = {
    "good": ("DNS:localhost,IP:127.0.0.1", -2, 30, "ca"),
    "expired": ("DNS:localhost,IP:127.0.0.1", -30, -2, "ca"),
    "other-name": ("DNS:other.example", -2, 30, "ca"),
    "unknown-issuer": ("DNS:localhost,IP:127.0.0.1", -2, 30, "nobody"),
    "not-yet": ("DNS:localhost,IP:127.0.0.1", 2, 30, "ca"),
}
CONFIGURATION = """[ca]
default_ca = own
[own]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def sign(folder, name, names, begins, ends, authority):
    """Makes a key, and a certificate that is valid for some days, counted from today."""
    date = lambda days: (datetime.now(UTC) + timedelta(days)).strftime("%Y%m%d%H%M%SZ")
    (folder / "extensions").write_text(f"subjectAltName={names}\nextendedKeyUsage=serverAuth\n")
    openssl(folder, "req", "-new", *KEY, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", "/CN=server")
    signed = ["-cert", f"{authority}.crt", "-keyfile", f"{authority}.key", "-in", f"{name}.csr", "-out", f"{name}.crt"]
    dates = ["-startdate", date(begins), "-enddate", date(ends)]
    openssl(folder, "ca", "-batch", "-notext", "-config", "ca.cnf", "-extfile", "extensions", *signed, *dates)


KEY = ["-newkey", "rsa:2048", "-nodes"]


def write(folder):
    """Writes all certificates."""
    folder.mkdir()
    (folder / "ca.cnf").write_text(CONFIGURATION.format(folder=folder))
    (folder / "index.txt").touch()
    for authority in "ca", "nobody":
        files = ["-keyout", f"{authority}.key", "-out", f"{authority}.crt"]
        openssl(folder, "req", "-x509", *KEY, *files, "-subj", f"/CN={authority}", "-days", "30")
    for name, made in MADE.items():
        sign(folder, name, *made)
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "30"]
    files = ["-keyout", "self-signed.key", "-out", "self-signed.crt"]
    openssl(folder, "req", "-x509", *KEY, *files, "-subj", "/CN=localhost", *names)
    for name in [*MADE, "self-signed"]:
        (folder / f"{name}.pem").write_bytes((folder / f"{name}.key").read_bytes() + (folder / f"{name}.crt").read_bytes())
    (folder / "ca.pem").write_bytes((folder / "ca.crt").read_bytes())
