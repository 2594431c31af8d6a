//! What people read after the options: examples, and at length what can be relied on. No
//! line is wider than 78 columns, or it would be broken.

mod editing;
mod finding;
mod making;
mod paths;
mod planning;

pub(crate) use editing::{EDIT, EDIT_LONG};
pub(crate) use finding::{FIND, FIND_LONG};
pub(crate) use making::{
    COMPARE, COMPARE_LONG, CONVERT, CONVERT_LONG, IRIS, NORMALIZE, NORMALIZE_LONG, QUIET, REFERENCES,
    RELATIVE, RELATIVE_LONG, RESOLVE, RESOLVE_LONG,
};

pub(crate) use paths::{FILE, FILE_LONG, NULL_BOTH, NULL_URLS, PATH, PATH_LONG, PATHS};
pub(crate) use planning::{PLAN, PLAN_LONG, SCHEMES};

/// What stands after the options with `--help`: what can be relied on, then what stands there with `-h` too.
pub(crate) fn long(reliable: &str, short: &str) -> String {
    format!("{reliable}\n\n{short}")
}

/// After `locator --help`.
pub(crate) const LOCATOR: &str = "\
Examples:
  locator read http://user@example.com:8080/a?q#f
  locator check < urls.txt
  locator read -e all http://10.0.0.256/
  locator resolve --base http://a/b/c/d ../g
  locator normalize HTTP://Example.COM:80/%7euser
  locator edit -s host=example.org --qtrim 'utm_*' < urls.txt
  locator convert http://résumé.example/
  locator find -t html --absolute --base https://example.com/ public/
  locator plan ftp://myname@host.dom/%2Fetc/motd

Exit status: 0 all is valid, 1 something is not, 2 wrong use.
Each verb has more to say: locator read --help";

/// After the options of `locator read`.
pub(crate) const READ: &str = "\
Examples:
  locator read http://user@example.com:8080/a?q#f
  locator read -e rfc1738 'ftp://host/a;type=d'
  locator read -e all http://10.0.0.256/
  locator read --json < urls.txt | jq -r 'select(.valid).host'
  find . -type f -print0 | locator read -0 --json

Exit status: 0 all are valid (with -e all: by every edition), 1 at least one
is not, 2 wrong use, 130 interrupted.";

/// Before that, with `--help`.
pub(crate) const READ_LONG: &str = "\
Input:
  A line ends in LF or CR LF; an empty line is an empty reference and has its
  answer too. With -0 every octet between two NULs is data. Answers come in
  the order of the input, as soon as there is nothing more to be read.

Output:
  What is not printable ASCII is shown by its code: <U+202E>. A password is
  shown as (hidden), unless --show-secrets is given.

  With --json, where passwords are exact, a component that is undefined has no
  key, and one that is empty has \"\". Input that is not UTF-8 is shown with
  U+FFFD, is given as it is in \"input_base64\", and is never valid. In an error
  \"offset\" and \"length\" count octets, and \"found\" is \"\" at the end of the text.

  A scheme that is not known here has \"scheme_status\" if IANA registered it, or
  else \"scheme_near\" if it may be a slip of a name that is known.

  \"scheme_parts\" has what the scheme divides the URL into: each part \"raw\" as
  it stands, and \"decoded\" where that is something else; \"decoded_base64\"
  where it is not UTF-8.

  With --json -e all one line holds the readings of every edition:
    {\"input\":…,\"readings\":[{\"edition\":…,\"valid\":…,…},…],\"differs\":[…]}
  where \"differs\" names what is not the same in all valid readings (\"host\"),
  and \"valid\" if the editions disagree on that.";

/// After the options of `locator check`.
pub(crate) const CHECK: &str = "\
Examples:
  locator check 'http://example.com/a b'
  locator check --all 'http://a b/c|d'
  locator check -f urls.txt
  locator check --json < urls.txt | jq .error.message
  locator find docs/ | locator check --places
  if locator check -q --absolute --lint \"$url\"; then echo fine; fi

Exit status: 0 all are valid (with -e all: by every edition), 1 at least one
is not (with --lint: or has a warning), 2 wrong use, 130 interrupted.";

/// Before that, with `--help`.
pub(crate) const CHECK_LONG: &str = "\
Input:
  A line ends in LF or CR LF; an empty line is an empty reference. With -0
  every octet between two NULs is data.

  A relative reference is valid: '', 'foo' and 'example.com' pass. A gate for
  URLs demands a scheme by --absolute.

Output:
  A diagnosis for what is not valid, with -e all one for each edition that
  refuses it. After the first ten errors each has one line, and standard error
  has the total. Passwords are hidden, whatever the grammar takes them for;
  with --show-secrets they are shown, and in JSON always.

  What is valid and probably not meant has a warning on standard error, which
  changes no status: a scheme that is not registered and near to one that is, a
  password, a port above 65535, a URL that has not the form of its scheme, such
  as http:///x, and \"URL:\" before a URL. With --lint warnings are answers and
  make the exit status 1; -s and --json without --lint leave them out.

  With --places the place of each URL, as 'locator find' prints it, stands
  before what is said of it, and in JSON in \"place\".

  With --json one object for each diagnosis:
    {\"input\":…,\"line\":17,\"edition\":…,\"valid\":false,\"error\":{…},\"errors\":[…]}
  where \"error\" is the first one, and \"errors\" has all of them with --all. For
  an argument \"line\" is \"argument\", with -0 it is \"item\"; all count from 1.
  With --lint what is valid and has warnings has \"warnings\":
  [{\"kind\":\"near-scheme\",…},…]; the others are \"password\", \"port\", \"form\",
  \"no-host\", \"prefix\" and \"place\".";

/// After `locator editions --help`.
pub(crate) const EDITIONS: &str = "\
Examples:
  locator editions
  locator editions --json | jq -r .name";

/// After `locator completions --help`.
pub(crate) const COMPLETIONS: &str = "\
Examples:
  locator completions bash > ~/.local/share/bash-completion/completions/locator
  locator completions zsh > ~/.zfunc/_locator
  locator completions fish > ~/.config/fish/completions/locator.fish";

/// After `locator man --help`.
pub(crate) const MAN: &str = "\
Examples:
  locator man > locator.1
  locator man read > locator-read.1
  locator man | man -l -";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_broken_by_a_terminal() {
        let of_making = [RESOLVE, RELATIVE, NORMALIZE, CONVERT, COMPARE, EDIT];
        let of_making_long =
            [RESOLVE_LONG, RELATIVE_LONG, NORMALIZE_LONG, CONVERT_LONG, COMPARE_LONG, EDIT_LONG];
        let of_planning = [PLAN, PLAN_LONG, SCHEMES, FIND, FIND_LONG];
        let others = [LOCATOR, READ, READ_LONG, CHECK, CHECK_LONG, EDITIONS, COMPLETIONS, MAN];
        let of_paths = [FILE, FILE_LONG, PATH, PATH_LONG];
        let of_both = of_paths.into_iter().chain(of_planning);
        for text in of_making.into_iter().chain(of_making_long).chain(of_both).chain(others) {
            for line in text.lines() {
                assert!(line.chars().count() < 80, "{line}");
            }
        }
    }
}
