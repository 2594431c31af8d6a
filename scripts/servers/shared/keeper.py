"""Runs servers: each in a mount namespace of its own, all below one process, the keeper.

In its namespace a server sees the unpacked packages as a layer of /usr and /etc, its own directory
at /mnt, those of all at /run/servers and the tree at /srv. So configurations have fixed paths, the
directories above the clone need not be readable for the users that servers change to, and nothing
of the machine changes.

The keeper adopts what its servers leave (PR_SET_CHILD_SUBREAPER), so that it can end all of it, and
reaps it: where process 1 does not reap, a process without a parent would stay as a zombie.
"""

import ctypes
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

from . import BASE, HOME, RUN, sockets

PR_SET_CHILD_SUBREAPER = 36
# Seconds.
TO_START = 30
TO_STOP = 2
# What ends the keeper, and its servers before it.
ENDS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]

# Paths are relative to target/servers: a clone's path may contain what mount has a meaning for.
NAMESPACE = """set -e
mount -t overlay servers -o lowerdir=system/usr:/usr /usr
if [ -d "run/$1/etc" ]; then etc="run/$1/etc:"; fi
mount -t overlay servers -o "lowerdir=${etc-}system/etc:/etc" /etc
mount -t tmpfs servers /run
mount -t tmpfs servers /var/log
mkdir /run/servers
mount --bind run /run/servers
mount --bind tree /srv
mount --bind "run/$1" /mnt
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
        namespace = ["unshare", "--mount", "--propagation", "private", "sh", "-c", NAMESPACE, "sh", home.path.name]
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


def start(server, home):
    """Starts a server and returns its process when it is ready."""
    process = spawn(home, server.prepare(home))
    end = time.monotonic() + TO_START
    while not is_ready(server, process.pid, home.port):
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
    """Reaps until nothing is left, or until a signal asks to end; then ends all below this process."""
    awaited = [signal.SIGCHLD, *ENDS]
    signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    while has_children() and signal.sigwaitinfo(awaited).si_signo == signal.SIGCHLD:
        pass
    end_all()


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


def inhabitants():
    """Living processes in the namespaces of this clone's servers, also those that lost their keeper."""
    spaces = {}
    for process in parents():
        try:
            spaces.setdefault(os.readlink(f"/proc/{process}/ns/mnt"), []).append(process)
        except OSError:
            continue
    ours = {status_of(home) for home in RUN.glob("*/")}
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


def kill_inhabitants():
    for process in inhabitants():
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def is_alive(process):
    return process in parents()
