"""Trees that do not end, files that cannot be read, and documents that are too large for what is in them.

Status and lines must be sensible, and the memory bounded. Root may read everything, so as root the command runs as
another user where permissions matter.
"""

import os
import shutil
import socket
import subprocess
import time

from . import LOCATOR, check, environment, run, run_into_files
from .zoo import page

# The user of nobody.
NOBODY = 65534
# The most memory in MiB, whatever the size of a document is.
MOST = 120


def compare(what, found, expected, status):
    codes = {(link["file"], link["url"]): link["code"] for link in found.links}
    if codes != expected or found.status != status:
        differs = set(codes.items()) ^ set(expected.items())
        yield f"{what}: status {found.status}: {sorted(differs)} {found.said[:300]}"


def loops(top):
    """Symbolic links in a circle: a tree without an end, and names that lead nowhere."""
    (top / "a").mkdir(parents=True)
    (top / "a/a").symlink_to(".")
    (top / "up").symlink_to("..")
    (top / "one").symlink_to("two")
    (top / "two").symlink_to("one")
    (top / "lost").symlink_to("nowhere.md")
    (top / "page.md").write_text("# Page\n")
    deep = "a/" * 30
    links = {
        f"{deep}page.md": "no-such-file",
        # Dots are removed from the text of a URL, without looking at what is there (RFC 3986, 5.2.4).
        f"{deep}../../page.md#page": "no-such-file",
        "a/../page.md#page": "ok",
        # More symbolic links than the system follows.
        f"a/{'a/' * 60}b.md": "unreadable",
        "one": "unreadable",
        "one#x": "unreadable",
        "lost": "no-such-file",
        "up/loops/page.md": "ok",
    }
    page(top / "a", "b.md", {})
    page(top, "index.md", links)
    expected = {("index.md", url): code for url, code in links.items()}
    for options in [], ["-L"]:
        found = check(top, "--offline", *options, ".")
        own = [link for link in found.links if link["file"] == "index.md"]
        others = len(found.links) - len(own)
        found.links = own
        # With -L what cannot be followed is reported, and the status 2.
        yield from compare(f"loops {options}", found, expected, 2 if options else 1)
        if others > 8 or len(found.said.splitlines()) > 12 or found.seconds > 20:
            yield f"loops {options}: {others} links besides, {found.said[:1000]}"


def pipes(top):
    """Pipes, sockets and devices are not read."""
    top.mkdir()
    os.mkfifo(top / "pipe.md")
    os.mkfifo(top / "pipe.html")
    (top / "zeros.html").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as kept:
        kept.bind(str(top / "socket.md"))
        links = {"pipe.md": "ok", "pipe.html#x": "unread-anchor", "zeros.html#x": "unread-anchor", "socket.md#x": "unread-anchor"}
        page(top, "index.md", links)
        found = check(top, "--offline", "-L", ".")
    yield from compare("pipes", found, {("index.md", url): code for url, code in links.items()}, 0)


def as_nobody(top, *arguments):
    """Runs the command as a user who may not read everything."""
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    command = [LOCATOR, "links", *arguments]
    return subprocess.run(command, cwd=top, env=environment(), capture_output=True, text=True, **user)


def permissions(top):
    """A directory and a file that may not be read: a line for each, and the status 2."""
    (top / "closed").mkdir(parents=True)
    (top / "closed/a.md").write_text("# A\n")
    (top / "secret.md").write_text("# S\n")
    (top / "good.md").write_text("# Good\n")
    (top / "listed").mkdir()
    (top / "listed/a.md").write_text("[x](../none.md)")
    page(top, "index.md", ["closed/a.md", "closed/b.md", "closed/", "closed", "secret.md", "secret.md#s", "good.md#good", "listed/a.md"])
    if os.geteuid() == 0 and not can_run(top):
        return print("  permissions: not shown, since the command is in a directory that other users cannot see")
    (top / "closed").chmod(0)
    (top / "listed").chmod(0o444)
    (top / "secret.md").chmod(0)
    ended = as_nobody(top, "--offline", "--show", "all", ".")
    lines = ended.stdout.splitlines()
    wanted = {
        "closed/a.md": "warning",
        "closed/b.md": "warning",
        "closed/": "note",
        "closed": "note",
        "secret.md": "note",
        "secret.md#s": "warning",
        "good.md#good": "note",
        "listed/a.md": "warning",
    }
    for url, word in wanted.items():
        if not any(f" {word}: {url}:" in line for line in lines):
            yield f"permissions: {url} is no {word}: {lines}"
    errors = [line for line in ended.stderr.splitlines() if line.startswith("error:")]
    if ended.returncode != 2 or len(errors) != 3 or any("error:" in line for line in lines):
        yield f"permissions: status {ended.returncode}: {ended.stdout}{ended.stderr}"
    (top / "closed").chmod(0o755)
    (top / "listed").chmod(0o755)


def can_run(top):
    try:
        return as_nobody(top, "--list").returncode == 0
    except PermissionError:
        return False


def large(top):
    """Documents of many MB without a link, or with one that never ends."""
    top.mkdir()
    contents = {"less.html": (b"<", 30), "less.md": (b"<", 10), "tag.html": (b"<a href='x", 10), "divs.html": (b"<div>", 10)}
    contents |= {"brackets.md": (b"[", 2), "ticks.md": (b"`", 2), "quotes.md": (b"> ", 2), "words.txt": (b"http:", 2)}
    contents |= {"colons.css": (b"url(", 2)}
    for name, (piece, size) in contents.items():
        with open(top / name, "wb") as file:
            for _ in range(size):
                file.write(piece * ((1 << 20) // len(piece)))
        found = check(top, "--offline", name)
        if found.memory > MOST or found.status:
            yield f"{name}: status {found.status}, {found.memory} MiB: {found.said[:300]} {str(found.links[:3])[:300]}"
        if found.seconds > 5:
            print(f"  {name}: {found.seconds:.1f} s")
        (top / name).unlink()


# By name: a line, how many there are, whether they are broken, and the most memory in MiB.
MANY = {
    "good.html": ("<a href='other.html'>{}</a>\n", 1_000_000, False, 60),
    "fragments.html": ("<a href='other.html#x'>{}</a>\n", 1_000_000, False, 400),
    "own.html": ("<a href='#n{0}' id=n{0}>x</a>\n", 1_000_000, False, 200),
    "bad.html": ("<a href='n{}.html'>x</a>\n", 50_000, True, 120),
}


def many(top):
    """A million links in a page: good ones need little memory, bad ones are reported, each once."""
    top.mkdir()
    (top / "other.html").write_text("<p id=x>")
    for name, (line, number, is_broken, most) in MANY.items():
        with open(top / name, "w") as file:
            file.writelines(line.format(at) for at in range(number))
        status, printed, said, seconds, memory = run_into_files(top, "--offline", name)
        with open(printed, "rb") as file:
            lines = sum(1 for _ in file)
        if (lines, status) != ((number, 1) if is_broken else (0, 0)) or memory > most:
            yield f"{name}: {lines} lines, status {status}, {memory} MiB: {said.read_text()[:300]}"
        if f"{number:,} links in 1 file" not in said.read_text():
            yield f"{name}: {said.read_text()[:300]}"
        print(f"  {number:,} links, {name}: {seconds:.1f} s, {memory} MiB")


def deep(top):
    """Directories and documents that are nested deeply."""
    top.mkdir()
    here = os.getcwd()
    os.chdir(top)
    for _ in range(1500):
        os.mkdir("directory")
        os.chdir("directory")
    with open("page.md", "w") as file:
        file.write("[x](none.md)")
    os.chdir(here)
    documents = {
        "divs.html": "<div>" * 300_000 + "<a href=none.html>x</a>",
        "quotes.md": ">" * 20_000 + " [x](none.md)",
        "lists.md": "".join("  " * depth + "- x\n" for depth in range(2000)) + "\n[x](none.md)",
        "brackets.md": "[" * 50_000 + "x" + "]" * 50_000 + "(none.md)",
        "path.md": f"[x]({'../' * 100_000}none.md) [y]({'x/' * 100_000}none.md)",
        "long.md": f"[x]({'x' * 5_000_000}.md) [y](data:,{'x' * 5_000_000})",
    }
    for name, text in documents.items():
        (top / name).write_text(text)
        found = check(top, "--offline", name)
        if found.memory > MOST or found.status not in (0, 1):
            yield f"{name}: status {found.status}, {found.memory} MiB: {found.said[:300]}"
        (top / name).unlink()
    # A path that is longer than the system allows.
    status, printed, said, _, memory = run(top, "--offline", ".")
    if status != 2 or said.count("error:") != 1 or memory > MOST:
        yield f"1,500 directories: status {status}, {memory} MiB: {said[-600:]}{printed[-600:]}"
    remove(top)


def remove(top):
    """Removes a tree whose paths are too long."""
    subprocess.run(["rm", "-rf", top], check=True)


def names(top):
    """Names of files that are not texts, or that would move a cursor."""
    top.mkdir()
    odd = [b"latin\xe4.md", b"line\nbreak.md", b"escape\x1b[31m.md", b"x" * 252 + b".md", b"-q.md", b"100%.md"]
    for name in odd:
        with open(os.path.join(os.fsencode(top), name), "wb") as file:
            file.write(b"# X\n[x](none.md)\n")
    page(top, "index.md", ["latin%E4.md#x", "line%0Abreak.md#x", "escape%1B%5B31m.md#x", "-q.md#x", "x" * 252 + ".md", "x" * 300 + ".md", "nul%00.md"])
    status, printed, said, _, _ = run(top, "--offline", ".")
    lines = printed.splitlines()
    if status != 1 or "\x1b" in printed + said or len(lines) != len(odd) + 1:
        yield f"names: status {status}, {len(lines)} lines: {printed}{said}"
    found = check(top, "--offline", "index.md")
    codes = [link["code"] for link in found.links]
    # No file can have the last name.
    if codes != ["ok"] * 5 + ["no-such-file", "this-machine"]:
        yield f"names: {codes}"


def test(folder):
    """Yields what is wrong."""
    for part in loops, pipes, permissions, large, many, deep, names:
        began, count = time.monotonic(), 0
        for line in part(folder / part.__name__):
            count += 1
            yield f"{part.__name__}: {line}"
        shutil.rmtree(folder / part.__name__, ignore_errors=True)
        print(f"  {part.__name__:12} {count or 'no'} errors, {time.monotonic() - began:.1f} s", flush=True)
