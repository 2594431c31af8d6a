"""The server of WAIS of this repository (crates/locator-dev); Debian has none."""

import os
import shutil
import subprocess

from shared import ROOT
from shared.server import Server


def build(home):
    """Puts the servers of this repository into the directory of one: LOCATOR_DEV, or what is built now."""
    if built := os.environ.get("LOCATOR_DEV"):
        shutil.copy(built, home.path / "locator-dev")
        return
    target = ROOT / "target"
    build = ["cargo", "build", "--quiet", "--package", "locator-dev", "--target-dir", target]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"locator-dev cannot be built: {done.stderr}")
    shutil.copy(target / "debug" / "locator-dev", home.path / "locator-dev")


def prepare(home):
    """The databases are `fruit`, of its own, and `tree`."""
    build(home)
    return ["/mnt/locator-dev", "serve-wais", str(home.port), "/srv"]


SERVERS = [Server(name="wais", kind="wais", about="WAIS, with documents in slices", packages=(), prepare=prepare)]
