//! Schemes that run code, contain a document, were abused, or are probably misspelt; files of a host.

use alloc::borrow::Cow;
use alloc::format;
use core::ops::Range;

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::schemes;
use crate::schemes::handlers::{self, Handler, RunAs};
use locator::Component;

pub(super) static CHECK: Check =
    Check { codes: &[&RUNS_CODE, &DOCUMENT, &ABUSED, &APP, &FILE_OF_HOST, &LOCAL_FILE, &NEAR], run };

static RUNS_CODE: Code = Code {
    name: "code-scheme",
    severity: Severity::High,
    precision: Precision::High,
    title: "the URL is a program, which is run where it is opened",
    advice: "allow the schemes that are needed, instead of forbidding some",
    citation: "RFC 3986, 7.3",
    explanation: "A javascript URL runs its text in the page that opens it. Browsers ignore white space and controls \
        before the scheme, and TAB and line breaks within it, so that a comparison with \"javascript:\" is not enough.",
    example: "javascript:alert(document.cookie)",
};

static DOCUMENT: Code = Code {
    name: "data-document",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the URL contains a document that can run code",
    advice: "allow images and text only, or none",
    citation: "RFC 2397, 6",
    explanation: "A data URL of HTML, XML or SVG is a document of its own, which the author of the URL wrote; one of a \
        JavaScript type is a script where a page loads it. XML is one, too: style sheets (XSLT), MathML and feeds can have \
        elements of XHTML. Without a type (data:;base64,…) it is shown as text, but a page that loads it as a script runs \
        it.",
    example: "data:text/html,<script>alert(1)</script>",
};

static ABUSED: Code = Code {
    name: "abused-handler",
    severity: Severity::Medium,
    precision: Precision::Medium,
    title: "the handler of this scheme was abused",
    advice: "allow the schemes that are needed, instead of forbidding some",
    citation: "RFC 3986, 7.3",
    explanation: "Opening a URL starts the program that is registered for its scheme, with the URL as its argument. \
        Some of these programs do more than show a resource.",
    example: "ms-msdt:/id%20PCWDiagnostic",
};

static APP: Code = Code {
    name: "app-link",
    severity: Severity::Info,
    precision: Precision::High,
    title: "the URL opens an app",
    advice: "open the URL only if you expect it; allow the schemes that are needed",
    citation: "RFC 3986, 7.3",
    explanation: "The scheme belongs to an app that does nothing dangerous for most of its URLs. Where the form of the URL \
        runs, clones or installs something, or has a path of a server (\\\\host\\share), the finding is abused-handler.",
    example: "vscode://file/home/anna/notes.txt",
};

static FILE_OF_HOST: Code = Code {
    name: "file-with-host",
    severity: Severity::Low,
    precision: Precision::High,
    title: "the file is of another host, which programs on Windows log in to",
    advice: "refuse files with a host, or all files",
    citation: "RFC 8089, 5",
    explanation: "Windows opens such a URL as a path of a server (\\\\host\\share), and sends it the hash of the user's \
        password.",
    example: "file://host.example/share/file",
};

static LOCAL_FILE: Code = Code {
    name: "local-file",
    severity: Severity::Low,
    precision: Precision::High,
    title: "the URL names a file of the machine that opens it",
    advice: "allow the schemes that are needed; refuse \"file\" and \"unix\" in URLs of others",
    citation: "RFC 8089, 4",
    explanation: "curl, Python, Java and browsers open file URLs. A server that fetches such a URL for somebody shows a file \
        of its own, such as /etc/passwd; a URL of a socket is a request to a program of its own, such as Docker.",
    example: "file:///etc/passwd",
};

static NEAR: Code = Code {
    name: "near-scheme",
    severity: Severity::Info,
    precision: Precision::Medium,
    title: "the scheme is nearly that of another",
    advice: "correct the scheme if it is misspelt",
    citation: "IANA, URI schemes",
    explanation: "The scheme is unknown and near a well-known one. \"hxxp\" is written to keep a dangerous URL from \
        being opened.",
    example: "htpp://host.example/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    if schemes::is_usual(subject.scheme()) {
        return;
    }
    let Some(BrowserScheme { span, name }) = browser_scheme(subject) else { return };
    let scheme = &*name;
    let mut push = |code, range: Range<usize>| findings.push(Finding::new(code, Component::Scheme, range));
    let rest = subject.text.get(span.end + 1..).unwrap_or_default();
    let is_nested = rest.split_once(':').is_some_and(|(inner, _)| schemes::runs_code(inner));
    // No handler of the list is for files, of which there are long lists.
    let is_file = schemes::names_file(scheme);
    if schemes::runs_code(scheme) {
        if !does_nothing(rest) {
            push(&RUNS_CODE, span);
        }
    } else if schemes::contains_document(scheme) {
        findings.extend(document(rest, span));
    } else if let Some(handler) = (!is_file).then(|| handlers::handler(scheme)).flatten() {
        findings.extend(handled(handler, scheme, rest, span));
    } else if is_nested {
        // "feed:javascript:": the program that opens it removes the first scheme.
        let inner = span.end + 1..span.end + 1 + rest.find(':').unwrap_or_default();
        findings.push(Finding::new(&RUNS_CODE, Component::Path, inner).severe(Severity::Medium));
    } else if is_file {
        let host = subject.get(Component::Host).unwrap_or_default();
        let path = subject.get(Component::Path).unwrap_or_default();
        if !schemes::is_this_machine(host) {
            let span = subject.span(Component::Host).unwrap_or(span);
            findings.push(Finding::new(&FILE_OF_HOST, Component::Host, span));
        } else if path.starts_with("//") {
            let span = subject.span(Component::Path).unwrap_or(span);
            findings.push(Finding::new(&FILE_OF_HOST, Component::Path, span));
        } else {
            push(&LOCAL_FILE, span);
        }
    } else if schemes::names_socket(scheme) {
        let message = "the URL names a socket of the machine that opens it";
        findings.push(Finding::new(&LOCAL_FILE, Component::Scheme, span).saying(message));
    } else if subject.least <= Severity::Info
        && let Some(meant) = schemes::intended_scheme(scheme)
    {
        let message = match locator::scheme::status(scheme) {
            None => format!("the scheme \"{scheme}\" is not registered; did you mean \"{meant}\"?"),
            Some(_) => format!("the scheme \"{scheme}\" is that of {meant} URLs that are not to be opened"),
        };
        findings.push(Finding::new(&NEAR, Component::Scheme, span).saying(message));
    }
}

/// The scheme as a browser reads it.
struct BrowserScheme<'a> {
    /// Where it is written.
    span: Range<usize>,
    name: Cow<'a, str>,
}

/// Returns the scheme without white space and controls before it, and without TAB and line breaks within it (URL
/// Standard, 4.4).
fn browser_scheme<'a>(subject: &Subject<'a>) -> Option<BrowserScheme<'a>> {
    let text = subject.text;
    // "URL:" is not the scheme where an edition has it.
    let prefix = subject.span(Component::Prefix).map_or(0, |prefix| prefix.end);
    let rest = text.get(prefix..)?;
    let start = prefix + rest.len() - rest.trim_start_matches(|c: char| c <= ' ').len();
    let end =
        start + text.get(start..)?.bytes().position(|octet| matches!(octet, b':' | b'/' | b'?' | b'#'))?;
    // No known scheme is longer, even with a few breaks in it.
    if text.as_bytes().get(end) != Some(&b':') || end - start > 64 {
        return None;
    }
    let written = text.get(start..end)?;
    let is_break = |c: &char| matches!(c, '\t' | '\n' | '\r');
    let name = match written.chars().any(|c| is_break(&c)) {
        true => Cow::Owned(written.chars().filter(|c| !is_break(c)).collect()),
        false => Cow::Borrowed(written),
    };
    Some(BrowserScheme { span: start..end, name })
}

/// Returns whether the program does nothing, as in links that only a script uses: `void(0)`.
fn does_nothing(program: &str) -> bool {
    let program = program.trim_end_matches(';').trim();
    matches!(
        program,
        "" | "void(0)" | "void 0" | "void%200" | "void(null)" | "undefined" | "false" | "return false"
    ) || program.strip_prefix("//").is_some_and(|comment| {
        comment.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_'))
    })
}

/// Returns the finding about a URL whose scheme starts a program, if that is worth one.
fn handled(handler: &'static Handler, scheme: &str, rest: &str, span: Range<usize>) -> Option<Finding> {
    let severity = handler.severity(rest)?;
    let does = handler.does;
    let (code, message) = match severity {
        Severity::Info => (&APP, format!("\"{scheme}:\": {does}")),
        Severity::Low if handler.is_app() => {
            (&ABUSED, format!("\"{scheme}:\": {does}, and whoever calls pays the owner of the number"))
        }
        Severity::Low => (&ABUSED, format!("\"{scheme}:\": {does}")),
        _ if handler.is_app() => {
            (&ABUSED, format!("\"{scheme}:\": {does}, and the form of the URL starts more than that"))
        }
        _ => (&ABUSED, format!("the handler of \"{scheme}:\" was abused: {does}")),
    };
    Some(Finding::new(code, Component::Scheme, span).severe(severity).saying(message).citing(handler.source))
}

/// Returns the finding about a `data` URL of which this follows the scheme, if browsers run what is in it. PHP
/// has "data://".
fn document(rest: &str, span: Range<usize>) -> Option<Finding> {
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let media_type = rest.split([',', ';']).next().unwrap_or_default().trim();
    let finding = Finding::new(&DOCUMENT, Component::Scheme, span);
    match handlers::run_as(media_type)? {
        RunAs::Document => Some(finding),
        RunAs::Script => Some(finding.saying("the URL contains a script")),
        RunAs::Picture => has_script(rest).then_some(finding),
        // "data:,text" is usual, and seen as what it is.
        RunAs::Untyped => {
            let is_hidden =
                rest.split(',').next().is_some_and(|before| before.trim_end().ends_with("base64"));
            let finding = finding.severe(Severity::Low);
            is_hidden.then(|| {
                finding.saying("the URL has no media type: a page that loads it as a script runs it")
            })
        }
    }
}

/// Returns whether a picture has a script.
fn has_script(picture: &str) -> bool {
    let lower = picture.to_ascii_lowercase();
    ["script", "onload", "onerror", "onbegin", "onclick", "onmouse", "foreignobject"]
        .iter()
        .any(|word| lower.contains(word))
}
