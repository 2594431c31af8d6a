"""News: every article by its Message-ID; its body is the one that was posted."""

from . import files


class News:
    """A connection to a news server, command by command."""

    def __init__(self, connection):
        self.stream = connection.makefile("rwb")
        self.greeting = self.stream.readline()

    def say(self, command):
        self.stream.write(command.encode() + b"\r\n")
        self.stream.flush()
        return self.stream.readline()

    def text(self):
        """The lines up to the dot, with LF and without the added dots."""
        lines = iter(self.stream.readline, b".\r\n")
        return b"".join(line.removesuffix(b"\r\n").removeprefix(b".") + b"\n" for line in lines)


def ask(server, listed):
    features = server["features"]
    with files.connect(server, listed["ca"]) as connection:
        news = News(connection)
        assert news.greeting[:1] == b"2", news.greeting
        reply = news.say("GROUP test.group")
        if features.get("wants_mode_reader"):
            assert reply.startswith(b"401 MODE-READER"), reply
            assert news.say("MODE READER").startswith(b"200")
        elif features.get("wants_login"):
            assert reply.startswith(b"480"), reply
            assert news.say("AUTHINFO USER joe").startswith(b"381")
            assert news.say("AUTHINFO PASS secret").startswith(b"281")
        reply = news.say("GROUP test.group")
        articles = files.manifest()["articles"]
        assert reply.split()[:3] == [b"211", b"%d" % len(articles), b"%d" % features["first_number"]], reply
        for article in articles:
            reply = news.say(f"ARTICLE <{article['id']}>")
            assert reply.startswith(b"220"), reply
            body = news.text().partition(b"\n\n")[2]
            assert files.is_content(body, article["body"]), article["id"]
    return f"{len(articles)} articles"
