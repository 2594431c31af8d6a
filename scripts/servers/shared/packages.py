"""Downloads Debian packages and unpacks them over each other, without installing them.

FTP servers conflict with one another as installed packages, so do news servers, and installing some
of them needs a mail server or a domain name. Unpacked copies run side by side, and the machine does
not change: a server gets the copies as a layer over its own /usr and /etc (see `keeper`).
"""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from . import BASE, SYSTEM

# Names of what was unpacked; written last.
UNPACKED = BASE / "packages.list"
DOWNLOADS = BASE / "packages"
# What servers need of their dependencies; not mail servers, cron, inetd or log daemons.
NEEDED = re.compile(r"(?:Pre)?Depends: (lib\S+(?<!-perl)|python3\S*)$")
# The programs that start them, where the machine has none.
ALWAYS = ["socat", "openssl", "python3"]


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, env=os.environ | {"LC_ALL": "C"}, **options)


def libraries_of(packages):
    """Libraries in the dependencies of `packages` that this machine has not, and theirs."""
    printed = run("apt-cache", "depends", "--no-recommends", *packages, capture_output=True).stdout
    named = {found[1] for line in printed.splitlines() if (found := NEEDED.match(line.strip()))}
    wanted = sorted(named.union(ALWAYS) - set(packages))
    uris = run(
        "apt-get",
        "install",
        "--print-uris",
        "--no-upgrade",
        "-qq",
        "--yes",
        "--no-install-recommends",
        *wanted,
        capture_output=True,
    ).stdout
    return [line.split()[1].split("_")[0] for line in uris.splitlines() if line.startswith("'")]


def update_lists():
    run("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "update", stdout=subprocess.DEVNULL)


def unpack(package):
    """Unpacks one package; /lib and /sbin in it are the links to /usr that Debian has."""
    tar = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
    run(
        "tar",
        "-x",
        "--keep-directory-symlink",
        "--no-same-owner",
        "-C",
        SYSTEM,
        "--exclude=./var",
        "--exclude=./usr/share/doc",
        stdin=tar.stdout,
    )
    if tar.wait():
        raise subprocess.CalledProcessError(tar.returncode, tar.args)


def download(packages):
    """Downloads `packages` and their libraries; with new lists if the machine has none, or old ones."""
    shutil.rmtree(DOWNLOADS, ignore_errors=True)
    DOWNLOADS.mkdir(parents=True)
    for attempt in "with the lists as they are", "with new lists":
        try:
            names = [*packages, *libraries_of(packages)]
            quiet = subprocess.DEVNULL if attempt == "with the lists as they are" else None
            # apt's own user need not reach this directory.
            run(
                "apt-get",
                "-qq",
                "-o",
                "APT::Sandbox::User=root",
                "download",
                *names,
                cwd=DOWNLOADS,
                stdout=quiet,
                stderr=quiet,
            )
            return sorted(DOWNLOADS.glob("*.deb"))
        except subprocess.CalledProcessError:
            if attempt == "with new lists":
                raise
            update_lists()


def install(packages):
    """Makes SYSTEM contain `packages`; returns whether there was anything to do."""
    wanted = "\n".join(sorted(packages)) + "\n"
    if UNPACKED.exists() and UNPACKED.read_text() == wanted:
        return False
    UNPACKED.unlink(missing_ok=True)
    files = download(sorted(packages))
    shutil.rmtree(SYSTEM, ignore_errors=True)
    for name in "bin", "sbin", "lib", "lib64":
        (SYSTEM / "usr" / name).mkdir(parents=True)
        (SYSTEM / name).symlink_to(f"usr/{name}")
    (SYSTEM / "etc").mkdir()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(unpack, files))
    shutil.rmtree(DOWNLOADS)
    UNPACKED.write_text(wanted)
    return True
