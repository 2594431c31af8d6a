"""The URLs that the scripts fetch from the servers of scripts/servers, with what must come of each."""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import run_plan

SCRIPTS = run_plan.ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS / "servers"))
from asking import files, gopher  # noqa: E402 (the directory of the servers' scripts is another one)
from shared import MANIFEST, RUNNING, use  # noqa: E402

MANIFEST_OF_TREE = {}
USED = []


class Fault(Exception):
    """What was fetched is not what was expected."""


# What is shown, as docs/get.md names it.
TESTS = """
ftp-file ftp-directory ftp-type ftp-missing ftp-login ftp-absolute ftp-tls-file ftp-tls-directory ftp-tls-refused
ftps-file ftps-directory
gopher-text gopher-binary gopher-menu gopher-search gopher-plus-document gopher-plus-information gopher-without-plus
news-article news-group news-groups news-missing snews-article snews-group snews-groups snews-missing
nntp-article nntp-login nntp-missing whois-answer
http-file http-login http-missing https-file https-login https-missing ws-refused wss-refused
wais-search wais-document wais-description wais-missing
prospero-contents prospero-directory prospero-missing
""".split()
# Conversations in a terminal, by scheme: the server, the words of its client, the user of the URL, and
# the dialogue.
SESSIONS = {
    "telnet": ("telnetd", "{host} {port}", "joe", ["login: ", "joe", "Password: ", "secret", "Welcome joe"]),
    "rlogin": ("rlogind", "-p {port} -l jim {host}", "jim", ["Password: ", "secret", "Welcome jim"]),
    "tn3270": ("hercules", "{host}:{port}", None, ["Hercules"]),
}


class Asked:
    """A URL that is fetched from a server, and what must come of it."""

    def __init__(self, test, server, url, is_right, options=(), answers=None, whole=None):
        assert test in TESTS, test
        self.test, self.server, self.url, self.is_right, self.whole = test, server, url, is_right, whole
        self.options, self.answers = list(options), answers or {}

    def check(self, ca, plan):
        body = bytearray()
        wire = run_plan.Network({"email": b"guest@"} | self.answers, ca)
        try:
            whole = run_plan.Run(plan, wire, body.extend).run()
        except (run_plan.PlanError, OSError) as error:
            whole, body = error, None
        finally:
            wire.close()
        self.judge(whole, body)

    def judge(self, whole, body):
        """Compares what was fetched with what must come; without a body, `whole` is an error."""
        if not self.is_right(whole if body is None else bytes(body)):
            raise Fault(f"{whole}, {None if body is None else bytes(body[:200])}")
        if self.whole and body is not None and whole not in self.whole:
            raise Fault(f"it is {whole}")


def failed(*means):
    return lambda found: isinstance(found, run_plan.PlanError) and found.args[0] in means


def is_file(entry):
    return lambda found: isinstance(found, bytes) and files.is_content(found, entry)


def names(expected, more=()):
    def are_names(found):
        lines = set(found.splitlines()) if isinstance(found, bytes) else None
        return lines is not None and expected <= lines | set(more)

    return are_names


def authority(server, account=None):
    login = ""
    if account and account["user"] != "anonymous":
        login = f"{quote(account['user'], safe='')}:{quote(account['password'], safe='')}@"
    return f"{login}{server['host']}:{server['port']}"


def ftp(server):
    """Every file, listings of directories and of an empty one, what is missing, and accounts."""
    scheme = "ftps" if server["tls"] == "implicit" else "ftp"
    options = {"required": ["--ssl-reqd"], "explicit": ["--ssl"]}.get(server["tls"], [])
    features, tree, prefix = server["features"], MANIFEST_OF_TREE, "ftp-tls" if options else scheme
    top = f"{scheme}://{authority(server)}/"

    def asked(test, url, is_right):
        # Not every case is a test of its own on a server with TLS.
        test = f"{prefix}-{test}" if f"{prefix}-{test}" in TESTS else f"ftp-{test}"
        return Asked(test, server, url, is_right, options, whole=["confirmed"])

    paths = [entry["path"] for entry in tree["files"]]
    for entry in tree["files"]:
        path = bytes.fromhex(entry["path"])
        is_right = failed("missing", "refused") if entry["path"] in features.get("refuses", []) else is_file(entry)
        yield asked("file", top + quote(path), is_right)
    for directory in filter(None, map(bytes.fromhex, tree["directories"])):
        hidden = features.get("omits", [])
        inside = [bytes.fromhex(path) for path in [*paths, *tree["directories"]] if path not in hidden]
        inside = {path.removeprefix(directory + b"/") for path in inside if path.startswith(directory + b"/")}
        listed = names({path for path in inside if b"/" not in path})
        if server["name"] == "pyftpdlib" and directory == b"pub":
            listed = names({path for path in inside if b"/" not in path and path.isascii()})
        for end in "", "/", ";type=d":
            yield asked("directory", top + quote(directory) + end, listed)
    yield asked("missing", top + "pub/missing", failed("missing"))
    yield asked("missing", top + "missing/x", failed("missing"))
    yield asked("login", top.replace("//", "//joe:wrong@") + "etc/motd", failed("wrong-login"))
    by_path = {bytes.fromhex(entry["path"]).decode("latin-1"): entry for entry in tree["files"]}
    for account in server["accounts"]:
        own = f"{scheme}://{authority(server, account)}/"
        yield asked("login", own + "etc/motd", is_file(by_path[f"{account['login']}/etc/motd".lstrip("/")]))
        if account["absolute"] is not None:
            absolute = quote(f"/{account['absolute']}/".replace("//", "/"), safe="") + "etc/motd"
            yield asked("absolute", own + absolute.replace("%2Fsrv%2F", "%2Fsrv/"), is_file(by_path["etc/motd"]))
    joe = next(account for account in server["accounts"] if account["user"] == "joe")
    motd = is_file(by_path[f"{joe['login']}/etc/motd".lstrip("/")])
    yield Asked("ftp-login", server, top.replace("//", "//joe@") + "etc/motd", motd, options, {"password": b"secret"})
    yield asked("type", top + "pub/all256.bin;type=i", is_file(by_path["pub/all256.bin"]))
    text = by_path["pub/text.txt"]
    yield asked("type", top + "pub/text.txt;type=a", lambda found: is_file(text)(found.replace(b"\r\n", b"\n")))
    # A server without TLS says so by 500, 502 or 530. ftpd-ssl agrees to TLS and then has no certificate.
    if not server["tls"] and server["name"] != "ftpd-ssl":
        motd, refused = is_file(by_path["etc/motd"]), failed("no-tls")
        yield Asked("ftp-tls-refused", server, top + "etc/motd", motd, ["--ssl"])
        yield Asked("ftp-tls-refused", server, top + "etc/motd", refused, ["--ssl-reqd"])


def gopher_of(server):
    """Every file as a text and as a binary, a menu, a search, Gopher+."""
    features, top = server["features"], f"gopher://{authority(server)}/"

    def changed(entry):
        def is_content(found):
            return isinstance(found, bytes) and gopher.is_content(found, entry, features["changes"])

        return is_content

    def is_text(disk):
        def is_right(found):
            found, known = (text.replace(b"\r\n", b"\n").removesuffix(b"\n") for text in (found, disk))
            # A last line "." is not part of a text.
            return found == known.removesuffix(b"\n.")

        return is_right

    for entry in MANIFEST_OF_TREE["files"]:
        path = bytes.fromhex(entry["path"])
        if entry["is_program"] or path == b"maps/gophermap":
            continue
        selector = quote(gopher.selector_of(path, features["octal_selectors"]))
        disk = Path(MANIFEST_OF_TREE["top"], os.fsdecode(path)).read_bytes()
        # An empty file looks like a server that failed.
        is_right, is_right_text = (changed(entry), is_text(disk)) if disk else [failed("empty-reply")] * 2
        if entry["path"] in features["refuses"]:
            is_right = lambda found, is_right=is_right: not is_right(found)  # noqa: E731
        yield Asked("gopher-binary", server, f"{top}9{selector}", is_right)
        if entry["path"] not in features["refuses"]:
            yield Asked("gopher-text", server, f"{top}0{selector}", is_right_text)
    yield Asked("gopher-menu", server, top, lambda found: b"\t" in found and b"\n.\r\n" not in found)
    found = lambda found: b"result for [foo bar]" in found  # noqa: E731
    yield Asked("gopher-search", server, f"{top}7{features['search']}%09foo%20bar", found)
    yield Asked("gopher-search", server, f"{top}7{features['search']}", found, answers={"search": b"foo bar"})
    if features["plus"]:
        url = f"{top}0/plus/item.txt%09%09"
        yield Asked("gopher-plus-information", server, url + "!", lambda found: b"+ABSTRACT:" in found)
        item = next(entry for entry in MANIFEST_OF_TREE["files"] if bytes.fromhex(entry["path"]) == b"plus/item.txt")
        yield Asked("gopher-plus-document", server, url + "+", is_file(item), whole=["framed", "unverified"])
    else:
        url = f"{top}0/docs/text.txt%09%09+"
        yield Asked("gopher-without-plus", server, url, lambda found: found.startswith(b"plain text\r\n"))


def nntp(server):
    """Every article by its Message-ID and by number, groups, what is missing."""
    tree, features = MANIFEST_OF_TREE, server["features"]
    answers = {"user": b"joe", "password": b"secret"}
    news = "snews" if server["tls"] else "news"
    top = authority(server)

    def asked(test, url, is_right):
        return Asked(f"{url.partition(':')[0]}-{test}", server, url, is_right, answers=answers, whole=["framed"])

    def is_article(article):
        def is_right(found):
            body = found.replace(b"\r\n", b"\n").partition(b"\n\n")[2] if isinstance(found, bytes) else b""
            return files.is_content(body, article["body"])

        return is_right

    for article in tree["articles"]:
        identifier = quote(article["id"], safe="@")
        yield asked("article", f"{news}://{top}/{identifier}", is_article(article))
    yield asked("group", f"{news}://{top}/test.group", lambda found: len(found.splitlines()) == len(tree["articles"]))
    yield asked("group", f"{news}://{top}/test.empty", lambda found: found == b"")
    yield asked("groups", f"{news}://{top}/*", lambda found: b"test.group " in found)
    yield asked("missing", f"{news}://{top}/no.such", failed("missing"))
    yield asked("missing", f"{news}://{top}/no@such.invalid", failed("missing"))
    if not server["tls"]:
        first = f"nntp://{top}/test.group/{features['first_number']}"
        yield asked("article", first, lambda found: isinstance(found, bytes) and b"\r\n\r\n" in found)
        yield asked("missing", f"nntp://{top}/test.group/99999", failed("missing"))
    for account in server["accounts"]:
        url = f"nntp://{authority(server, account)}/test.group"
        yield asked("login", url, lambda found: isinstance(found, bytes))
        wrong = f"nntp://{account['user']}:wrong@{top}/test.group"
        yield asked("login", wrong, failed("wrong-login"))


def whois(server):
    url = f"whois://{authority(server)}/joe"
    yield Asked("whois-answer", server, url, lambda found: b"caf\xe9\r\n" in found, whole=["unverified"])


def http(server):
    """Every file, a page with a password, what is missing; and that no conversation begins."""
    tls, there = "s" if server["tls"] else "", authority(server)
    top, login = f"http{tls}://{there}/", f"http{tls}://joe:secret@{there}/"

    def asked(test, url, is_right):
        return Asked(f"http{tls}-{test}", server, url, is_right, whole=["framed"])

    for entry in MANIFEST_OF_TREE["files"]:
        path = bytes.fromhex(entry["path"])
        is_private = path.startswith(b"private/")
        yield asked("login" if is_private else "file", (login if is_private else top) + quote(path), is_file(entry))
    yield asked("login", top + "private/x.txt", failed("need-login"))
    yield asked("login", login.replace("secret", "wrong") + "private/x.txt", failed("need-login", "wrong-login"))
    yield asked("missing", top + "pub/missing", failed("missing"))
    # A server that has no conversation to offer answers as to any other request.
    yield Asked(f"ws{tls}-refused", server, f"ws{tls}://{there}/", failed("unexpected"))


def wais(server):
    """A search, the documents that it finds, what describes the database, and what is missing."""
    top = f"wais://{authority(server)}/tree"
    by_path = {bytes.fromhex(entry["path"]): entry for entry in MANIFEST_OF_TREE["files"]}
    for word in "txt", "bin", "docs", "plus", "latin", "semi":
        url, apdu = f"{top}?{word}", bytearray()
        run_plan.Run(run_plan.plan_of([url]), run_plan.Network({}), apdu.extend).run()
        hits = run_plan.SearchResponse(bytes(apdu)).hits
        assert hits, url
        yield Asked("wais-search", server, url, lambda found, apdu=bytes(apdu): found == apdu, whole=["framed"])
        # Tags: 116 an identifier, 123 a headline, which is the path here, 132 the types.
        for hit in (hit for hit in hits if hit[123] in by_path):
            wtype, identifier = dict(run_plan.wais_fields(hit[132]))[133].decode(), quote(hit[116], safe="")
            document = is_file(by_path[hit[123]])
            yield Asked("wais-document", server, f"{top}/{wtype}/{identifier}", document, whole=["framed"])
    yield Asked("wais-description", server, top, lambda found: b"Information on database: tree" in found)
    yield Asked("wais-missing", server, top.replace("tree", "none?a"), failed("refused"))
    yield Asked("wais-missing", server, f"{top}/TEXT/1=a;2=b;3=c;", failed("missing"))


def prospero_of(server):
    """Every file that the server sends itself, directories, and what is missing. A file that is at a
    server of another protocol needs two plans."""
    if server["name"] != "prospero-contents":
        return
    top = f"prospero://{authority(server)}/AFTP"
    for entry in MANIFEST_OF_TREE["files"]:
        url = f"{top}/{quote(bytes.fromhex(entry['path']))}"
        yield Asked("prospero-contents", server, url, is_file(entry), whole=["framed"])
    yield Asked("prospero-directory", server, f"{top}/pub", lambda found: b"\nLINK " in found)
    yield Asked("prospero-missing", server, f"{top}/missing", failed("missing", "refused"))


KINDS = {
    "ftp": ftp,
    "gopher": gopher_of,
    "nntp": nntp,
    "whois": whois,
    "http": http,
    "wais": wais,
    "prospero": prospero_of,
}


def started(names):
    """Starts servers, all without names, for as long as this process runs; returns what servers.json lists.

    With LOCATOR_NO_SERVERS=1 the script ends, and lists what is not shown.
    """
    USED.append(use())
    if subprocess.run([SCRIPTS / "servers/start", "--while-used", *names]).returncode:
        sys.exit("the servers do not start")
    if os.environ.get("LOCATOR_NO_SERVERS") == "1":
        sys.exit()
    running = json.loads(RUNNING.read_text())
    MANIFEST_OF_TREE.update(json.loads(MANIFEST.read_text()), top=running["tree"])
    return running


def asked_of(running, names):
    """What is asked of the servers with these names, of all without names.

    A server that takes few connections (`-few`) is asked by its name only: many things are asked at once.
    """

    def is_asked(name):
        return name in names if names else not name.endswith("-few")

    servers = [server for name, server in running["servers"].items() if is_asked(name)]
    return [one for server in servers if server["kind"] in KINDS for one in KINDS[server["kind"]](server)]
