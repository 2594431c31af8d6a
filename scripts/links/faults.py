"""A site of many pages of HTML and Markdown, most of whose links are good, with planted faults.

`write` writes it, and returns every link that must be broken with its code; `Hosts` are the servers that the
links lead to. The same seed gives the same site, except for the numbers of ports.
"""

import posixpath
import random
from collections import Counter
from pathlib import PurePosixPath

from . import certificates, check
from .scripted import Server, closed_port, redirect, response
from .written import Html, Markdown, Text

PAGES, FOLDERS, SECTIONS = 10_000, 120, 6
# One page of so many has a fault.
EVERY = 6
WORDS = "the heron draws maps for boats in fog, ünïcödé 鷺 and more of it".split()
PICTURE = b"GIF89a"


def answer(request):
    """Answers by the first name of the path; what follows it makes URLs different."""
    kind, _, rest = request.target[1:].partition("/")
    if kind == "ok":
        return response(200, body=f"<h1 id=there>{rest}</h1>")
    if kind == "without-head":
        return response(405) if request.method == "HEAD" else response(200, body="here")
    if kind in ("404", "410"):
        return response(int(kind), body="<p>no such page")
    if kind == "to":
        status, _, rest = rest.partition("/")
        return redirect(int(status), f"/{rest}")
    if kind == "loop":
        of, _, at = rest.partition("/")
        return redirect(302, f"/loop/{of}/{(int(at) + 1) % 3}")
    raise AssertionError(request.target)


class Hosts:
    """The servers of the site, and the URLs at them by what is wrong."""

    def __init__(self, folder):
        made = folder / "certificates"
        certificates.write(made)
        self.trusts = made / "ca.pem"
        self.web, self.other = Server(answer), Server(answer)
        self.secure = Server(answer, host="127.0.0.1", certificate=made / "good.pem")
        bad = {"expired": "certificate-expired", "other-name": "certificate-for-other-host"}
        bad["self-signed"] = "certificate-self-signed"
        self.bad = {code: Server(answer, certificate=made / f"{name}.pem") for name, code in bad.items()}
        self.closed = [closed_port() for _ in range(3)]

    def good(self, chance):
        """Returns a URL that is alive, and its code."""
        server = chance.choice([self.web, self.web, self.other, self.secure])
        number = chance.randrange(150)
        return chance.choice(
            [
                (server.url(f"/ok/{number}?a=1&b=2"), "ok"),
                (server.url(f"/ok/{number}"), "ok"),
                (server.url(f"/ok/{number}#there"), "ok"),
                (server.url(f"/without-head/{number}"), "ok"),
                (server.url(f"/to/{chance.choice([301, 302, 303, 307, 308])}/ok/{number}"), "redirected"),
                (server.url(f"/to/301/to/302/without-head/{number}"), "redirected"),
            ]
        )

    def dead(self, chance, code):
        """Returns a URL with a fault."""
        number = chance.randrange(40)
        match code:
            case "not-found":
                moved = chance.choice(["", "/to/301", "/to/302/to/308"])
                return chance.choice([self.web, self.secure]).url(f"{moved}/404/{number}")
            case "gone":
                return self.other.url(f"/410/{number}{chance.choice(['', '#there'])}")
            case "connection-refused":
                return f"http://127.0.0.1:{chance.choice(self.closed)}/{number}"
            case "loop":
                return self.other.url(f"/loop/{number}/0")
        return self.bad[code].url(f"/ok/{number}")


REMOTE = ["not-found", "gone", "connection-refused", "loop"]
REMOTE += ["certificate-expired", "certificate-for-other-host", "certificate-self-signed"]
INVALID = ["http://[::1/", "https://", "http://127.0.0.1:port/", "ftp://127.0.0.1:66000/", "http://127.0.0.1:99999999/"]


class Site:
    """The site while it is written."""

    def __init__(self, top, hosts, seed, pages):
        self.top, self.hosts, self.chance = top, hosts, random.Random(seed)
        self.names = [self.name(number) for number in range(pages)]
        self.pictures = [f"pictures/p{number}.gif" for number in range(20)] + ["pictures/with space.gif"]
        self.links, self.planted = [], 0

    @staticmethod
    def name(number):
        folder = f"s{number % FOLDERS}/t{number % 7}" if number % 3 else f"s{number % FOLDERS}"
        return f"{folder}/{'m' if number % 5 < 2 else 'p'}{number}.{'md' if number % 5 < 2 else 'html'}"

    def write(self):
        for name in self.pictures:
            path = self.top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(PICTURE)
        for number, name in enumerate(self.names):
            self.page(number, name)

    def page(self, number, name):
        is_html = name.endswith("html")
        text = Text(name)
        # A few pages have a base: what is relative in them is relative to another page.
        base = self.chance.choice(self.names) if is_html and number % 29 == 0 else None
        self.begin(text, number, base, is_html)
        fault = self.chance.randrange(SECTIONS) if number % EVERY == 0 else None
        for section in range(SECTIONS):
            self.section(text, section, base or name, fault == section, is_html)
        # Line ends of Windows, and a byte order mark, which is not on the line of a link.
        text.write(self.top, "\r\n" if number % 31 == 0 else "\n", "\ufeff" if number % 37 == 0 else "")
        self.links += text.links

    def begin(self, text, number, base, is_html):
        if not is_html:
            return text.add(f"Page {number}\n=========\n\n")
        text.add(f"<!DOCTYPE html>\n<title>Page {number}</title>\n")
        if base:
            text.add(f'<base href="{self.relative(base, text.name)}">\n')
        text.add("<!-- <a href=in-a-comment.html> --><script>'<a href=\"in-a-script.html\">'</script>\n")

    def section(self, text, section, base, has_fault, is_html):
        chance = self.chance
        words = " ".join(chance.choice(WORDS) for _ in range(chance.randrange(1, 6)))
        text.add(f"<h2 id=s{section}>{words}</h2>\n" if is_html else f"## Section {section}\n\n")
        language = Html if is_html else Markdown
        if has_fault:
            self.planted += 1
            self.fault(text, language, base, words)
        url, code = self.good(base)
        language.write(text, self.ways(language, url), chance, words, url, code)
        language.write(text, language.FILES, chance, words, self.picture(base, is_html), "ok")

    def good(self, base):
        if self.chance.random() < 0.1:
            return self.hosts.good(self.chance)
        name = self.chance.choice(self.names)
        return self.chance.choice(
            [
                (self.relative(name, base), "ok"),
                (self.relative(name, base) + self.anchor(name), "ok"),
                (self.relative(name, base) + "?q=1" + self.anchor(name), "ok"),
                (self.anchor(base), "ok"),
                (self.relative(posixpath.dirname(name), base) + "/", "ok"),
            ]
        )

    @staticmethod
    def ways(language, url):
        """Returns how a URL can be written: in Markdown an absolute one also without brackets."""
        is_absolute = url.startswith("http") and language is Markdown
        return language.PAGES + (Markdown.REMOTE if is_absolute else [])

    def anchor(self, name):
        section = self.chance.randrange(SECTIONS)
        return f"#s{section}" if name.endswith("html") else f"#section-{section}"

    def picture(self, base, is_html):
        # Without a space in what divides its URLs by spaces.
        pictures = self.pictures[:20] if is_html else self.pictures
        return self.relative(self.chance.choice(pictures), base).replace(" ", "%20")

    @staticmethod
    def relative(name, base):
        return posixpath.relpath(name, posixpath.dirname(base) or ".")

    def fault(self, text, language, base, words):
        code = self.chance.choice(["no-such-file", "no-such-file", "no-such-anchor", "invalid", *REMOTE])
        ways = language.PAGES
        if code == "no-such-file":
            url, ways = self.missing(base, language)
        elif code == "no-such-anchor":
            name = self.chance.choice(self.names)
            lost = f"#lost-{self.chance.randrange(999)}-of-it"
            url = self.chance.choice([self.relative(name, base) + lost, lost])
        elif code == "invalid":
            url = self.chance.choice(INVALID)
        else:
            url = self.hosts.dead(self.chance, code)
            ways = self.ways(language, url)
        language.write(text, ways, self.chance, words, url, code)

    def missing(self, base, language):
        """Returns a reference to a file that does not exist, and the ways to write it."""
        name = PurePosixPath(self.chance.choice(self.names))
        number = self.chance.randrange(999)
        wrong = self.chance.choice(
            [
                name.with_name(f"lost{number}.html"),
                name.with_name(f"Lost%20and%20{number}.md"),
                name.with_name(name.name.upper()),
                # A file has nothing in it.
                name / "inside",
                name.parent / f"none{number}" / name.name,
                PurePosixPath("pictures") / f"lost{number}.gif",
                PurePosixPath("pictures") / "P1.GIF",
            ]
        )
        is_picture = wrong.parts[0] == "pictures"
        return self.relative(str(wrong), base), language.FILES if is_picture else language.PAGES


def write(top, hosts, seed, pages=PAGES):
    """Writes the site into `top`; returns it with its links."""
    site = Site(top, hosts, seed, pages)
    site.write()
    return site


def test(folder, seed=1):
    """Checks the site once, and yields what is wrong."""
    hosts = Hosts(folder)
    site = write(folder / "site", hosts, seed)
    found = check(folder / "site", "--private", "--interval", "0", ".", trusts=hosts.trusts)
    yield from compare(site, found)
    yield from differences_of_octets(site, found)
    yield from asked_too_often(hosts)
    broken = [link.code for link in site.links if link.code in CODES]
    if found.status != 1 or set(broken) != CODES:
        yield f"status {found.status}, planted were {set(broken)}: {found.said}"
    yield from offline(site, folder)
    print(f"  {PAGES} pages, {len(site.links)} links, {len(broken)} broken: {found.seconds:.1f} s, {found.memory} MiB")


CODES = {"no-such-file", "no-such-anchor", "invalid", *REMOTE}


def compare(site, found):
    """Yields the links that were not found, or that were judged otherwise than planted."""
    planted = Counter((*link.place(), link.code) for link in site.links)
    own = [link for link in found.links if link["code"] != "base" and not link["url"].startswith("data:")]
    judged = Counter((link["file"], link["line"], link["column"], link["url"], link["code"]) for link in own)
    for of, what in (planted - judged, "planted, but not found"), (judged - planted, "not planted"):
        yield from (f"{what}: {link}" for link in sorted(of)[:20])
    for link in found.links:
        if (link["outcome"] == "broken") != (link["code"] in CODES):
            yield f"the outcome is {link['outcome']}: {link}"


def differences_of_octets(site, found):
    """Yields the links whose octets in their file are not the reference as it was written."""
    written = {link.place(): link.written for link in site.links}
    files = {}
    for link in found.links:
        octets = files.setdefault(link["file"], (site.top / link["file"]).read_bytes())
        own = octets[link["offset"] : link["offset"] + link["length"]].decode()
        place = link["file"], link["line"], link["column"], link["url"]
        if own != written.get(place, own):
            yield f"at its offset is {own!r}: {link}"


def asked_too_often(hosts):
    """Each URL is asked for once by a method; by GET after HEAD if HEAD did not find it, for a fragment, or if the page is short."""
    for server in hosts.web, hosts.other, hosts.secure, *hosts.bad.values():
        for (method, target), count in server.counts.items():
            # What loops, or leads to nothing, is followed once more by GET, for each URL that begins it.
            is_dead = "/404/" in target or "/410/" in target
            begins = sum(other.endswith(target) for _, other in server.counts) if is_dead else 1
            if count > (1 + begins if (is_dead or target.startswith("/loop")) and method == "GET" else 1):
                yield f"{server.base}{target} was asked for {count} times by {method}"
            if target.startswith("/to") and not is_dead and len(server.asked(target)) > 1:
                yield f"{server.base}{target} redirects, and was asked for by {server.asked(target)}"


def offline(site, folder):
    """Without a network the faults of files are the same."""
    found = check(folder / "site", "--offline", ".")
    here = {"no-such-file", "no-such-anchor", "invalid"}
    planted = Counter(link.place() for link in site.links if link.code in here)
    judged = Counter((link["file"], link["line"], link["column"], link["url"]) for link in found.links if link["outcome"] == "broken")
    if planted != judged:
        yield f"offline: {list((planted - judged) + (judged - planted))[:5]}"
