"""Runs a program and measures what it needs, itself alone. Linux.

The largest memory of a process counts also what its parent had when it was born: some 20 MB where
that is Python. So a shell starts the program and ends at once; this process adopts it.
"""

import ctypes
import os
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36


def start(command, **options):
    """Starts a program without input; what it prints is lost. Returns its number, and the shell,
    which has ended, with its pipes.
    """
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    words = ["sh", "-c", '"$@" </dev/null >/dev/null & echo $!', "sh", *command]
    shell = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **options)
    with shell.stdout:
        number = int(shell.stdout.read())
    shell.wait()
    return number, shell


def wait(number):
    """Waits for a program that was started; returns its exit status and its `resource.getrusage`."""
    _, status, usage = os.wait4(number, 0)
    return os.waitstatus_to_exitcode(status), usage


def run(command, **options):
    """Runs a program; returns seconds, its exit status, and its `resource.getrusage`."""
    began = time.perf_counter()
    number, _ = start(command, **options)
    status, usage = wait(number)
    return time.perf_counter() - began, status, usage
