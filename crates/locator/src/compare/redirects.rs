//! Checks whether one reference was seen to redirect to another. Takes the pairs that the caller
//! has seen and returns yes or no. RFC 3986, section 6.2.4.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use crate::equivalence::Basis;
use crate::reference::{Uri, UriRef};

/// Whether the redirects lead from one of the two references to the other, without fragments.
pub(super) fn lead(
    seen: &[(Uri<'_>, Uri<'_>)],
    first: UriRef<'_>,
    second: UriRef<'_>,
    basis: Basis<'_>,
) -> bool {
    // The URL that is requested: the normal form without the fragment.
    let key = |reference: UriRef<'_>| String::from(reference.normalize_by(basis).without_fragment().as_str());
    let fits = |uri: &Uri<'_>| uri.edition() == first.edition();
    let mut steps: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (from, to) in seen.iter().filter(|(from, to)| fits(from) && fits(to) && to.fragment().is_none()) {
        steps.entry(key(**from)).or_default().push(key(**to));
    }
    let (first, second) = (key(first), key(second));
    leads(&steps, &first, &second) || leads(&steps, &second, &first)
}

fn leads(steps: &BTreeMap<String, Vec<String>>, from: &str, to: &str) -> bool {
    let mut reached = BTreeSet::from([from]);
    let mut next = Vec::from([from]);
    while let Some(here) = next.pop() {
        for there in steps.get(here).into_iter().flatten() {
            if there == to {
                return true;
            }
            if reached.insert(there) {
                next.push(there);
            }
        }
    }
    false
}
