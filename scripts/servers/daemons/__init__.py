"""The servers: a file for each program, which may run in several ways."""

from . import (
    gophernicus,
    hercules,
    inetutils_ftpd,
    inn2,
    netkit_ftpd,
    nginx,
    proftpd,
    pure_ftpd,
    pyftpdlib,
    pygopherd,
    rlogind,
    sn,
    squid,
    telnetd,
    tinyproxy,
    vsftpd,
    whois,
)

PROGRAMS = [
    vsftpd,
    pure_ftpd,
    proftpd,
    pyftpdlib,
    netkit_ftpd,
    inetutils_ftpd,
    gophernicus,
    pygopherd,
    inn2,
    sn,
    telnetd,
    rlogind,
    hercules,
    whois,
    nginx,
    squid,
    tinyproxy,
]
ALL = [server for program in PROGRAMS for server in program.SERVERS]
