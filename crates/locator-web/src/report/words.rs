//! Words and sentences: of kinds of hosts and references, and of findings, where the sentence depends on what is shown
//! of the URL.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::{String, ToString};
use core::ops::Range;

use locator::{Edition, HostKind, Redacted, ReferenceKind, UriRef};
use locator_audit::Finding;

/// Returns the kind of a host, in words; an empty one is seen to be empty.
///
/// ```
/// use locator::HostKind;
///
/// assert_eq!(locator_web::report::words::host_kind(HostKind::Ipv4), "IPv4 address");
/// ```
#[must_use]
pub const fn host_kind(kind: HostKind) -> &'static str {
    match kind {
        HostKind::Empty => "",
        HostKind::Name => "name",
        HostKind::Ipv4 => "IPv4 address",
        HostKind::Ipv6 => "IPv6 address",
        HostKind::IpvFuture => "address of a later IP version",
        HostKind::Registry => "registry-based name, not a server",
        other => other.name(),
    }
}

/// Returns the kind of a reference, in words; `absolute` is what the edition calls one with a scheme.
#[must_use]
pub fn reference_kind(kind: ReferenceKind, absolute: &str) -> String {
    let article = if absolute.starts_with(['a', 'e', 'I']) { "an" } else { "a" };
    match kind {
        ReferenceKind::Uri => format!("{article} {absolute}"),
        ReferenceKind::Opaque => format!("an opaque {absolute}"),
        ReferenceKind::NetworkPath => "a network-path reference".to_owned(),
        ReferenceKind::AbsolutePath => "an absolute-path reference".to_owned(),
        ReferenceKind::RelativePath => "a relative-path reference".to_owned(),
        ReferenceKind::Query => "a query-only reference".to_owned(),
        ReferenceKind::Fragment => "a same-document reference to a fragment".to_owned(),
        ReferenceKind::Empty => "a same-document reference".to_owned(),
        kind => format!("a reference ({})", kind.name()),
    }
}

/// Returns what a finding is about: its sentence, or the error of what is not valid.
#[must_use]
pub fn fact<'f>(finding: &'f Finding, edition: &'static Edition, shown: &Redacted<'_>) -> Cow<'f, str> {
    let is_of_form = finding.code().name() == "invalid";
    let error = is_of_form.then(|| UriRef::parse_with(shown.as_str(), edition).err()).flatten();
    match error.filter(|error| error.span() == finding.span()) {
        Some(error) => Cow::Owned(shown.error(error).message().to_string()),
        None => Cow::Borrowed(message(finding, shown)),
    }
}

/// Returns the sentence of a finding. That of the code replaces it if it quotes a hidden text.
#[must_use]
pub fn message<'f>(finding: &'f Finding, shown: &Redacted<'_>) -> &'f str {
    let (span, hidden) = (finding.span(), shown.hidden());
    let after = hidden.partition_point(|hidden| hidden.end <= span.start);
    let quotes = |hidden: &Range<usize>| {
        // The sentence of this one names a character.
        let is_text = |text: &str| finding.message().contains(text);
        finding.code().name() == "invalid" || shown.as_str().get(hidden.clone()).is_none_or(is_text)
    };
    let mut inside = hidden.iter().skip(after).take_while(|hidden| hidden.start < span.end);
    if !finding.code().is_secret() && inside.any(quotes) { finding.code().title() } else { finding.message() }
}

/// Returns whether the finding is that readers differ.
#[must_use]
pub fn is_about_readers(finding: &Finding) -> bool {
    // Of a URL in the URL the readings are not shown.
    let is_whole = !finding.is_enclosed();
    is_whole && ["readers-disagree", "unexpected-host"].contains(&finding.code().name())
        || is_of_past(finding)
}

/// Returns whether the readers that differ are of the past.
#[must_use]
pub fn is_of_past(finding: &Finding) -> bool {
    !finding.is_enclosed() && finding.code().name() == "historical-readers-disagree"
}
