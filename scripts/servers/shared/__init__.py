"""What the servers of the tests have in common. Every script here takes its paths from this file."""

import fcntl
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

# In its namespace a server has its own directory at HOME and the tree at TREE_INSIDE.
HOME = "/mnt"
TREE_INSIDE = "/srv"


def locked():
    """Waits until no other start or stop runs in this clone; the returned file holds others off."""
    BASE.mkdir(parents=True, exist_ok=True)
    file = open(BASE / "lock", "w")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file
