"""Writes documents, and remembers where each link is.

A `Text` takes text and references. Line and column count from 1, the column in bytes, as the command counts.
"""


class Link:
    """A link that was written: its file, place and reference, and the code that the command must have for it."""

    def __init__(self, file, line, column, written, url, code):
        self.file, self.line, self.column, self.written, self.url, self.code = file, line, column, written, url, code

    def place(self):
        return self.file, self.line, self.column, self.url

    def __repr__(self):
        return f"{self.file}:{self.line}:{self.column}: {self.url} ({self.code})"


class Text:
    """A document that is written from its beginning to its end."""

    def __init__(self, name):
        self.name, self.octets, self.links = name, bytearray(), []

    def add(self, text):
        self.octets += text.encode()

    def link(self, url, code, written=None):
        """Adds a reference; `written` is how it is written here, such as with `&amp;`."""
        written = url if written is None else written
        start = self.octets.rfind(b"\n") + 1
        line, column = self.octets.count(b"\n") + 1, len(self.octets) - start + 1
        self.links.append(Link(self.name, line, column, written, url, code))
        self.add(written)

    def write(self, top, ends="\n", mark=""):
        """Writes the file, with other ends of lines, or with a byte order mark: neither moves a link."""
        path = top / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        octets = bytes(self.octets) if ends == "\n" else bytes(self.octets).replace(b"\n", ends.encode())
        path.write_bytes(mark.encode() + octets)


class Html:
    """The ways in which HTML writes links."""

    PAGES = [
        ('<p>{} <a href="', '">there</a></p>\n'),
        ("<p>{} <a\n   class=x href='", "'>there</a></p>\n"),
        ("<li>{} <A HREF = \"", "\" rel=nofollow>there</A>\n"),
        ("<map name=m>{}<area shape=rect coords=0,0,9,9 href=\"", "\" alt=x></map>\n"),
        ('<div>{}<iframe loading=lazy src="', '"></iframe></div>\n'),
        ('<link rel="next" title="{}" href="', '">\n'),
        ('<form method=get title="{}" action="', '"><input name=q></form>\n'),
    ]
    FILES = [
        ('<p>{}<img alt="a > b" src="', '"></p>\n'),
        ('<p>{}<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" srcset="', ' 2x"></p>\n'),
        ('<picture>{}<source srcset="', '"></picture>\n'),
        ('<p>{}<video controls poster="', '"></video></p>\n'),
        ('<p>{}<object type="image/png" data="', '"></object></p>\n'),
        ('<p title="{}" style="background: url(\'', "')\">x</p>\n"),
    ]

    @staticmethod
    def write(text, ways, chance, words, url, code):
        before, after = chance.choice(ways)
        text.add(before.format(words))
        text.link(url, code, url.replace("&", "&amp;"))
        text.add(after)


class Markdown:
    """The ways in which Markdown writes links."""

    PAGES = [
        ("{} [there](", ").\n\n"),
        ('{} [there](', ' "a title (with brackets)").\n\n'),
        ("{} [there](<", ">).\n\n"),
        ("- {}\n  - [`code`](", ") and\n    more\n\n"),
        ("> {}\n> [quoted](", ")\n\n"),
        ("| {} | b |\n|---|---|\n| [in a table](", ") | c |\n\n"),
        ('<p>{} <a href="', '">in HTML</a></p>\n\n'),
    ]
    FILES = [
        ("{} ![a picture](", ")\n\n"),
        ("- {}\n- ![a badge](", " \"title\")\n\n"),
        ('<img title="{}" src="', '">\n\n'),
    ]
    REMOTE = [("{} <", ">\n\n"), ("{} ", " and so on.\n\n")]

    @staticmethod
    def write(text, ways, chance, words, url, code):
        before, after = chance.choice(ways)
        text.add(before.format(words))
        text.link(url, code)
        text.add(after)
