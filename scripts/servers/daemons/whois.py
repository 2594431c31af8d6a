"""A whois server (RFC 954, 3912) of a few lines of shell; Debian has none."""

from shared.server import Server, inetd

PROGRAM = r"""#!/bin/sh
IFS= read -r line
line=${line%$(printf '\r')}
case $line in
'') printf 'Please enter a name or a handle, such as "Smith".\r\n' ;;
joe | Joe) printf 'Smith, Joe (JS1)\t\tjoe@test.invalid\r\n   Test Institute\r\n   caf\351\r\n' ;;
*) printf 'No match for "%s".\r\n' "$line" ;;
esac
printf '%s\n' "$line" >> /mnt/asked
"""


def prepare(home):
    home.write("whoisd", PROGRAM, 0o755)
    return inetd(home.port, "/mnt/whoisd")


SERVERS = [
    Server(name="whois", kind="whois", about="whois, with an answer for joe", packages=("socat",), prepare=prepare)
]
