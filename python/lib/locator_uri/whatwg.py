"""URLs as browsers read them, by the URL Standard: `URL` and `URLSearchParams` as in JavaScript.

>>> from locator_uri.whatwg import URL
>>> url = URL("/path|x?f[]=1", "https://www.Example.com")
>>> url.href
'https://www.example.com/path|x?f[]=1'
>>> url.hostname, url.pathname, url.search_params.get("f[]")
('www.example.com', '/path|x', '1')

Use it to do exactly what a browser does. It reads almost any text, and rewrites it: `Uri` keeps the text
as given, and rejects what RFC 3986 does not allow. The two can find different hosts in one text:

>>> from locator_uri import readings
>>> URL("http://good.example\\\\@evil.example/").hostname
'good.example'
>>> [contact.host for contact in readings("http://good.example\\\\@evil.example/").contacts]
['evil.example', 'good.example']

Names are those of JavaScript in the spelling of Python: `search_params`, `can_parse`, `get_all`;
`searchParams`, `canParse` and `getAll` are there, too. A `URL` can be changed by its attributes, so it is
not hashable. `validate` returns the validation errors of a text.
"""

from ._native import URL, URLSearchParams, domain_to_ascii, domain_to_unicode, validate
from ._records import ValidationError

__all__ = ["URL", "URLSearchParams", "ValidationError", "domain_to_ascii", "domain_to_unicode", "validate"]
