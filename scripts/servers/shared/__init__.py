"""What the servers of the tests have in common. Every script here takes its paths from this file."""

import fcntl
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
# Everything the scripts write is in this directory.
BASE = ROOT / "target" / "servers"
# The Debian packages, unpacked over each other.
SYSTEM = BASE / "system"
# What every server serves, and its description for tests.
TREE = BASE / "tree"
ARTICLES = BASE / "articles"
MANIFEST = BASE / "tree.json"
# Keys and certificates; `ca.pem` is what a client must trust.
CERTIFICATES = BASE / "certificates"
# One directory for each server, and the list of those that run.
RUN = BASE / "run"
RUNNING = RUN / "servers.json"
# A process that uses servers has a shared lock of this file, which the system ends with the process.
USERS = RUN / "users"

# In its namespace a server has its own directory at HOME and the tree at TREE_INSIDE.
HOME = "/mnt"
TREE_INSIDE = "/srv"


def write_list(servers):
    """Writes servers.json whole, or not at all; removes it if there is no server."""
    listed = {"tree": str(TREE), "manifest": str(MANIFEST), "ca": str(CERTIFICATES / "ca.pem"), "servers": servers}
    unfinished = RUNNING.with_suffix(".part")
    unfinished.write_text(json.dumps(listed, indent=1) + "\n")
    unfinished.replace(RUNNING)
    if not servers:
        RUNNING.unlink()


def locked():
    """Waits until no other start or stop runs in this clone; the returned file holds others off."""
    BASE.mkdir(parents=True, exist_ok=True)
    file = open(BASE / "lock", "w")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def use():
    """Keeps servers that were started with --while-used running until the returned file is closed."""
    RUN.mkdir(parents=True, exist_ok=True)
    file = open(USERS, "a")
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def unused():
    """A file that keeps others from using the servers until it is closed; None if one uses them."""
    file = open(USERS, "a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file
