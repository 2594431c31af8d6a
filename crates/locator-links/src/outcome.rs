//! What is known of a link: its outcome, a stable code for the reason, and what was seen on the way.
//!
//! ```
//! use locator_links::{Code, Outcome, Verdict};
//!
//! let verdict = Verdict::new(Code::Gone).because("410 Gone");
//! assert_eq!((verdict.outcome(), verdict.code.name()), (Outcome::Broken, "gone"));
//! ```

use std::fmt::{self, Display, Formatter};

use crate::redacted::debug_redacted;

locator::named! {
    /// What is known of a link.
    ///
    /// Only [`Broken`](Self::Broken) is a fault of the document for certain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Outcome {
        /// The link is certainly dead.
        Broken = "broken",
        /// The policy forbids where the link leads.
        Refused = "refused",
        /// It cannot be known now whether the link is dead.
        Unknown = "unknown",
        /// The link leads to its target by redirects.
        Redirected = "redirected",
        /// The link was not checked, for a reason.
        Skipped = "skipped",
        /// The target is there.
        Ok = "ok",
    }

    /// Returns the name of this outcome in JSON.
    pub const fn name;
}

impl Outcome {
    /// All outcomes, the worst first.
    pub const ALL: [Self; 6] =
        [Self::Broken, Self::Refused, Self::Unknown, Self::Redirected, Self::Skipped, Self::Ok];

    /// Returns the outcome with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

/// Defines [`Code`]: each has a name, an outcome and a meaning.
macro_rules! codes {
    ($($outcome:ident { $($code:ident = $name:literal, $meaning:literal;)+ })+) => {
        /// The reason for an outcome. Its name is stable.
        ///
        /// ```
        /// use locator_links::{Code, Outcome};
        ///
        /// assert_eq!(Code::from_name("gone"), Some(Code::Gone));
        /// assert_eq!(Code::Gone.outcome(), Outcome::Broken);
        /// assert_eq!(Code::Gone.meaning(), "the server says that the page is gone for good (410)");
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $meaning] $code,)+)+
        }

        impl Code {
            /// All codes, those of the worst outcome first.
            pub const ALL: &'static [Self] = &[$($(Self::$code,)+)+];

            /// Returns the name of this code in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$code => $name,)+)+ }
            }

            /// Returns what it means, in one line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $($(Self::$code => $meaning,)+)+ }
            }

            /// Returns the outcome that it explains.
            #[must_use]
            pub const fn outcome(self) -> Outcome {
                match self { $($(Self::$code => Outcome::$outcome,)+)+ }
            }
        }
    };
}

codes! {
    Broken {
        NotFound = "not-found", "the server does not have the page (404)";
        Gone = "gone", "the server says that the page is gone for good (410)";
        NoSuchName = "no-such-name", "the name of the host does not exist";
        ConnectionRefused = "connection-refused", "no server listens at the port";
        CertificateExpired = "certificate-expired", "the certificate of the server has expired";
        CertificateForOther = "certificate-for-other-host", "the certificate is for another host";
        CertificateSelfSigned = "certificate-self-signed", "the certificate is self-signed";
        Loop = "loop", "the redirects lead in a circle";
        Invalid = "invalid", "the reference is not valid, even as browsers repair it";
        NoSuchFile = "no-such-file", "the file does not exist";
        NoSuchAnchor = "no-such-anchor", "the file has no such heading or id";
        NoSuchPage = "no-such-page", "the site of the document has no such page";
    }
    Refused {
        RedirectInward = "redirect-inward", "a redirect leads from a public server to a private address";
        RedirectRefused = "redirect-refused", "a redirect leads to a URL that the policy forbids";
        Policy = "policy", "the policy forbids the host, the port or the form of the URL";
    }
    Unknown {
        TimedOut = "timed-out", "the server did not answer in time";
        Reset = "reset", "the connection was closed before the answer was complete";
        ServerError = "server-error", "the server has an error (500 to 599)";
        TooManyRequests = "too-many-requests", "the server answers too many requests (429)";
        Busy = "busy", "the server is overloaded or in maintenance (503)";
        Waits = "waits", "the server asks to wait for longer than --max-wait";
        Login = "login", "the server asks for a login";
        Forbidden = "forbidden", "the server does not serve the page to this program (403)";
        Challenge = "challenge", "the server asks for a proof that a person visits it";
        Status = "status", "the server answers with another status";
        NameFailed = "name-failed", "the name of the host could not be looked up now";
        Unreachable = "unreachable", "no connection to the host could be made";
        NoNetwork = "no-network", "this machine has no network";
        CertificateUnknown = "certificate-unknown", "the issuer of the certificate is not known here";
        Tls = "tls", "no secure connection could be made";
        Protocol = "protocol", "the server does not follow the protocol";
        Proxy = "proxy", "the proxy did not connect to the server";
        ServerRefused = "server-refused", "the server refused the request, in another protocol than HTTP";
        BadRedirect = "bad-redirect", "the server redirects without saying where to";
        TooManyRedirects = "too-many-redirects", "the server redirects more than 20 times";
        RemoteAnchor = "remote-anchor", "the remote page has no such id, unless a script makes it";
        ScriptAnchor = "script-anchor", "a script of the page may know the fragment";
        UnreadAnchor = "unread-anchor", "the anchors of this kind of file are not known";
        NoSuchText = "no-such-text", "the page has no such text, unless a script makes it";
        OtherAnchor = "other-anchor", "the heading exists, and its id depends on the generator";
        Generated = "generated", "a build may make the file";
        DeadOnSite = "dead-on-site", "no page of the site, but maybe alive elsewhere; --site-only makes it broken";
        NotUnderstood = "not-understood", "most links of this form lead to nothing here; --site may say what they mean";
        TestData = "test-data", "dead in data of tests, which may be meant; it is checked if you name it";
        Partial = "partial", "the document is a part of others, to which its links are relative";
        Outside = "outside", "the path leads out of the repository or the site, where others may be";
        DoubtfulUrl = "doubtful-url", "text that looks like a URL is not valid as one";
        Unreadable = "unreadable", "the file exists and cannot be read";
        DeadHost = "dead-host", "the host failed three times, and was not asked again";
    }
    Redirected {
        Redirected = "redirected", "the link leads to its target by redirects";
        SiteRedirect = "site-redirect", "the site of the document redirects to the page";
        RedirectDowngrade = "redirect-downgrade", "a redirect leads from https to http";
    }
    Skipped {
        Offline = "offline", "no server is asked, by --offline or lychee.toml";
        Private = "private", "the address is private; --private checks it";
        Preconnect = "preconnect", "a hint to connect early, not a page";
        Base = "base", "the base of the other links";
        PostForm = "post-form", "a form that is sent with POST";
        Namespace = "namespace", "a name of a vocabulary, which need not be a page";
        Verbatim = "code", "an example in code; --include-verbatim checks it";
        Template = "template", "a template, whose parts are filled in later";
        Unused = "unused", "a definition of Markdown that no text uses";
        Module = "module", "the name of a module, which a bundler finds";
        UnknownVocabulary = "unknown-vocabulary", "an attribute of XML of a kind whose links are not known";
        Defanged = "defanged", "written so that nobody opens it by mistake, as hxxp://h[.]example";
        Cut = "cut", "only a part of a URL, whose rest cannot be joined";
        CrossReference = "cross-reference", "a name that only the generator of the site can look up";
        RustPath = "rust-path", "a path of Rust, which rustdoc resolves";
        Script = "script", "a script, not a page";
        Scheme = "scheme", "a scheme that cannot be checked, such as tel:";
        ReservedName = "reserved-name", "a name that is reserved for documentation and tests";
        NoRoot = "no-root", "an absolute path of no known site; --site or --root-dir says where it begins";
        NoBase = "no-base", "a relative reference in a document that has no base";
        ThisMachine = "this-machine", "a file: URL outside of what is checked; --private checks it";
        NoServer = "no-server", "no server is configured for this scheme";
        Robots = "robots", "robots.txt asks programs not to fetch it; --ignore-robots does";
        Excluded = "excluded", "a pattern of --include or --exclude leaves it out";
        ExcludedByFile = "excluded-by-file", "lychee.toml or .lycheeignore leaves it out";
        Ignored = "ignored", "a comment or an attribute in the document says not to check it";
        Interrupted = "interrupted", "the run ended before the link was checked";
    }
    Ok {
        Ok = "ok", "the target is there";
    }
}

impl Code {
    /// Returns the code with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// Returns whether a server asked to wait and was not waited for any longer. That is the same for all its pages.
    #[must_use]
    pub const fn is_of_waiting(self) -> bool {
        matches!(self, Self::TooManyRequests | Self::Busy | Self::Waits)
    }

    /// Returns whether this says nothing about the link that an author could act on: only the number of
    /// such links, by their codes, is of interest.
    #[must_use]
    pub const fn is_ordinary(self) -> bool {
        match self.outcome() {
            Outcome::Broken | Outcome::Refused => false,
            Outcome::Unknown => matches!(
                self,
                Self::NoNetwork
                    | Self::ScriptAnchor
                    | Self::UnreadAnchor
                    | Self::RemoteAnchor
                    | Self::DoubtfulUrl
                    | Self::Outside
                    | Self::Generated
                    | Self::DeadOnSite
                    | Self::NotUnderstood
                    | Self::TestData
                    | Self::Partial
            ),
            _ => true,
        }
    }
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A redirect on the way to the target.
#[derive(Clone, PartialEq, Eq)]
pub struct Hop {
    /// The status of the response that redirects.
    pub status: u16,
    /// The URL that it redirects to.
    pub to: String,
}

debug_redacted!(Hop { status; to });

/// What is known of a link, in detail.
#[derive(Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The reason, from which the outcome follows.
    pub code: Code,
    /// The status of the last response, if a server of HTTP answered.
    pub status: Option<u16>,
    /// What the server or the system said.
    pub reason: Option<String>,
    /// The redirects, in order.
    pub hops: Vec<Hop>,
    /// What was probably meant, as it would be written in the document.
    pub suggestion: Option<String>,
    /// Whether nothing else can have been meant.
    pub is_sure: bool,
    /// When the last response came, in seconds of Unix time.
    pub seen: Option<u64>,
    /// The steps by which a site was searched for the link, in words. Empty for links that no site decides.
    pub route: Vec<String>,
}

debug_redacted!(Verdict { code, status, hops, is_sure, seen; reason, suggestion, route });

impl Verdict {
    /// Creates a verdict without details.
    #[must_use]
    pub const fn new(code: Code) -> Self {
        Self {
            code,
            status: None,
            reason: None,
            hops: Vec::new(),
            suggestion: None,
            is_sure: false,
            seen: None,
            route: Vec::new(),
        }
    }

    /// Adds what the server or the system said.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Returns the verdict of a file whose branch is not the one that was looked at: a heading that is missing
    /// here may be there.
    #[must_use]
    pub fn of_other_branch(self) -> Self {
        match self.code {
            Code::NoSuchAnchor => Self::new(Code::UnreadAnchor),
            _ => self,
        }
    }

    /// Returns the outcome.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.code.outcome()
    }

    /// Returns where the redirects end, if there are any.
    #[must_use]
    pub fn final_url(&self) -> Option<&str> {
        self.hops.last().map(|hop| hop.to.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for &code in Code::ALL {
            assert_eq!(Code::from_name(code.name()), Some(code));
            assert!(code.meaning().len() < 80, "{code}");
        }
        assert!(Code::ALL.is_sorted_by_key(|code| code.outcome()));
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::from_name(outcome.name()), Some(outcome));
        }
    }
}
