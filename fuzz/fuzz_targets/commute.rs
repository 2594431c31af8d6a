//! Resolving and normalising commute: in every edition that resolves, and on both levels, resolving
//! and then normalising gives the same as normalising both inputs, resolving, and normalising the
//! result. There are exceptions, listed below.
//!
//! The reason: normalising does not change what a reference identifies. So equivalent references
//! against equivalent bases have equivalent targets, and texts that are equivalent on the ladder
//! have one normal form. In detail, component by component:
//!
//! - Resolving copies scheme, authority, query and fragment. Their case, ports and escapes may be
//!   normalised before or after.
//! - A path that comes from the reference alone is the same before and after.
//! - A merged path is the base's directory and the reference's path without dot segments. Removing
//!   dot segments from the directory first changes nothing if it stays the same directory, because
//!   ".." only removes the nearest segment before it.
//!
//! The exceptions:
//!
//! 1. The base ends in a dot segment, and its last segment is cut off. `x` against `http://h/a/..`
//!    is `http://h/a/x`, but the base is equivalent to `http://h/`. The documents cut the segment
//!    without looking at it ("all but the last segment of the base URI's path"), so the base
//!    `http://h/a/..` has another directory than its normal form.
//! 2. Under RFC 3986, a dot of a dot segment is escaped. Resolving takes `%2e%2e` for a name.
//!    Normalising decodes it (6.2.2.2) and then removes it. A ".." after it removes the name or one
//!    more segment (`a/%2e%2e/..`). In a path that is not hierarchical, such as those of `urn` and
//!    gopher, normalising keeps the escape. But in a reference without a scheme it decodes the
//!    escape, because it cannot know the scheme.
//! 3. On the scheme level, the scheme's rule changes the base's path, and the reference takes all
//!    or part of that path. The rule is about a whole path: gopher's `/1` is the empty path, but
//!    not with a search (`?y` against it). What follows the last "@" of a mailto is a host, until
//!    another "@" follows.
//! 4. A scheme implies an authority that the base does not have, in an edition where normalising
//!    keeps dot segments. `a` against `file:/b/..//` is `file:/.//a`, where "/." protects the "//".
//!    Against the normal form `file:///b/..//` it is `file:////a`.
//! 5. A scheme implies an authority that the base does not have, and resolving removes the whole
//!    path, as the draft of 1993 does. `a/..` against `file:/` is `file:`, and against the normal form
//!    `file:///` it is `file://`. RFC 8089, B, makes no authority equal to an empty one only where a
//!    path follows, so these two are different.
//! 6. On the scheme level, the empty path of the base is "/", and the reference has only a query, which
//!    is data of the path in ftp and gopher. `?x` against `ftp://h` is `ftp://h?x`, which has no form of
//!    ftp and stays, and against the normal form `ftp://h/` it is `ftp://h/?x`.
#![no_main]

#[path = "../../crates/locator/tests/it/normalize/commutes.rs"]
mod commutes;

use libfuzzer_sys::fuzz_target;
use locator::{UriRef, edition};

fuzz_target!(|text: &str| {
    let Some(texts) = text.split_once('\n') else { return };
    for edition in edition::ALL {
        let read = |text| UriRef::parse_with(text, edition);
        if let (Ok(base), Ok(reference)) = (read(texts.0), read(texts.1)) {
            commutes::obeys(base, reference);
        }
    }
});
