"""The system accounts that servers see in place of the machine's: files of /etc.

The users of the tests are joe (password "secret"), "a@b/c" (password "p@:/%w": every character that
must be escaped in a URL) and nopass, whose password is empty.
"""

from .server import Home

# crypt(3) of the passwords, with SHA-512.
SECRET = "$6$locator$.JM4kOuX/w2j3shH5nVbkDLoUXwPjQkhziA2a4wnygSZmJrHqAeVd238x6G/uRD5JgtrWXdXuPQWrUHg95aQd."
ESCAPED = "$6$locator$nxWAsbdU59mwQbKKIRrMhTJaJD1l4vu84m74tgdORGFJMJXUJ8Qlhg4BsEqWq6N/NLL3NpnTe47wrGxYIAM6z1"
EMPTY = "$6$locator$LD60EhPBqZqAr5310G9cM.qIlnIOl2S3YiqKtdVzqhrwSPKrtipjlGbzP27n8irA.b.xIY87BMLaNd9e4e0hd/"

# Accounts of the system that servers change to; the numbers are Debian's.
SYSTEM = "root:x:0:0::/:/bin/sh\nnews:x:9:9::/:/bin/sh\nproxy:x:13:13::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"
GROUPS = "root:x:0:\ntty:x:5:\nnews:x:9:\nproxy:x:13:\nutmp:x:43:\nusers:x:1000:\nnogroup:x:65534:\n"

# Passwords are checked; whether the account may be used is not.
PAM = "auth required pam_unix.so nullok\naccount required pam_permit.so\nsession required pam_permit.so\n"


def passwd(users):
    """Lines of /etc/passwd for (name, password, directory, shell), from the user id 1001 on."""
    return "".join(
        f"{user}:{password}:{1001 + at}:1000::{directory}:{shell}\n"
        for at, (user, password, directory, shell) in enumerate(users)
    )


def names(home: Home):
    """Makes names be looked up in files only, so that no server asks another machine."""
    home.write("etc/nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files\n")
    home.write("etc/hosts", "127.0.0.1 localhost\n")


def system(home: Home, users, pam=PAM, services=("other",)):
    """Writes the accounts of the system with `users`, each (name, crypt(3), directory, shell)."""
    names(home)
    home.write("etc/passwd", SYSTEM + passwd([(name, "x", directory, shell) for name, _, directory, shell in users]))
    home.write("etc/group", GROUPS)
    home.write("etc/shadow", "".join(f"{name}:{hash}:19000:0:99999:7:::\n" for name, hash, _, _ in users), 0o600)
    for service in services:
        home.write(f"etc/pam.d/{service}", pam)


def ftp_users(joe):
    """The users of an FTP server that has system accounts; `joe` is joe's directory."""
    tree = joe.split("home/")[0] or "/"
    return [
        ("joe", SECRET, joe, "/bin/sh"),
        ("a@b/c", ESCAPED, tree, "/bin/sh"),
        ("nopass", EMPTY, tree, "/bin/sh"),
        ("ftp", "*", "/srv", "/bin/sh"),
    ]
