"""The console port of Hercules, which is a TN3270 server; it shows its logo and no more."""

from shared.server import Server

CONFIGURATION = """ARCHMODE ESA/390
CPUSERIAL 000001
CPUMODEL 3090
MAINSIZE 4
NUMCPU 1
CNSLPORT 127.0.0.1:{port}
0010 3270
0011 3270
001F 3215-C
"""


def prepare(home):
    home.write("hercules.cnf", CONFIGURATION.format(port=home.port))
    return ["sh", "-c", "cd /mnt && exec hercules -d -f hercules.cnf"]


SERVERS = [
    Server(
        name="hercules",
        kind="tn3270",
        about="TN3270",
        packages=("hercules", "c3270", "3270-common"),
        prepare=prepare,
        greets=True,
        client="c3270",
    )
]
