//! What people read about `file` and `path`.

/// What `file` takes.
pub(crate) const PATHS: &str = "The paths; without any they are read from standard input, one a line";

/// What `-0` does where what is printed may be anything, too.
pub(crate) const NULL_BOTH: &str =
    "Standard input is divided by NUL and not by lines, and each path ends with NUL";

/// What `-0` does where a path has a URL.
pub(crate) const NULL_URLS: &str =
    "Standard input is divided by NUL and not by lines, and each URL ends with NUL";

/// After the options of `locator file`.
pub(crate) const FILE: &str = "\
Examples:
  locator file '/home/jan/50% off?.txt'
  locator file --directory .cache/
  locator file --platform windows 'C:\\Users\\jan\\a b.txt' '\\\\server\\share'
  find . -type f -print0 | locator file -0

Exit status: 0 all have a URL, 1 at least one has none, 2 wrong use,
130 interrupted.";

/// Before that, with `--help`.
pub(crate) const FILE_LONG: &str = "\
Input:
  A path is octets. Without --platform a relative one is a path in the working
  directory; with it, there is none. --platform posix: a path begins with \"/\".
  --platform windows: with a drive or with a server and a share, \"/\" is as good
  as \"\\\", and names are UTF-8.

Output:
  One line for each path, with -0 NUL after each, in their order: its URL as
  RFC 8089 has it, with all that may not stand in a URL escaped. A last \"/\"
  stays; with --directory there always is one, so that the URL is a base for
  what is in the directory.

  A path with a segment \"..\" or \".\" has none, because after a symbolic link a
  URL's \"..\" is not the file system's: realpath tells where it leads. Nor have
  Windows paths that begin with \\\\?\\ or \\\\.\\.

  With --json every path has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{\"kind\":…,\"offset\":…,\"message\":…,\"see\":…}}.";

/// After the options of `locator path`.
pub(crate) const PATH: &str = "\
Examples:
  locator path file:///home/jan/50%25%20off%3F.txt
  locator path --platform windows file:///c:/a.txt file://server/share/a.txt
  locator file photos/* | tr '\\n' '\\0' | locator path -0 | xargs -0 ls -ld

Exit status: 0 all have a path, 1 at least one has none, 2 wrong use,
130 interrupted.";

/// Before that, with `--help`.
pub(crate) const PATH_LONG: &str = "\
Output:
  One line for each URL, in their order: the path with its escapes undone,
  octet for octet; on a terminal, what is not printable ASCII is shown by its
  code. A path that holds a line end is printed with -0 or --json only.

  No path has what names another host (but for --platform windows, where it is
  a server with shares), what has a query, a fragment, a user or a port, and
  what holds an escaped delimiter or NUL, or a segment \".\" or \"..\", which
  normalize removes. Standard error tells which it is and why.

  With --json every URL has its line: {\"input\":…,\"result\":…}
  or {\"input\":…,\"error\":{…}}. A path that is not UTF-8 is shown with U+FFFD,
  and as it is in \"result_base64\".";
