//! What is resolved and then normalised is what is normalised, resolved, and then normalised: by every edition that
//! resolves, on both levels, wherever that must hold.
//!
//! It must, because normalising changes nothing that a reference identifies, so equivalent references against
//! equivalent bases have equivalent targets, and equivalent texts that the ladder knows to be so have one normal form.
//! Component by component: scheme, authority, query and fragment are carried over as they are, so it makes no
//! difference when their case, ports and escapes are normalised. A path that the reference has for itself is the same
//! before and after. A merged path is the base's directory and the reference's path without dot segments; removing dot
//! segments from the directory first changes nothing, as long as it still is the same directory, because a ".." only
//! ever removes the nearest segment before it.
//!
//! It need not hold, and does not,
//!
//! 1. where the base ends in a dot segment and its last segment is cut off: `x` against `http://h/a/..` is
//!    `http://h/a/x`, but the base is equivalent to `http://h/`. The documents cut before they look ("all but the last
//!    segment of the base URI's path"), so the base `http://h/a/..` has another directory than its normal form.
//! 2. under RFC 3986, where a dot of a dot segment is escaped. Resolving takes `%2e%2e` for a name, normalising undoes
//!    it (6.2.2.2) and then removes it. A ".." after it removes the name or a segment more (`a/%2e%2e/..`). And in
//!    a path that is not hierarchical, as none is of `urn` or of gopher, normalising leaves the escape, but undoes it in
//!    a reference whose scheme it does not know yet.
//! 3. on the level of schemes, where the scheme's rule changes the base's path and the reference takes it or a piece of it.
//!    The rule is about a whole path: gopher's `/1` is the empty path, but not with a search (`?y` against it), and
//!    what follows the last "@" of a mailto is a host, until another "@" follows.
//! 4. where a scheme implies an authority that the base does not have, by an edition whose dots are no steps: `a` against
//!    `file:/b/..//` is `file:/.//a`, whose "/." shields the "//"; against the normal form `file:///b/..//` it is `file:////a`.
#![no_main]

#[path = "../../crates/locator/tests/normalize/commutes.rs"]
mod commutes;

use libfuzzer_sys::fuzz_target;
use locator::{UriRef, edition};

fuzz_target!(|text: &str| {
    let Some(texts) = text.split_once('\n') else { return };
    for edition in edition::ALL {
        let read = |text| UriRef::parse_by(text, edition);
        if let (Ok(base), Ok(reference)) = (read(texts.0), read(texts.1)) {
            commutes::obeys(base, reference);
        }
    }
});
