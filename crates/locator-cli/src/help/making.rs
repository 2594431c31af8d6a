//! What people read about `resolve`, `relative`, `normalize`, `convert` and `compare`.

/// What `locator convert` takes.
pub(crate) const IRIS: &str =
    "The IRIs, with --to-iri the URIs; without any they are read from standard input, one a line";

/// What `resolve` takes.
pub(crate) const REFERENCES: &str =
    "The references; without any they are read from standard input, one a line";

/// What `-q` does where not every input that is valid has an answer.
pub(crate) const QUIET: &str =
    "Say nothing; the exit status tells, and the first that has no answer ends the run";

/// After the options of `locator resolve`.
pub(crate) const RESOLVE: &str = "\
Examples:
  locator resolve --base http://a/b/c/d ../g '?y' '#s'
  locator resolve -b http://a/b/c/d --leftover refuse ../../../g
  locator resolve -b http://a/b/c/d -e url-1997 '?y'
  locator resolve -b http://a/b/c/d --json < hrefs.txt | jq -r .result

Exit status: 0 all are resolved, 1 at least one cannot be, 2 wrong use (a base
that is none, too), 130 interrupted.";

/// Before that, with `--help`.
pub(crate) const RESOLVE_LONG: &str = "\
Input:
  A line ends in LF or CR LF; an empty line is an empty reference. With -0
  every octet between two NULs is data.

Output:
  One line for each reference, in their order. A reference to the document it
  stands in, which need not be the base, is \"(current document)\" or
  \"(current document)#s\". What cannot be resolved has no line: standard error
  tells which it is and why. A result that the edition refuses has its line
  (ftp://a for .. on ftp://a/b/c, by url-1993); standard error reports it, and
  the exit status is 1.

  With --json every reference has its line:
    {\"base\":…,\"reference\":…,\"edition\":…,\"result\":…}
  or, in place of \"result\", \"current_document\":true with its \"fragment\", or
  \"error\":{…}: as in read --json where the reference is not valid, else \"kind\"
  (\"base-opaque\", \"leftover\"), \"message\", \"see\" and the octets that it is
  about; \"of\":\"base\" if they are of the base. A result that the edition
  refuses has both, with \"kind\":\"result-not-valid\".

  url-1994 and rfc1738 do not say how a reference is resolved.";

/// After the options of `locator relative`.
pub(crate) const RELATIVE: &str = "\
Examples:
  locator relative --base http://a/b/c/d http://a/b/g http://a/b/c/this:that
  locator relative -b http://a/b/c/d --json < urls.txt | jq -r .result
  locator relative --path-relative -b http://a/b/c/d http://a/x

Exit status: 0 all have a reference, 1 at least one has none, 2 wrong use (a
base that is none, too), 130 interrupted.";

/// Before that, with `--help`.
pub(crate) const RELATIVE_LONG: &str = "\
Output:
  One line for each URL, in their order: the shortest reference that
  'locator resolve' with the same base, edition and options makes exactly that
  URL of. It may be empty. What has none, as http://a/./g, has no line:
  standard error tells which it is and why.

  With --json every URL has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.";

/// After the options of `locator normalize`.
pub(crate) const NORMALIZE: &str = "\
Examples:
  locator normalize HTTP://Example.COM:80/a/../%7euser
  locator normalize --level syntax http://example.com:80
  locator normalize --unique < urls.txt
  locator normalize --check < urls.txt
  locator normalize --repair 'http://h/a b|c'

Exit status: 0 all are valid (with --check: and in normal form), 1 at least
one is not, 2 wrong use, 130 interrupted.";

/// Before that, with `--help`.
pub(crate) const NORMALIZE_LONG: &str = "\
Output:
  One line for each URL, in their order. The normal form identifies the same;
  a reserved character is neither escaped nor unescaped, and a relative
  reference keeps its dot segments. What is not valid has no line: standard
  error tells which it is and why.

  With --json every URL has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.

  With --repair what no URL may hold is escaped first, as browsers do: a space
  is %20, é is %C3%A9, a host beyond ASCII its name in the DNS; white space
  around the URL goes. A \"%\" without two hex digits stays an error. Standard
  error tells what was read, with --json \"repaired\".

  With --check only what is not in normal form has a line: as it is, or with
  --json both forms.";

/// After the options of `locator convert`.
pub(crate) const CONVERT: &str = "\
Examples:
  locator convert http://résumé.example/é
  locator convert --idna http://résumé.example/é
  locator convert --to-iri http://example.org/D%C3%BCrst
  locator convert < iris.txt > uris.txt

Exit status: 0 all are converted, 1 at least one cannot be, 2 wrong use, 130
interrupted.";

/// Before that, with `--help`.
pub(crate) const CONVERT_LONG: &str = "\
Output:
  One line for each, in their order. What is not valid has no line: standard
  error tells which it is and why. Nothing else is changed: for the normal form
  of an IRI there is 'locator normalize -e rfc3987'.

  A URI has the escapes of UTF-8 for every character beyond ASCII, in the host
  as elsewhere. With --idna a host that has such characters, escaped or not, is
  taken for a domain name and written in its ASCII form (UTS 46); one that is
  no domain name is an error.

  An IRI has the characters that it may have in place of their escapes, where
  these are UTF-8. What divides a URI stays escaped, and so do characters at
  which 'locator find' ends a URL: spaces, quotes, brackets, what has no width
  or turns the direction of the text (U+202E); and private ones. Names \"xn--…\"
  stay. Where a character would not show itself on a terminal its code is
  shown: <U+200D>.

  With --json every input has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}.";

/// After the options of `locator compare`.
pub(crate) const COMPARE: &str = "\
Examples:
  locator compare http://example.com/~a HTTP://EXAMPLE.com:80/%7Ea
  locator compare --ignore-fragment http://h/#a http://h/#b
  locator compare http://h/a http://h/b --redirect http://h/a http://h/b
  locator compare --idna -e rfc3987 http://é.example http://xn--9ca.example
  locator compare --lists old.txt new.txt
  if locator compare -q \"$one\" \"$other\"; then echo the same; fi

Exit status: 0 equivalent, 1 not, 2 not compared, or wrong use.";

/// Before that, with `--help`.
pub(crate) const COMPARE_LONG: &str = "\
Output:
  Whether they are equivalent, and by which rule: octet by octet, by syntax
  (case, escapes, dot segments, spelling of an IPv6 address), by scheme
  (default port, empty path), with --idna by domain name, with --addresses by
  the number of an IPv4 address, or by protocol: redirects that were seen lead
  from one to the other. Then what differs, the first text above the second.
  That two are not equivalent does not say that they identify different things.
  A relative reference is not compared: resolve it first.

  With --json
    {\"first\":…,\"second\":…,\"edition\":…,\"equivalent\":true,\"rung\":\"syntax\",
     \"see\":…,\"differences\":
     [{\"component\":…,\"kind\":…,\"first\":{…},\"second\":{…}},…]}
  on one line, where each text has \"offset\", \"length\" (in octets) and \"text\".
  \"rung\" is \"simple\", \"syntax\", \"scheme\", \"idn\", \"number\" or \"protocol\"; there
  is none if they are not equivalent, and no \"see\", which tells the documents.
  What is not compared has \"argument\", which of the two it is about, and
  \"error\".

  With --lists each URL of the first file that no URL of the second is
  equivalent to has a line, \"<\", a space and the URL as it stands; then those
  of the second file, with \">\". Of equivalent URLs in one file the first is
  printed. With --json: {\"list\":1,\"line\":…,\"url\":…}. The status is 0 if
  nothing is printed, 1 if something is, 2 if a line is not valid.";
