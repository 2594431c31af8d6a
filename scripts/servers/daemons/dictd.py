"""dictd, the reference server of RFC 2229, with the chemical elements as its dictionary."""

from shared.server import Server, inetd

CONFIGURATION = """access { allow * }
database elements {
  data /usr/share/dictd/elements.dict.dz
  index /usr/share/dictd/elements.index
}
database few {
  data /mnt/few.dict
  index /mnt/few.index
  name "A few words"
}
"""
# A word, the offset and the length of its definition, as digits of base 64; 0 is A.
WORDS = {"a.": "a.\n.\nb\n", "caf\u00e9": "caf\u00e9\n", 'say "hi"': 'say "hi"\n', "iron": "iron\n  not an ion\n"}
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def digits(number):
    return (digits(number // 64) if number >= 64 else "") + DIGITS[number % 64]


def prepare(home):
    text, index = "", ["00-database-allchars\tA\tA", "00-database-utf8\tA\tA"]
    for word, definition in sorted(WORDS.items()):
        offset, length = len(text.encode()), len(definition.encode())
        index.append(f"{word}\t{digits(offset)}\t{digits(length)}")
        text += definition
    home.write("few.dict", text)
    home.write("few.index", "".join(line + "\n" for line in index))
    home.write("dictd.conf", CONFIGURATION)
    return inetd(home.port, "/usr/sbin/dictd --inetd --config /mnt/dictd.conf --locale C.UTF-8")


SERVERS = [
    Server(
        name="dictd",
        kind="dict",
        about="definitions and matches in two dictionaries, for schemes of a program's own",
        packages=("dictd", "dict-elements"),
        prepare=prepare,
        greets=True,
    )
]
