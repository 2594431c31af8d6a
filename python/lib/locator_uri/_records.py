"""What methods return: tuples with names."""

from __future__ import annotations

from typing import NamedTuple

from ._native import UriRef


class Difference(NamedTuple):
    """A difference between two URLs."""

    part: str
    """The component that differs."""
    kind: str
    """The kind of difference, such as "case" or "port"."""
    first: str
    """The text in the first URL."""
    second: str
    """The text in the second URL."""


class Comparison(NamedTuple):
    """The result of comparing two URLs: `Uri.compare`."""

    rung: str | None
    """The rung of the comparison ladder (RFC 3986, 6.2) on which they are equivalent: "simple",
    "syntax" or "scheme"; `None` if they are on none."""
    differences: tuple[Difference, ...]
    """The differences, from left to right."""

    @property
    def is_equivalent(self) -> bool:
        """Whether they are equivalent."""
        return self.rung is not None


class Match(NamedTuple):
    """A URL in a text: `find`."""

    url: str
    """The URL, with what the text leaves out, such as "http://" before "www."."""
    start: int
    """Where it starts in the text, in characters."""
    end: int
    """Where it ends."""
    kind: str
    """How it was recognized, such as "bare", "angle" or "www"."""
    is_guess: bool
    """Whether the text has no scheme, so that it may be something else."""
    uri: UriRef | None
    """The URL as an object, or `None` if it is not valid."""


class Finding(NamedTuple):
    """What is dangerous in a URL: `audit`."""

    code: str
    """A name that never changes, such as "userinfo-like-host"."""
    severity: str
    """"info", "low", "medium" or "high"."""
    message: str
    """A sentence."""
    start: int
    """Where it starts in the text, in characters."""
    end: int
    """Where it ends."""
    part: str
    """The component."""
    advice: str
    """What to do."""
    see: str
    """The document and section, or other source."""


class Contact(NamedTuple):
    """A server that programs contact for a URL: `readings`."""

    scheme: str
    host: str
    port: int | None
    readers: tuple[str, ...]
    """The programs, such as "curl" or "chromium"."""


class Readings(NamedTuple):
    """Which server each program contacts for a URL: `readings`."""

    agree: bool
    """Whether all current programs contact the same server."""
    contacts: tuple[Contact, ...]
    """The servers with the programs that contact them."""


class Plan(NamedTuple):
    """The steps that fetch a URL: `Uri.plan`. `str(plan)` is the listing of the command."""

    text: str
    """The steps, one a line: "C:" is sent, "S:" are replies and what they mean."""
    octets: bytes
    """The bytes that would be sent if each step succeeds."""
    notes: tuple[str, ...]
    """What to know about the plan."""

    def __str__(self) -> str:
        return self.text


class ValidationError(NamedTuple):
    """A difference between a text and a valid URL string: `locator_uri.whatwg.validate`.

    >>> from locator_uri.whatwg import validate
    >>> for error in validate("http://"):
    ...     print(error.name, error.start, error.is_failure, error.message, sep=", ")
    host-missing, 7, True, the host is missing
    """

    name: str
    """The name in the URL Standard, such as "invalid-URL-unit"."""
    message: str
    """A sentence."""
    start: int
    """Where it starts in the text, in characters."""
    end: int
    """Where it ends; `start` if something is missing there."""
    byte_start: int
    """Where it starts in the UTF-8 of the text, in bytes."""
    byte_end: int
    """Where it ends, in bytes."""
    is_failure: bool
    """Whether the text is no URL because of it; browsers repair all others."""


for _record in (Difference, Comparison, Match, Finding, Contact, Readings, Plan):
    _record.__module__ = "locator_uri"
ValidationError.__module__ = "locator_uri.whatwg"
del _record
