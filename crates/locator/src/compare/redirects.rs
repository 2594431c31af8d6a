//! Checks whether one reference was seen to redirect to another. Takes the pairs that the caller
//! has seen and returns yes or no. RFC 3986, section 6.2.4.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::mem;

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
    let counts = |(from, to): &&(Uri<'_>, Uri<'_>)| fits(from) && fits(to) && to.fragment().is_none();
    let mut steps: Vec<_> = seen.iter().filter(counts).map(|(from, to)| (key(**from), key(**to))).collect();
    steps.sort_unstable();
    let (first, second) = (key(first), key(second));
    leads(&steps, &first, &second) || leads(&steps, &second, &first)
}

/// Follows redirects, which are sorted, each at most once.
fn leads(steps: &[(String, String)], from: &str, to: &str) -> bool {
    let mut followed = vec![false; steps.len()];
    let mut next = vec![from];
    while let Some(here) = next.pop() {
        let first = steps.partition_point(|(from, _)| from.as_str() < here);
        for ((from, there), followed) in steps[first..].iter().zip(&mut followed[first..]) {
            if from != here || mem::replace(followed, true) {
                break;
            }
            if there == to {
                return true;
            }
            next.push(there);
        }
    }
    false
}
