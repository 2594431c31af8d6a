"""Carries out plans of HTTP, too: a request, a login after 401, and the framing of the body (RFC 9112)."""

import base64

import packets
from plans import Ended, PlanError, octets, shown

# Fields that a client may add or leave out: they do not change what is asked for.
OWN = {b"accept", b"accept-encoding", b"connection", b"user-agent"}


def fields_of(lines):
    """Names in lower case, and values; of several with a name the last."""
    named = (line.partition(b":")[::2] for line in lines)
    return {name.strip().lower(): value.strip() for name, value in named}


def is_same_request(sent, planned):
    """Whether two heads ask for the same: by their first lines, and by all fields that matter."""
    (line, *sent), (planned_line, *planned) = (head.rstrip(b"\r\n").split(b"\r\n") for head in (sent, planned))
    sent, planned = fields_of(sent), fields_of(planned)
    for name in OWN:
        sent.pop(name, None), planned.pop(name, None)
    return line == planned_line and sent == planned


class Run(packets.Run):
    """A plan that is carried out, of HTTP or of another protocol."""

    def take_connect(self, step):
        self.connected = step
        super().take_connect(step)

    def take_request(self, step):
        self.send(step["head"])
        code, text, fields = self.head()
        if code == 401 and step["login"]:
            self.body(fields, code, lambda _: None)
            self.wire.connect_again(self.connected)
            *before, last = step["head"]
            self.wire.send([*before, *with_login(last, step["login"])])
            code, text, fields = self.head()
        if code // 100 == 3 and b"location" in fields:
            self.next = {"url": shown(fields[b"location"])}
            raise Ended
        if code // 100 != 2:
            raise PlanError(self.means(code, text), f"{code} {shown(text)}")
        self.whole = self.body(fields, code, self.give)

    def head(self):
        """The code, the text and the fields of a response."""
        while not (reply := self.framed()) or reply[0] // 100 == 1:
            if not reply:
                self.take_in(self.wire.receive())
        text, *lines = reply[1].split(b"\n")
        return reply[0], text, fields_of(lines[:-1])

    def body(self, fields, code, give):
        """Reads the body of a response; returns how its end is known."""
        if code in (204, 304):
            return "framed"
        if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
            while size := int(self.line().split(b";")[0], 16):
                self.counted(size, give)
                self.line()
            while self.line().strip():
                pass
            return "framed"
        if b"content-length" in fields:
            return self.counted(int(fields[b"content-length"]), give)
        return self.object({"end": "connection"}, give)


def with_login(piece, login):
    """The last piece of a head, with the field of a login (RFC 7617)."""
    user, password = (octets(login[key]["secret"]) for key in ("user", "password"))
    field = b"Authorization: Basic " + base64.b64encode(user + b":" + password) + b"\r\n\r\n"
    return {"text": piece["text"].removesuffix("\r\n")}, {"secret": {"text": field.decode()}}
