"""What the tests of `locator links` have in common: the command, and what it says of each link."""

import json
import os
from pathlib import Path

import measured

ROOT = Path(__file__).resolve().parent.parent.parent
# The command that is tested.
LOCATOR = os.environ.get("LOCATOR", str(ROOT / "target/debug/locator"))
# Variables that would let the command contact others.
LEFT_OUT = {"GITHUB_TOKEN", "GITHUB_WORKSPACE", *[f"{name}_proxy" for name in ("http", "https", "all", "no")]}


class Checked:
    """What the command says of some documents."""

    def __init__(self, status, links, said, seconds, memory):
        self.status, self.links, self.said = status, links, said
        # How long it ran, and the most memory that it had, in MiB.
        self.seconds, self.memory = seconds, memory

    def codes(self):
        """Returns the code of each link, by its reference."""
        return {link["url"]: link["code"] for link in self.links}


def environment(trusts=None):
    """The environment of the command; `trusts` is a file of certificates to trust."""
    own = {name: value for name, value in os.environ.items() if name.lower() not in {one.lower() for one in LEFT_OUT}}
    return own | ({"SSL_CERT_FILE": str(trusts)} if trusts else {})


def run(folder, *arguments, trusts=None):
    """Runs `locator links` in a folder; returns status, standard output, standard error, seconds and MiB."""
    status, out, err, seconds, memory = run_into_files(folder, *arguments, trusts=trusts)
    return status, out.read_text(), err.read_text(), seconds, memory


def run_into_files(folder, *arguments, trusts=None):
    """Like `run`, for much output: returns the files that have it."""
    prefix = folder.parent / f"{folder.name}-printed"
    words = ["sh", "-c", 'exec "$@" >"$0.out" 2>"$0.err"', str(prefix), LOCATOR, "links", *map(str, arguments)]
    seconds, status, used = measured.run(words, cwd=folder, env=environment(trusts))
    return status, Path(f"{prefix}.out"), Path(f"{prefix}.err"), seconds, used.ru_maxrss // 1024


def check(folder, *arguments, trusts=None):
    """Runs `locator links --json` in a folder."""
    status, printed, said, seconds, memory = run(folder, "--json", *arguments, trusts=trusts)
    objects = [json.loads(line) for line in printed.splitlines()]
    # The last one may have the numbers of links that documents leave out.
    return Checked(status, [one for one in objects if "left_out" not in one], said, seconds, memory)
