"""The parts of CI, and what runs them; .ci/run calls it.

The parts of a list run one after the other, and the lists beside each other: so what computes uses both
processors, and what waits for servers, browsers and the network costs no time of its own. A part may wait for
one of another list. What a part prints is in target/ci. The first part that fails ends the others; its
output is printed last. With --go-on the others go on, tests too, and the output of each that failed is printed.
scripts/weekly runs what takes longer.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "target/ci"
CHECKED = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "checked"

# The crates that need no network, whose tests are built in two minutes: a mistake there is red before the others are built.
PURE = "locator-uri locator-domain locator-audit locator-functions locator-web locator-whatwg".split()
FIRST = " ".join(["scripts/test --fail-fast --tests", *(f"-p {crate}" for crate in PURE)])
EXAMPLES = " ".join(["scripts/test --fail-fast --doc", *(f"-p {crate}" for crate in PURE)])
# The others.
BUILD = " ".join(["scripts/test --no-run", *(f"--exclude {crate}" for crate in PURE)])
TEST = " ".join(["scripts/test --fail-fast", *(f"--exclude {crate}" for crate in PURE)])
LISTS = {
    # What is soonest red comes first; then one build of all other code, its tests, and the examples of documentation.
    # Clippy compiles this code (CLIPPY), so it is no part of the next list.
    "code": [FIRST, BUILD, TEST, EXAMPLES],
    # Static checks and the guides, in directories of their own: in that of the code they would wait for its builds.
    "lint": ["scripts/lint --quick", "scripts/lint --features", "scripts/test-guides"],
    # Builds of other workspaces, each in a directory of its own.
    "packages": [
        (FIRST, "scripts/packages/page"),
        "scripts/packages/sql --functions",
        # What servers send, made at random, with fixed numbers of inputs.
        "scripts/fuzz --short",
    ],
    # The wheel, and what uses it.
    "python": [
        (FIRST, "scripts/packages/python"),
        "scripts/packages/spark --classic",
        "scripts/packages/cluster --rows 20000 --case reduce-kill",
    ],
    # The command, in shells, networks and browsers of its own. LOCATOR_NO_NAMESPACE=1 goes without networks.
    "command": [
        "scripts/servers/install",
        "scripts/packages/gateway-pages",
        "scripts/servers/test-record-proxy",
        "scripts/measure/budgets --quick",
        (BUILD, "scripts/command/completions"),
        "scripts/command/dialogues",
        "scripts/command/reach",
        "scripts/command/pages-of-others",
        "scripts/command/vsftpd",
        # Real servers, which the tests use as well; LOCATOR_NO_SERVERS=1 goes without them.
        (TEST, "scripts/command/run-plan"),
        "scripts/command/wire-is-plan",
        "scripts/command/sessions",
        "scripts/command/walks",
        "scripts/command/serve",
    ],
}
# What `cargo clippy` sets: the compiler of the code is clippy, and a warning is an error.
CLIPPY = {"RUSTC_WORKSPACE_WRAPPER": "clippy-driver", "CLIPPY_ARGS": "-Dwarnings__CLIPPY_HACKERY__"}
# How much the parts of a list leave to the others (`nice`): what they build for minutes, nobody waits for. With more
# than this they would stand still, and be all that runs at the end.
PATIENCE = {"lint": 8, "packages": 6, "python": 2}
# Sensitive to time, or to what else runs: after all others.
ALONE = [["scripts/links/test"], ["scripts/servers/test"]]
# How much of the output of a part that failed is printed.
MOST_LINES = 2000


class Part:
    """A command, and the part that it waits for."""

    # The words that commands are run without.
    left_out = frozenset()

    def __init__(self, part, patience=0):
        self.after, self.command = part if isinstance(part, tuple) else (None, part)
        self.patience = patience
        # Without the list of the crates.
        self.name = self.command.removeprefix("scripts/").partition(" -p ")[0].partition(" --exclude ")[0]
        self.log = LOGS / (self.name.replace("/", "-").replace(" ", "_") + ".log")
        self.process, self.status, self.is_beside = None, None, False

    def start(self):
        print(f"ci: {self.name} …", flush=True)
        self.began = time.monotonic()
        # The server of WAIS and the command are those of the build.
        environment = os.environ | {"LOCATOR_DEV": str(CHECKED / "locator-dev")}
        if self.command.startswith(("scripts/command/", "scripts/links/")):
            environment["LOCATOR"] = str(CHECKED / "locator")
        if self.command.startswith("scripts/test "):
            environment |= CLIPPY
        if self.command.startswith("scripts/lint"):
            environment["CARGO_TARGET_DIR"] = str(ROOT / "target/lint")
        words = [word for word in self.command.split() if word not in self.left_out]
        if self.patience:
            words = ["nice", "-n", str(self.patience), *words]
        with self.log.open("wb") as log:
            # A group of its own, which can be ended; not a session of its own, in which "nice" would mean nothing to the others.
            self.process = subprocess.Popen(
                words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, process_group=0
            )

    def has_ended(self):
        number, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if number:
            self.status = self.process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds, self.cpu = time.monotonic() - self.began, usage.ru_utime + usage.ru_stime
        return bool(number)

    def end(self):
        """Ends the part with all that it started."""
        for number, patience in (signal.SIGTERM, 10), (signal.SIGKILL, 10):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                pass
            end = time.monotonic() + patience
            while self.status is None and time.monotonic() < end and not self.has_ended():
                time.sleep(0.1)


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def run(lists, going_on):
    """Runs lists of parts beside each other; returns the parts that failed, one unless it goes on."""
    ended, running = [], {}
    try:
        while running or any(lists):
            for parts in lists:
                is_free = parts and id(parts) not in running
                if is_free and (parts[0].after is None or any(part.command == parts[0].after for part in ended)):
                    running[id(parts)] = parts.pop(0)
                    running[id(parts)].start()
            for part in running.values():
                part.is_beside |= len(running) > 1
            for key, part in list(running.items()):
                if part.has_ended():
                    ended.append(running.pop(key))
                    print(f"ci: {part.name}: {'FAILED' if part.status else 'ok'}, {clock(part.seconds)}", flush=True)
                    if part.status and not going_on:
                        return [part]
            time.sleep(0.1)
    finally:
        for part in running.values():
            part.end()
    return [part for part in ended if part.status]


def main():
    going_on = sys.argv[1:] == ["--go-on"]
    if sys.argv[1:] and not going_on:
        sys.exit(f"ci: unknown arguments {sys.argv[1:]}: there is --go-on")
    LOGS.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if going_on:
        Part.left_out = {"--fail-fast"}
    lists = [[Part(part, PATIENCE.get(name, 0)) for part in parts] for name, parts in LISTS.items()]
    alone = [[Part(part) for part in parts] for parts in ALONE]
    commands = {part.command for parts in lists for part in parts}
    assert all(part.after is None or part.after in commands for parts in lists for part in parts)
    parts, began = [part for parts in [*lists, *alone] for part in parts], time.monotonic()
    failed = []
    try:
        failed = run(lists, going_on)
        if going_on or not failed:
            failed += run(alone, going_on)
    finally:
        print("ci: minutes by part, and of processors; + ran beside others")
        for part in parts:
            if part.status is not None:
                print(f"{'+' if part.is_beside else ' '}{clock(part.seconds):>6} {clock(part.cpu):>6} {part.name}")
        total = sum(part.cpu for part in parts if part.status is not None)
        print(f" {clock(time.monotonic() - began):>6} {clock(total):>6} in all", flush=True)
    for part in failed:
        print(f"ci: {part.name} failed with status {part.status}:")
        print(*part.log.read_text(errors="replace").splitlines()[-MOST_LINES:], sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
