"""The exceptions. All are `ValueError`s and can be pickled.

They are written in Python because a class of the stable ABI of Python 3.11 cannot extend a built-in
exception.
"""

from __future__ import annotations

# The module `typing` takes as long to import as all else.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class UriError(ValueError):
    """An operation that is not possible for this URL.

    >>> from locator_uri import Uri, UriError
    >>> try:
    ...     Uri("mailto:jan@example.com").to_path()
    ... except UriError as error:
    ...     print(error.message)
    the scheme is not "file"
    """

    message: str
    """What is wrong, without position and rule."""
    part: str | None
    """The component that is wrong, such as "path", if it is one."""
    see: str | None
    """The document and section of the rule, such as "RFC 3986, 3.3", if there is a rule."""

    def __init__(self, message: str, part: str | None = None, see: str | None = None) -> None:
        super().__init__(message, part, see)
        self.message = message
        self.part = part
        self.see = see

    def __str__(self) -> str:
        return f"{self.message} ({self.see})" if self.see else self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class ParseError(UriError):
    """A text that is not a valid URL: what is wrong, where, and which rule it breaks.

    >>> from locator_uri import ParseError, Uri
    >>> try:
    ...     Uri("http://example.com/a b")
    ... except ParseError as error:
    ...     print(error.offset, error.part, error.rule, error.see, sep=" | ")
    20 | path | pchar | RFC 3986, 3.3
    """

    input: str | bytes
    """The text as given."""
    edition: str
    """The edition that the text was parsed by, such as "rfc3986"; "whatwg" for the URL Standard."""
    rule: str
    """The name of the rule in the grammar, or of the validation error of the URL Standard."""
    found: str
    """What was found there, such as "a space" or "the end"."""
    offset: int
    """Where the error is in `input`: in characters, or in bytes if `input` is `bytes`."""
    length: int
    """How long the wrong text is, in the same unit; 0 if something is missing there."""
    byte_offset: int
    """Where the error is in the UTF-8 of `input`, in bytes."""
    byte_length: int
    """How long the wrong text is in UTF-8, in bytes."""

    # All arguments are positional and go to `args`, by which exceptions are pickled.
    def __init__(
        self,
        input: str | bytes,
        edition: str,
        message: str,
        part: str,
        rule: str,
        found: str,
        see: str,
        offset: int,
        length: int,
        byte_offset: int,
        byte_length: int,
    ) -> None:
        super().__init__(message, part, see)
        self.args: tuple[Any, ...] = (
            input, edition, message, part, rule, found, see, offset, length, byte_offset,
            byte_length,
        )  # fmt: skip
        self.input = input
        self.edition = edition
        self.rule = rule
        self.found = found
        self.offset = offset
        self.length = length
        self.byte_offset = byte_offset
        self.byte_length = byte_length

    def __str__(self) -> str:
        return f"{self.message}, at offset {self.offset} ({self.rule}, {self.see})"

    def report(self) -> str:
        """Return the error below the text, with advice, for the author of the URL.

        Passwords are hidden.

        >>> from locator_uri import ParseError, Uri
        >>> try:
        ...     Uri("http://example.com/a b")
        ... except ParseError as error:
        ...     print(error.report())
        a space is not allowed in the path
          http://example.com/a b
                              ^ byte 20
          expected letters, digits, escapes or any of -._~!$&'()*+,;=:@ and "/"
          by pchar, RFC 3986, 3.3
          to include it literally, write %20
        """
        from ._native import _report, _report_whatwg

        if self.edition == "whatwg" and isinstance(self.input, str):
            return _report_whatwg(
                self.input, self.message, self.rule, self.byte_offset, self.byte_length
            )
        return _report(self.input, self.edition)


# The public name, which tracebacks and pickles show.
UriError.__module__ = ParseError.__module__ = "locator_uri"
