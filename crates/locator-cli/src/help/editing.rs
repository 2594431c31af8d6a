//! What people read about `edit`.

/// After the options of `locator edit`.
pub(crate) const EDIT: &str = "\
Examples:
  locator edit -s host=example.org -s scheme=https http://h/a
  locator edit --qtrim 'utm_*' --sort-query < urls.txt
  locator edit -g '{host}:{default:port}' < urls.txt
  locator edit --append 'path=a b' --append 'query=q=x&y' http://h/
  locator edit --set path:0=v2 --unset path:-1 http://h/v1/a/b
  locator edit --replace-nth 1:q=new 'http://h/?q=a&q=b'
  locator edit -s type=i -g '{url} {cwds:-1}' ftp://h/a/b
  locator edit --iterate 'scheme=http ftp' --iterate 'port=22 80' http://h/
  locator edit --json -f urls.txt | jq -r .host

Exit status: 0 all are edited, 1 at least one cannot be, 2 wrong use (a value
that fits into no URL, too), 130 interrupted.";

/// Before that, with `--help`.
pub(crate) const EDIT_LONG: &str = "\
Parts:
  url scheme user password options host zoneid port path query fragment, and
  prefix, authority, userinfo. The names of the URL Standard are understood as
  well: href, origin, protocol (\"http:\"), username, hostname, pathname, search
  (\"?q\"), hash (\"#f\"); \"host\" is always without the port. Options are what
  stands behind \";\" in a user or password; origin is without a default port.
  path:N is a segment of the path, counted from 0, or from -1 at the end. A
  part is set once; a port is a number up to 65535.
  Parts of schemes have the names that read --json has in \"scheme_parts\": type,
  selector, search, gopher_plus (gopher); cwds, name, type (ftp); addresses,
  headers (mailto); group, message_id, pattern (news); group, number (nntp);
  database, search, wtype, wpath, identifier (wais) and others. cwds:N is one
  of a list, headers:NAME the value of a pair. search is \"?q\" in other schemes.

Order:
  Whatever the order of the options: redirect, what is removed, what is set,
  what is iterated over, segments, pairs removed, replaced (that of a number
  first), appended, sorted, the default port. What is not edited stays, octet
  by octet: no port, dot segment or escape goes by itself. A host needs a path
  besides where there is none that begins with \"/\", as in mailto:a@b. An empty
  argument is nothing yet:
    locator edit -s scheme=http -s host=h -s path=a ''

Formats:
  {part} has its escapes undone where that gives a character that shows
  itself; others stay (%0A, %FF), and so does url. They are UTF-8; in url-1993
  they are ISO 8859-1, and so is data: é is %E9. [part] and {:part} are as it
  stands. {query:NAME} is the value of a pair, {query-all:NAME} all values.
  {must:part} is an error where there is none, {strict:part} where an escape
  cannot be undone, {default:port} the scheme's port where there is none.
  \\n \\t \\r \\\\ \\{ and \\[ are what they are elsewhere.

Output:
  One line for each URL, in their order, with --iterate one for each
  combination. What is not valid or cannot be edited has an empty line, so that
  lines stay in step; standard error tells which it is and why.

  With --json each line is one object: that of read --json for the result, with
  \"input\", \"result\" and \"pairs\" (names and values as {part} has them), or
  \"valid\":false and \"error\":{…}, with \"kind\", \"edit\" where one is to blame,
  \"component\", \"rule\", \"see\", \"message\", and \"offset\" and \"length\" in octets
  of the input or, if there is \"of\", of the edit's \"value\" or of the \"result\"
  that is given with it.

Not as in trurl:
  Every URI is edited as what it is, mailto:a@b too; no scheme is guessed.
  Escaped is only what must be: --set query='a=1&b' keeps \"=\" and \"&\". \"+\" is
  a space only with --plus. The names of pairs are told apart by case; pairs of
  one name keep their order when they are sorted. [part] is not {part}, and one
  format may have both. PART:= with nothing behind it is an empty part. There
  is no --query-separator, and --repair for --accept-space; for
  --no-guess-scheme, --verify and --urlencode ([part]) there is no need. What
  --as-idn and {idn:…} make is an IRI.";
