"""Carries out plans of Prospero, too: what follows from its answers (spec/plan.md, 8)."""

import re

import http_requests
from plans import Ended, PlanError, octets, shown

FAILURES = {"NOT-FOUND": "missing", "NOT-A-DIRECTORY": "missing", "AUTHENTICATION-REQUIRED": "need-login", "SERVER-FAILED": "busy"}
# In the order in which they are taken; only the last one leads to no other URL.
METHODS = ["FTP", "AFTP", "GOPHER", "WAIS", "PROSPERO-CONTENTS"]
WORD = re.compile(rb"(?:'(?:[^']|'')*'|[^' \n])+|\n")


def lines(answer):
    """Yields the words of each line."""
    words = []
    for found in WORD.findall(answer + b"\n"):
        if found != b"\n":
            # Quoted parts and others without a space between them are one word.
            parts = re.findall(rb"'((?:[^']|'')*)'|([^']+)", found)
            words.append(b"".join(quoted.replace(b"''", b"'") or other for quoted, other in parts))
        elif words:
            yield words
            words = []


class Run(http_requests.Run):
    """A plan that is carried out, of any protocol."""

    def take_receive(self, step):
        kind = step["object"]["kind"]
        if kind == "attributes" or step["object"]["end"] == "contents":
            self.answer = bytearray()
            self.whole = self.object({**step["object"], "end": "answer"}, self.answer.extend)
            self.refuse()
            if kind != "attributes" and [*lines(self.answer)] == [[b"NONE-FOUND"]]:
                self.take_all(self.list)
                raise Ended
            if kind != "attributes":
                self.give(self.contents())
        else:
            super().take_receive(step)

    def refuse(self):
        """An answer that is a failure ends the plan, and so does one that leads to another server."""
        for words in lines(self.answer):
            if words[0] == b"FAILURE":
                raise PlanError(FAILURES.get(shown(words[1]), "refused"), shown(bytes(self.answer)))
            if words[0] in (b"ERROR", b"VERSION-NOT-SUPPORTED"):
                raise PlanError("not-supported", shown(bytes(self.answer)))
            if words[0] == b"FORWARDED":
                self.next = {"forwarded": [*map(shown, words[1:])]}
                raise Ended

    def attributes(self):
        """Yields the name and the values of each attribute."""
        for words in lines(self.answer):
            if words[0] == b"ATTRIBUTE" and words[4:5] == [b"SEQUENCE"]:
                yield words[3], words[5:]

    def contents(self):
        parts = [values for name, values in self.attributes() if name == b"CONTENTS"]
        if not parts or any(values[:1] != [b"DATA"] or len(values) < 2 for values in parts):
            raise PlanError("missing", "the answer has no contents")
        return b"".join(values[1] for values in parts)

    def take_go_on(self, step):
        if "url" in step:
            super().take_go_on(step)
        found = [*self.attributes()]
        for wanted in step["access_method"]:
            name, value = octets(wanted["name"]), octets(wanted["value"])
            if not any(one == name and (value in values or value == b" ".join(values)) for one, values in found):
                raise PlanError("missing", f"{shown(name)} is not {shown(value)}")
        methods = [[*map(shown, values)] for name, values in found if name == b"ACCESS-METHOD" and values]
        known = [method for method in methods if method[0] in METHODS]
        if methods and not known:
            raise PlanError("not-supported-here", str(methods))
        method = min(known, key=lambda one: METHODS.index(one[0]), default=["list"])
        self.list = step["list"]
        if method[0] in ("list", "PROSPERO-CONTENTS"):
            self.take_all(step["list" if method[0] == "list" else "contents"])
        else:
            self.next = {"access_method": method}
        raise Ended
