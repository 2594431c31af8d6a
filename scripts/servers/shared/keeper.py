"""Runs servers: each in a mount namespace of its own, all below one process, the keeper.

In its namespace a server sees the unpacked packages as a layer of /usr and /etc, its own directory
at /mnt, those of all at /run/servers and the tree at /srv; /run, /tmp, /dev/shm and /var/log are
empty. So configurations have fixed paths, the directories above the clone need not be readable for
the users that servers change to, nothing of the machine changes, and no server meets another of its
kind, the machine's or another clone's: squid, for one, replaces another's files in /dev/shm.

The keeper adopts what its servers leave (PR_SET_CHILD_SUBREAPER), so that it can end all of it, and
reaps it: where process 1 does not reap, a process without a parent would stay as a zombie.
"""

import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import time
from pathlib import Path

from . import BASE, HOME, RUN, RUNNING, sockets, unused

PR_SET_CHILD_SUBREAPER = 36
# Seconds.
TO_START = 30
TO_STOP = 2
TO_END = 10
# How often a keeper looks whether somebody still uses its servers.
TO_LOOK = 0.5
# What ends the keeper, and its servers before it.
ENDS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]

# Paths are relative to target/servers: a clone's path may contain what mount has a meaning for.
NAMESPACE = """set -e
mount -t overlay servers -o lowerdir=system/usr:/usr /usr
if [ -d "run/$1/etc" ]; then etc="run/$1/etc:"; fi
mount -t overlay servers -o "lowerdir=${etc-}system/etc:/etc" /etc
mount -t tmpfs servers /run
mount -t tmpfs servers /var/log
if [ -d /dev/shm ]; then mount -t tmpfs servers /dev/shm; fi
mkdir /run/servers
mount --bind run /run/servers
mount --bind tree /srv
mount --bind "run/$1" /mnt
mount -t tmpfs servers /tmp
shift
cd /
exec "$@"
"""


class ServerError(Exception):
    """A server did not start."""


def become():
    """Makes this process the keeper, and able to outlive the terminal."""
    os.setsid()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def end(*_):
        end_all()
        os._exit(1)

    for number in ENDS:
        signal.signal(number, end)


def spawn(home, command):
    """Starts `command` in its namespace; what it prints goes to the file `output`."""
    with open(home.path / "output", "wb") as output:
        namespace = ["unshare", "--mount", "--ipc", "--propagation", "private", "sh", "-c", NAMESPACE, "sh", home.path.name]
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
        return subprocess.Popen(
            [*namespace, *command], cwd=BASE, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )


def answers(port, greets):
    """Whether a connection is accepted and, if the server speaks first, it does."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=TO_START) as connection:
            return not greets or bool(connection.recv(1))
    except OSError:
        return False


def is_ready(server, process, port):
    """Whether a server takes requests."""
    if server.has_datagrams:
        return sockets.listens({process} | descendants(process), port)
    return answers(port, server.greets)


def is_heard(report):
    """Whether the process that waits for this report is still there."""
    waiting = select.poll()
    waiting.register(report, 0)
    return not waiting.poll(0)


def start(server, home, report):
    """Starts a server and returns its process when it is ready."""
    process = spawn(home, server.prepare(home))
    end = time.monotonic() + TO_START
    while not is_ready(server, process.pid, home.port):
        if not is_heard(report):
            raise ServerError("the start was interrupted")
        if process.poll() is not None:
            raise ServerError(f"ended with status {process.returncode}")
        if time.monotonic() > end:
            raise ServerError(f"does not answer on port {home.port} after {TO_START} s")
        time.sleep(0.02)
    if not sockets.listens({process.pid} | descendants(process.pid), home.port):
        raise ServerError(f"another program has port {home.port}")
    if server.fill:
        server.fill(home)
    return process.pid


def parents():
    """The parent of each process that is not a zombie."""
    found = {}
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (directory / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state not in "ZX":
            found[int(directory.name)] = int(parent)
    return found


def descendants(ancestor):
    """Every living process below `ancestor`."""
    known, found = parents(), {ancestor}
    while new := {child for child, parent in known.items() if parent in found} - found:
        found |= new
    return found - {ancestor}


def keep():
    """Reaps until nothing is left, a signal asks to end, or nobody uses what should run while used;
    then ends all below this process.
    """
    awaited = [signal.SIGCHLD, *ENDS]
    signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    while has_children():
        signalled = signal.sigtimedwait(awaited, TO_LOOK)
        if signalled and signalled.si_signo != signal.SIGCHLD:
            break
        # While the file is open, another process that wants servers waits, and then starts them.
        nobody = not signalled and unused()
        if nobody and is_while_used(os.getpid()):
            break
        if nobody:
            nobody.close()
    end_all()


def is_while_used(keeper):
    """Whether the servers of a keeper should end when nobody uses them. The caller keeps others from
    changing the list, by `locked` or `unused`.
    """
    kept = [entry for entry in listed().values() if entry["keeper"] == keeper]
    return all(entry["while_used"] for entry in kept)


def listed():
    """The servers of servers.json, by name; some may have ended."""
    return json.loads(RUNNING.read_text())["servers"] if RUNNING.exists() else {}


def is_keeper(process):
    """Whether a process is a keeper of this clone; its number alone may be another's by now."""
    log = status_of(f"/proc/{process}/fd/1")
    return log is not None and log == status_of(RUN / "keeper.log")


def runs(entry):
    """Whether a server of servers.json runs: its process is there, in the server's namespace."""
    home = status_of(f"/proc/{entry['pid']}/root{HOME}")
    return home is not None and home == status_of(RUN / entry["name"]) and is_alive(entry["pid"])


def end_keepers(keepers):
    """Ends keepers, with their servers; returns those that are still there after a while."""
    keepers = [process for process in keepers if is_keeper(process)]
    for process in keepers:
        os.kill(process, signal.SIGTERM)
    end = time.monotonic() + TO_END
    while left := [process for process in keepers if is_alive(process)]:
        if time.monotonic() > end:
            break
        time.sleep(0.02)
    return left


def end_all():
    """Ends every process below this one: SIGTERM, and SIGKILL for what is left after a while."""
    end = time.monotonic() + TO_STOP
    while below := descendants(os.getpid()):
        for process in below:
            try:
                os.kill(process, signal.SIGKILL if time.monotonic() > end else signal.SIGTERM)
            except ProcessLookupError:
                pass
        has_children()
        time.sleep(0.02)
    has_children()


def has_children():
    """Reaps what has ended; whether there are other children."""
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        return False
    return True


def inhabitants(kept=()):
    """Living processes in the namespaces of this clone's servers, also those that lost their keeper;
    not of the servers named in `kept`.
    """
    spaces = {}
    for process in parents():
        try:
            spaces.setdefault(os.readlink(f"/proc/{process}/ns/mnt"), []).append(process)
        except OSError:
            continue
    ours = {status_of(home) for home in RUN.glob("*/") if home.name not in kept}
    inhabited = [
        processes
        for processes in spaces.values()
        if any(status_of(f"/proc/{process}/root{HOME}") in ours for process in processes)
    ]
    return {process for processes in inhabited for process in processes}


def status_of(path):
    """What identifies a directory; None if it is not there, or not reachable."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def kill_inhabitants(kept=()):
    for process in inhabitants(kept):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def is_alive(process):
    return process in parents()
