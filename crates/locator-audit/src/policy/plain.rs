//! Plain URLs, as nearly all are: takes one, and answers whether the policy allows it without a copy of
//! any part. The answer "no" means nothing.

use super::Policy;
use super::host::has_plain_labels;
use super::place::Place;
use crate::auditor::Auditor;
use crate::finding::Severity;
use crate::{plain, schemes};
use locator::scheme::default_port;

impl Policy {
    /// Returns whether a text is a plain URL, the policy allows it, and an auditor that looks for what the
    /// policy raises has no finding about it.
    pub(super) fn is_quiet(&self, auditor: &Auditor<'_>, text: &str) -> bool {
        let own = self.looking_for_raised(Auditor::new().least(self.least));
        let skips = self.base().is_none() && self.least > Severity::Info;
        skips
            && own.skips_plain()
            && auditor.skips_plain()
            && plain::is_plain(text)
            && self.allows_plain(text)
    }

    /// Every program reads a plain URL in the same way: it has no userinfo and no port, and its host ends at
    /// the first "/".
    fn allows_plain(&self, text: &str) -> bool {
        let Some(start) = text.as_bytes().first_chunk().and_then(schemes::after_usual_scheme) else {
            return false;
        };
        let (before, rest) = text.split_at(start);
        let scheme = before.trim_end_matches("://");
        let host = rest.split('/').next().unwrap_or_default();
        let is_name = has_plain_labels(host.as_bytes()) && !host.starts_with('-');
        let Some(port) = default_port(scheme) else { return false };
        let place = Place { scheme, host, port, literal: None };
        is_name
            && !host.bytes().any(|octet| octet.is_ascii_uppercase())
            && self.allows_scheme(scheme)
            && self.allow(&place, None).is_ok()
    }
}
