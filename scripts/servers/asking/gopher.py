"""Gopher: every file of the tree, a search, and Gopher+."""

import re

from . import files


def fetch(server, listed, selector):
    with files.connect(server, listed["ca"]) as connection:
        connection.sendall(selector + b"\r\n")
        return files.read_all(connection)


def selector_of(path, is_octal):
    """The selector of a file: its path, or with other octets than letters and digits as #ooo."""
    if is_octal:
        path = re.sub(rb"[^\w/.-]", lambda found: b"#%03o" % ord(found[0]), path)
    return b"/" + path


def is_content(octets, entry, changes):
    """Whether `octets` are a file: as it is, or as text, which the server may change so."""
    if files.is_content(octets, entry):
        return True
    if "crlf" in changes:
        octets = octets.replace(b"\r\n", b"\n")
    candidates = [octets, octets.removesuffix(b"\n")] if "final line end" in changes else [octets]
    return any(files.is_content(text, entry) for text in candidates)


def ask(server, listed):
    features = server["features"]
    found = fetch(server, listed, features["search"].encode() + b"\tfoo bar")
    assert b"result for [foo bar]" in found, found
    if features["plus"]:
        item = fetch(server, listed, b"/plus/item.txt\t!")
        assert b"+ABSTRACT:" in item, item
    menus = [b"maps/gophermap".hex()]
    entries = [entry for entry in files.manifest()["files"] if not entry["is_program"] and entry["path"] not in menus]
    for entry in entries:
        path = bytes.fromhex(entry["path"])
        octets = fetch(server, listed, selector_of(path, features["octal_selectors"]))
        is_fetched = is_content(octets, entry, features["changes"])
        is_refused = entry["path"] in features["refuses"]
        assert is_fetched != is_refused, f"{path}: {octets[:200]}"
    return f"{len(entries)} files"
