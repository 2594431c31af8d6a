//! What people read about `find`.

/// After the options of `locator find`.
pub(crate) const FIND: &str = "\
Examples:
  locator find
  locator find -t html --absolute --base https://example.com/ public/
  locator find --bases --absolute page.html
  locator find --count-by host docs/ README.md
  locator find -u --only-scheme https,http < mail.eml | locator check
  locator find --broken docs/
  git ls-files | locator find --files-from - --exclude '^https://example[.]org'
  locator find -C 2 --heading --sort modified notes/
  locator find -l --relaxed -g '!*.min.js' src/
  locator find --separator '|' export.csv
  locator find -z /usr/share/man/man1/ls.1.gz book.epub
  locator find --all -u page.html
  locator find --json . | jq -r 'select(.valid|not)|.error.message'

Exit status: 0 something was found, 1 nothing was; with --broken 0 nothing
was, 1 something is broken; 2 wrong use, a file that cannot be read, or a
link that cannot be resolved (but with -q, once something is found: as
without that), 130 interrupted.

Flags are ripgrep's where it has them, but -u: \"each URL once\" here.";

/// Before that, with `--help`.
pub(crate) const FIND_LONG: &str = "\
Input:
  Each file is read as what it is: HTML, CSS, Markdown, TeX, a mail, an mbox,
  XML (sitemaps, Atom, RSS, SVG), roff (manual pages), CSV, TSV, JSON,
  iCalendar, vCard, LDIF or running text; what that is its name says, or its
  first octets. In a directory everything is looked into but what
  .gitignore, .ignore and .git/info/exclude name, what is hidden, and what is
  binary; what is named on the command line is looked into in any case.

  With -z compressed files (gzip, bzip2, xz, zstd) and zip archives, which
  .docx, .odt and .epub are, too, are unpacked; ls.1.gz is read as ls.1 would
  be, and places are those in what is unpacked. A file in an archive has its
  name after \"!/\": book.epub!/text/1.xhtml. No more than 4 GiB of each is
  read, and no more than 1000 times its length if that is above 64 MiB.

  Not read: PDF, the older .doc, .xls and .ppt, other archives (tar, 7z, rar)
  and archives in archives; encrypted files; in HTML, XML and CSS what is no
  link (comments, scripts, text of HTML), unless --all is given. Names that
  GitHub makes links (www.example.com, joe@example.com) are links in Markdown;
  in HTML mail text is read, but that of a link.

  What is too long to be held (16 MiB of a URL, a tag or a decoded text, 48
  MiB of a mail, 8 KiB of a base) is passed over: standard error says where,
  and the exit status is 2.

Output:
  file:line:column:url, a line for each, all of a file's together. Lines and
  columns count from 1, columns octets. Without the file's name if there is
  only one file; the URL alone where standard input alone is read and the
  output is no terminal. The URL is the one that is meant: white space taken
  out, entities and transfer encodings undone; --as-written prints the octets
  as they stand. A line end in a name or in the octets is shown by its code,
  unless NUL ends them; to a terminal goes nothing but what shows itself.

  With -A, -B or -C the line that a URL begins in is printed after it, and the
  lines around it: file-line-text, as the file has them, at most 1024 octets
  of each; \"--\" where lines are left out. With --heading the file's name is
  above its lines, and an empty line between two files. With -b the offset is
  before the URL: file:line:column:offset:url.

  With --broken only links that are not valid are printed, with what is wrong:
  file:line:column: url: what is wrong. Not valid is what the edition or its
  rule for the scheme refuses, and what the scheme's form does not allow
  (http:/one.slash, https:///nohost, http://h:99999/), though RFC 3986 alone
  does. In JSON \"broken\" says it. Templates are passed over. That a scheme is
  unknown is not an error; \"locator check --lint\" warns of names that are near
  to known ones.

  With --stats the numbers of links, of files and of octets and the time follow
  after an empty line; in JSON one more object has them: {\"stats\":{…}}.

  With --absolute each is resolved: the base is what the document says
  (<base href>, xml:base, Content-Base, Content-Location), else the URL that
  it was retrieved by, which is a file's own if --base does not say another
  (RFC 3986, 5.1). For a directory that --base should end with \"/\": each file
  in it is at its own path there. A link that is not valid only for want of
  escapes, as \"x y\" or \"é\" in HTML, is resolved as browsers do. What has no
  absolute form has no line: standard error tells which it is and why, and
  the exit status is 2. A template (--patterns) is printed as it stands.

  With -u what is kept of a URL is 16 octets, however long it is.

  With --json every URL has its line:
    {\"file\":…,\"line\":…,\"column\":…,\"offset\":…,\"length\":…,\"url\":…,\"context\":…,
     \"edition\":…,\"valid\":…}
  \"offset\" and \"length\" count octets from 0; \"written\" has the octets where
  they are not the URL, \"other\" the other reading where a hyphen ends a line.
  \"context\" is text, attribute (with \"element\" and \"attribute\"), element,
  style, json, markdown, field or macro; of text \"how\" tells how it was found:
  url, angle, quoted, bare, escaped, or www, domain, email, which are guesses
  (\"guess\":true), or template, with --patterns: \"pattern\":true, and \"prefix\"
  has what stands before the first of its expressions.
  What is not valid has an \"error\". With --absolute there is \"absolute\", or
  \"unresolved\" with the reason, \"escaped\" if that was resolved and not the
  URL as it stands, and \"base\":
    {\"source\":\"embedded\",\"uri\":…,\"why\":…}
  with --bases all that may be the base, the innermost first: \"bases\":
    [{\"source\":…,\"given\":…,\"uri\":…,\"chosen\":true,\"why\":…},…]";
