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
# apt's own user need not reach this directory.
AS_ROOT = ["-o", "APT::Sandbox::User=root"]


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, env=os.environ | {"LC_ALL": "C"}, **options)


def libraries_of(packages, options):
    """Libraries in the dependencies of `packages` that this machine has not, and theirs."""
    printed = run("apt-cache", *options, "depends", "--no-recommends", *packages, capture_output=True).stdout
    named = {found[1] for line in printed.splitlines() if (found := NEEDED.match(line.strip()))}
    wanted = sorted(named.union(ALWAYS) - set(packages))
    uris = run(
        "apt-get",
        *options,
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
    try:
        return download_by(packages, [], subprocess.DEVNULL)
    except subprocess.CalledProcessError:
        # Lists of its own: another process may have locked the machine's to update them.
        lists = ["-o", f"Dir::State::Lists={DOWNLOADS}/lists", "-o", f"Dir::Cache={DOWNLOADS}/cache"]
        run("apt-get", "-qq", *AS_ROOT, *lists, "update", stdout=subprocess.DEVNULL)
        return download_by(packages, lists, None)


def download_by(packages, options, output):
    names = [*packages, *libraries_of(packages, options)]
    command = ["apt-get", "-qq", *AS_ROOT, *options, "download", *names]
    run(*command, cwd=DOWNLOADS, stdout=output, stderr=output)
    return sorted(DOWNLOADS.glob("*.deb"))


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
