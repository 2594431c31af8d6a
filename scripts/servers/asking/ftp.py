"""FTP: a listing, every file by CWD for each segment and RETR, and both /etc/motd of each account."""

import ftplib
import ssl

from . import files


class Tls(ftplib.FTP_TLS):
    """FTP in TLS whose data connections resume the session of the control connection."""

    def ntransfercmd(self, cmd, rest=None):
        connection, size = ftplib.FTP.ntransfercmd(self, cmd, rest)
        if self._prot_p:
            connection = self.context.wrap_socket(connection, server_hostname=self.host, session=self.sock.session)
        return connection, size


class Implicit(Tls):
    """FTP in TLS from the first octet."""

    def __setattr__(self, name, value):
        if name == "sock" and value is not None and not isinstance(value, ssl.SSLSocket):
            value = self.context.wrap_socket(value, server_hostname=self.host)
        super().__setattr__(name, value)


def connected(server, ca):
    # Names are octets, which Latin-1 keeps as they are.
    options = {"timeout": files.PATIENCE, "encoding": "latin-1"}
    if not server["tls"]:
        ftp = ftplib.FTP(**options)
    else:
        context = files.trusting(ca)
        # The session of TLS 1.3 comes too late for the first data connection.
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        ftp = (Implicit if server["tls"] == "implicit" else Tls)(context=context, **options)
    ftp.connect(server["host"], server["port"])
    return ftp


def log_in(server, ca, account):
    ftp = connected(server, ca)
    ftp.login(account["user"], account["password"])
    if server["tls"]:
        ftp.prot_p()
    return ftp


def fetch(ftp, path, doubles_ff):
    """Fetches a path of octets from the current directory; a leading "/" is a segment of its own."""
    if doubles_ff:
        path = path.replace(b"\xff", b"\xff\xff")
    *directories, name = path.decode("latin-1").split("/")
    for directory in directories:
        ftp.voidcmd("CWD " + (directory or "/"))
    octets = bytearray()
    ftp.retrbinary("RETR " + name, octets.extend)
    return bytes(octets)


def is_refused(ftp, path, doubles_ff):
    try:
        fetch(ftp, path, doubles_ff)
    except ftplib.Error:
        return True
    return False


def ask_listing(ftp, features):
    """NLST of /pub: the names in it, but for those that the server leaves out."""
    paths = [entry["path"] for entry in files.manifest()["files"] if entry["path"] not in features.get("omits", [])]
    paths = [bytes.fromhex(path).decode("latin-1") for path in paths + files.manifest()["directories"]]
    expected = {path.split("/")[1] for path in paths if path.startswith("pub/")}
    for directory, code in ("pub/emptydir", features["empty_list"]), ("pub/missing", features["missing_list"]):
        assert reply_to_list(ftp, directory) == code, directory
    ftp.cwd("pub")
    names = set(ftp.nlst()) - set(features.get("adds", []))
    # Those that are shown by another name.
    changed = {path for path in features.get("refuses", []) if path in features.get("omits", [])}
    assert expected <= names and len(names - expected) == len(changed), names ^ expected


def reply_to_list(ftp, directory):
    """The code of the last reply to NLST."""
    try:
        return int(ftp.retrlines(f"NLST {directory}", lambda _: None)[:3])
    except ftplib.Error as error:
        return int(str(error)[:3])


def ask(server, listed):
    features, doubles_ff = server["features"], server["features"].get("doubles_ff", False)
    refused = features.get("refuses", [])
    ftp = log_in(server, listed["ca"], server["accounts"][0])
    top = ftp.pwd()
    ask_listing(ftp, features)
    for entry in files.manifest()["files"]:
        path = bytes.fromhex(entry["path"])
        ftp.cwd(top)
        if entry["path"] in refused:
            assert is_refused(ftp, path, doubles_ff), f"{path} is fetched"
        else:
            assert files.is_content(fetch(ftp, path, doubles_ff), entry), f"{path} differs"
    for account in server["accounts"]:
        ask_motd(server, listed, account)
    return f"{len(files.manifest()['files'])} files"


def ask_motd(server, listed, account):
    """The motd of the login directory, and the one of the tree's top by its absolute path."""
    by_path = {bytes.fromhex(entry["path"]).decode("latin-1"): entry for entry in files.manifest()["files"]}
    ftp = log_in(server, listed["ca"], account)
    relative = f"{account['login']}/etc/motd".lstrip("/")
    assert files.is_content(fetch(ftp, b"etc/motd", False), by_path[relative]), f"{account['user']}: etc/motd"
    if account["absolute"] is not None:
        absolute = f"/{account['absolute']}/etc/motd".replace("//", "/").encode()
        assert files.is_content(fetch(ftp, absolute, False), by_path["etc/motd"]), f"{account['user']}: /etc/motd"
    ftp.close()
