//! What opening a URL starts, by its scheme, and what a `data` URL is run as, by its media type: two tables, each row
//! with its source.
//!
//! A [`Handler`] takes what follows the scheme and returns how serious it is to open it: most handlers are of one
//! severity; apps are [`Severity::Info`], unless the form of the URL runs, clones or installs something, dials a code, or
//! has a path of a server of Windows. Every scheme of Microsoft ("ms-") that has no row is an app.
//! [`run_as`] takes a media type and returns what a browser makes of it (MIME Sniffing, 4.6; HTML, 4.12.1).
//!
//! ```text
//! assert_eq!(handler("ms-msdt")?.severity(":/id"), Some(Severity::Medium));
//! assert_eq!(handler("vscode")?.severity("//file/a.rs"), Some(Severity::Info));
//! assert_eq!(run_as("application/x-ecmascript"), Some(RunAs::Script));
//! ```

use crate::finding::Severity::{self, Info, Low, Medium};

/// A program that is started for the URLs of a scheme.
#[derive(Debug)]
pub(crate) struct Handler {
    scheme: &'static str,
    /// How serious most URLs are; `None` if they are not worth a finding.
    severity: Option<Severity>,
    /// What it does, as the end of a sentence.
    pub(crate) does: &'static str,
    /// The advisory or the documentation.
    pub(crate) source: &'static str,
    /// What URLs contain that run, clone or install something, in lower case; after "^" what they begin with.
    forms: &'static [&'static str],
}

impl Handler {
    /// Returns whether it is an app, which is dangerous only in some of its forms.
    pub(crate) fn is_app(&self) -> bool {
        self.severity.is_none_or(|severity| severity == Info)
    }

    /// Returns how serious it is to open a URL, of which this follows the scheme; `None` if that is not worth a finding.
    pub(crate) fn severity(&self, rest: &str) -> Option<Severity> {
        if !self.is_app() {
            return self.severity;
        }
        let end =
            (0..=rest.len().min(LONGEST_FORM)).rev().find(|end| rest.is_char_boundary(*end)).unwrap_or(0);
        let lower = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
        let has = |form: &&str| match form.strip_prefix('^') {
            Some(start) => lower.starts_with(start),
            None => lower.contains(form),
        };
        if self.forms.iter().chain(&SERVER_PATHS).any(has) {
            return Some(Medium);
        }
        if is_in(&CALLS, self.scheme) && is_of_premium_rate(&lower) {
            return Some(Low);
        }
        self.severity
    }
}

/// Forms are at the beginning of a URL.
const LONGEST_FORM: usize = 512;

/// A path of a server of Windows, to which that logs in: `\\host\share` (MS-DTYP, 2.2.57).
static SERVER_PATHS: [&str; 2] = ["\\\\", "%5c%5c"];

/// Schemes that call a number or write to it.
static CALLS: [&str; 3] = ["tel", "sms", "callto"];

/// Returns whether a number is one for which whoever calls it pays its owner: the international ones (ITU-T E.169.2), 900 of
/// North America, 0900 of Germany, Switzerland and others, 09 of the United Kingdom.
fn is_of_premium_rate(rest: &str) -> bool {
    let number = rest.trim_start_matches('/').split([';', '?', ',']).next().unwrap_or_default();
    let digits = || number.chars().filter(|c| c.is_ascii_digit() || *c == '+');
    let begins = |start: &&str| start.chars().eq(digits().take(start.len()));
    PREMIUM.iter().any(begins)
}

static PREMIUM: [&str; 9] = ["+979", "+1900", "1900", "+49900", "+41900", "+41901", "+41906", "+449", "0900"];

fn is_in(names: &[&str], scheme: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

/// Returns what is known of the handler of a scheme.
pub(crate) fn handler(scheme: &str) -> Option<&'static Handler> {
    let row = HANDLERS.iter().find(|handler| handler.scheme.eq_ignore_ascii_case(scheme));
    let is_of_microsoft = || scheme.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("ms-"));
    row.or_else(|| is_of_microsoft().then_some(&OF_MICROSOFT))
}

/// The schemes of Microsoft without a row: of 71 in the registry, nearly all open an app or a page of the settings.
static OF_MICROSOFT: Handler =
    app("ms-", "it opens an app or a part of Windows", "Microsoft, Launch the default app for a URI", &[]);

const fn abused(scheme: &'static str, does: &'static str, source: &'static str) -> Handler {
    Handler { scheme, severity: Some(Medium), does, source, forms: &[] }
}

const fn low(scheme: &'static str, does: &'static str, source: &'static str) -> Handler {
    Handler { scheme, severity: Some(Low), does, source, forms: &[] }
}

const fn app(
    scheme: &'static str,
    does: &'static str,
    source: &'static str,
    forms: &'static [&'static str],
) -> Handler {
    Handler { scheme, severity: Some(Info), does, source, forms }
}

/// A handler that is worth a finding in these forms only.
const fn only_in(
    scheme: &'static str,
    does: &'static str,
    source: &'static str,
    forms: &'static [&'static str],
) -> Handler {
    Handler { scheme, severity: None, does, source, forms }
}

const OFFICE: &str = "Microsoft, Office URI Schemes";
const OPENS_DOCUMENT: &str = "it opens a document of a foreign server";
const SEARCH: &str = "it shows files of a foreign server as search results on Windows";
const SHARE: &str = "file managers log in to a foreign server, and open files of it";
const POSITIVE: &str = "Positive Security, Allow arbitrary URLs, expect arbitrary code execution, 2021";
const DESKTOP: &str = "it connects to a desktop of a foreign server";
const TERMINAL: &str = "it opens a terminal with a program that gets the host";
const PAGE: &str =
    "it opens what a script of a page has made, which may be a document that runs scripts there";
const PHP: &str = "PHP manual, Supported Protocols and Wrappers";
const FFMPEG: &str = "FFmpeg, Protocols Documentation";
const HELP: &str = "Windows reads a page of a foreign help file";
const JNDI: &str = "Java (JNDI) loads an object of a foreign server";
const VS_CODE: &[&str] = &["/clone", "extension/", "mcp/install", "mcp:install", "command", "task"];

/// Handlers that were abused or start more than they seem to. None is of a scheme of the web.
#[rustfmt::skip]
static HANDLERS: [Handler; 130] = [
    // Windows.
    abused("ms-msdt", "it started programs on Windows (CVE-2022-30190)", "CVE-2022-30190"),
    abused("search-ms", SEARCH, "Microsoft, Using the search Protocol"),
    abused("search", SEARCH, "Microsoft, Using the search Protocol"),
    abused("ms-officecmd", "it passed options to Office programs", "Positive Security, The exploit is in the link, 2021"),
    abused("ms-appinstaller", "it installed foreign packages (CVE-2021-43890)", "CVE-2021-43890"),
    abused("ms-word", OPENS_DOCUMENT, OFFICE),
    abused("ms-excel", OPENS_DOCUMENT, OFFICE),
    abused("ms-powerpoint", OPENS_DOCUMENT, OFFICE),
    abused("ms-visio", OPENS_DOCUMENT, OFFICE),
    abused("ms-access", OPENS_DOCUMENT, OFFICE),
    abused("ms-project", OPENS_DOCUMENT, OFFICE),
    abused("ms-publisher", OPENS_DOCUMENT, OFFICE),
    abused("ms-spd", OPENS_DOCUMENT, OFFICE),
    abused("ms-infopath", OPENS_DOCUMENT, OFFICE),
    abused("onenote", "it opens a notebook of a foreign server", OFFICE),
    abused("onenote-cmd", "it passes commands to OneNote", OFFICE),
    abused("shell", "it opens folders and programs of the system", "CVE-2004-0648"),
    abused("mhtml", "Windows reads another URL as a mail (CVE-2011-0096)", "CVE-2011-0096"),
    abused("ms-its", HELP, "CVE-2004-0380"),
    abused("ms-itss", HELP, "CVE-2004-0380"),
    abused("its", HELP, "CVE-2004-0380"),
    abused("mk", HELP, "CVE-2004-0380"),
    abused("ms-help", HELP, "Microsoft Help 2, URLs of topics"),
    abused("hcp", "the Help Center of Windows ran commands (CVE-2010-1885)", "CVE-2010-1885"),
    abused("res", "Internet Explorer reads a resource of a local program", "Microsoft, res Protocol"),
    low("ms-quick-assist", "it opens a program by which somebody else controls the computer",
        "Microsoft, Threat actors misusing Quick Assist, 2024"),
    app("ms-settings", "it opens a page of the settings", "Microsoft, Launch the Windows Settings app", &[]),
    // Shares and desktops of other machines.
    low("smb", SHARE, POSITIVE),
    low("cifs", SHARE, POSITIVE),
    low("nfs", SHARE, POSITIVE),
    low("dav", SHARE, POSITIVE),
    low("davs", SHARE, POSITIVE),
    low("afp", SHARE, "Apple, Mac User Guide, Connect your Mac to shared computers and servers"),
    low("vnc", DESKTOP, "RFC 7869"),
    low("rdp", DESKTOP, "Microsoft, Remote Desktop URI scheme"),
    low("ms-rd", DESKTOP, "Microsoft, Remote Desktop URI scheme"),
    // Terminals: the host is an argument of a program, see looks-like-option.
    app("ssh", TERMINAL, "CVE-2023-46322", &[]),
    app("telnet", TERMINAL, "CVE-2004-0411", &[]),
    app("rlogin", TERMINAL, "CVE-2004-0411", &[]),
    app("tn3270", TERMINAL, "RFC 6270", &[]),
    // Browsers.
    low("blob", PAGE, "W3C, File API, 8"),
    low("filesystem", PAGE, "W3C, File API: Directories and System"),
    abused("view-source", "it shows another URL, which a check of the scheme does not see", "RFC 3986, 7.3"),
    abused("jar", "it contains another URL, and unpacks an archive", "CVE-2007-5947"),
    low("chrome", "it shows a page of the browser itself", "Chromium, chrome:// URLs"),
    low("resource", "Firefox reads a file of its own", "Firefox Source Docs, Chrome Registration"),
    // Phones and macOS.
    abused("intent", "it starts components of apps on Android", "Chrome for Developers, Android Intents"),
    abused("itms-services", "it installs apps on iOS", "Apple Platform Deployment, Distribute apps"),
    abused("x-man-page", "it opens a manual page in a terminal, which ran commands (CVE-2023-46321)", "CVE-2023-46321"),
    app("x-apple.systempreferences", "it opens a page of the settings", "Apple, System Preferences URLs", &[]),
    // Calls and messages. A code such as *#06# is run by the telephone.
    app("tel", "it calls a number", "R. Borgaonkar, Dirty use of USSD codes, 2012; RFC 3966, 11",
        &["^*", "^%2a", "^#", "^%23", "^//*", "^//%2a"]),
    app("callto", "it calls somebody", "Microsoft, Skype URIs", &[]),
    app("sip", "it calls somebody", "RFC 3261, 26", &[]),
    app("sips", "it calls somebody", "RFC 3261, 26", &[]),
    app("facetime", "it calls somebody", "Apple URL Scheme Reference, FaceTime Links", &[]),
    app("facetime-audio", "it calls somebody", "Apple URL Scheme Reference, FaceTime Links", &[]),
    app("sms", "it writes a short message", "RFC 5724, 4", &[]),
    app("xmpp", "it opens a program for chats", "RFC 5122, 5", &[]),
    only_in("mailto", "it opens a mail program", "J. M\u{FC}ller and others, Mailto: Me Your Secrets, 2020",
        &["?attach=", "&attach=", "?attachment=", "&attachment=", "?attach-", "&attach-"]),
    // Java.
    abused("netdoc", "it reads local files in Java", "OpenJDK, sun.net.www.protocol.netdoc"),
    abused("rmi", JNDI, "CVE-2021-44228"),
    abused("iiop", JNDI, "CVE-2021-44228"),
    abused("iiopname", JNDI, "CVE-2021-44228"),
    abused("corbaname", JNDI, "CVE-2021-44228"),
    abused("corbaloc", JNDI, "CVE-2021-44228"),
    abused("nis", JNDI, "CVE-2021-44228"),
    abused("nds", JNDI, "CVE-2021-44228"),
    low("ldap", JNDI, "CVE-2021-44228"),
    low("ldaps", JNDI, "CVE-2021-44228"),
    abused("t3", "WebLogic reads objects of a foreign server (CVE-2015-4852)", "CVE-2015-4852"),
    abused("t3s", "WebLogic reads objects of a foreign server (CVE-2015-4852)", "CVE-2015-4852"),
    abused("jdbc", "parameters name classes that the driver loads and scripts that it runs", "CVE-2022-21724"),
    // PHP.
    abused("phar", "PHP reads an archive, and made objects of what it contains", PHP),
    abused("expect", "PHP runs a command", PHP),
    abused("php", "PHP reads and filters local streams", PHP),
    abused("glob", "PHP lists local directories", PHP),
    abused("zip", "PHP reads local archives", PHP),
    abused("compress.zlib", "PHP reads local files", PHP),
    abused("compress.bzip2", "PHP reads local files", PHP),
    abused("rar", "PHP reads local archives", PHP),
    abused("ogg", "PHP reads local files", PHP),
    abused("ssh2", "PHP runs commands on a server", PHP),
    abused("ssh2.exec", "PHP runs commands on a server", PHP),
    abused("ssh2.shell", "PHP opens a shell of a server", PHP),
    abused("ssh2.tunnel", "PHP connects to other hosts through a server", PHP),
    abused("ssh2.sftp", "PHP reads files of a server", PHP),
    abused("ssh2.scp", "PHP reads files of a server", PHP),
    // Other programs.
    abused("local_file", "Python reads local files (CVE-2019-9948)", "CVE-2019-9948"),
    abused("local-file", "Python reads local files (CVE-2019-9948)", "CVE-2019-9948"),
    abused("lynxexec", "lynx runs a command", "Lynx Users Guide"),
    abused("lynxprog", "lynx runs a command", "Lynx Users Guide"),
    abused("lynxcgi", "lynx runs a local program", "Lynx Users Guide"),
    abused("ext", "git runs a command", "git-remote-ext(1)"),
    abused("fd", "git reads an open file", "git-remote-fd(1)"),
    abused("concat", "FFmpeg reads each of the files and URLs in it", FFMPEG),
    abused("subfile", "FFmpeg reads a part of a local file", FFMPEG),
    abused("msl", "ImageMagick runs a script (CVE-2016-3716)", "CVE-2016-3716"),
    abused("ephemeral", "ImageMagick reads and removes a local file (CVE-2016-3715)", "CVE-2016-3715"),
    abused("tftp", "curl sends datagrams with parts of the URL", "curl(1)"),
    low("dict", "curl sends a line of the URL to any server and port", "curl(1)"),
    // Apps.
    app("vscode", "it opens Visual Studio Code", "Visual Studio Code, Command line: URLs", VS_CODE),
    app("vscode-insiders", "it opens Visual Studio Code", "Visual Studio Code, Command line: URLs", VS_CODE),
    app("vscodium", "it opens VSCodium", "Visual Studio Code, Command line: URLs", VS_CODE),
    app("cursor", "it opens Cursor", "Cursor, Deeplinks", &["/clone", "extension/", "mcp/install", "command", "prompt"]),
    app("claude", "it opens Claude", "Claude, documentation", &["install", "mcp", "plugin", "run", "code/"]),
    app("steam", "it opens Steam", "Valve, Steam browser protocol",
        &["run/", "rungameid/", "runsafe/", "install/", "connect/", "openurl/"]),
    app("jetbrains", "it opens an IDE", "JetBrains Toolbox, deep links", &["checkout", "install", "clone"]),
    app("idea", "it opens IntelliJ IDEA", "JetBrains Toolbox, deep links", &["checkout", "install", "clone"]),
    app("x-github-client", "it opens GitHub Desktop", "GitHub Desktop, URL scheme", &["openrepo"]),
    app("github-windows", "it opens GitHub Desktop", "GitHub Desktop, URL scheme", &["openrepo"]),
    app("github-mac", "it opens GitHub Desktop", "GitHub Desktop, URL scheme", &["openrepo"]),
    app("sourcetree", "it opens Sourcetree", "CVE-2019-11582", &["clonerepo", "/clone"]),
    app("gitkraken", "it opens GitKraken", "GitKraken, deep links", &["clone"]),
    app("smartgit", "it opens SmartGit", "SmartGit, documentation", &["clonerepo"]),
    app("iterm2", "it opens a terminal", "iTerm2, documentation", &["command"]),
    app("warp", "it opens a terminal", "Warp, URI scheme", &["command", "launch"]),
    app("shortcuts", "it opens Shortcuts", "Apple, Shortcuts User Guide", &["run-shortcut", "import"]),
    app("raycast", "it opens Raycast", "Raycast, Deeplinks", &["script-commands", "extensions/"]),
    app("alfred", "it opens Alfred", "Alfred, documentation", &["runtrigger"]),
    app("docker-desktop", "it opens Docker Desktop", "Docker, documentation", &["extension", "install"]),
    app("zoommtg", "it opens Zoom", "Zoom, URL schemes", &[]),
    app("zoomus", "it opens Zoom", "Zoom, URL schemes", &[]),
    app("msteams", "it opens Microsoft Teams", "Microsoft, Teams deep links", &[]),
    app("slack", "it opens Slack", "Slack, deep linking", &[]),
    app("discord", "it opens Discord", "Discord, documentation", &[]),
    app("skype", "it opens Skype", "Microsoft, Skype URIs", &[]),
    app("tg", "it opens Telegram", "Telegram, Deep links", &[]),
    app("whatsapp", "it opens WhatsApp", "WhatsApp, click to chat", &[]),
    app("spotify", "it opens Spotify", "Spotify, URIs and IDs", &[]),
    app("obsidian", "it opens Obsidian", "Obsidian, URI", &["adv-uri", "eval"]),
];

/// What a browser makes of a `data` URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunAs {
    /// A script, where a page loads it as one or it is opened.
    Script,
    /// A document that runs the scripts in it.
    Document,
    /// A picture that is a document: it runs the scripts in it, if it has any.
    Picture,
    /// No type: it is shown as text, but a page that loads it as a script runs it.
    Untyped,
}

/// Returns what a media type is run as, without its parameters; `None` if browsers run nothing in it.
pub(crate) fn run_as(media_type: &str) -> Option<RunAs> {
    let is = |known: &&str| media_type.eq_ignore_ascii_case(known);
    if media_type.is_empty() {
        return Some(RunAs::Untyped);
    }
    if is(&"image/svg+xml") {
        return Some(RunAs::Picture);
    }
    if SCRIPTS.iter().any(is) {
        return Some(RunAs::Script);
    }
    // "An XML MIME type is any MIME type whose subtype ends in "+xml" or whose essence is "text/xml" or
    // "application/xml"." (MIME Sniffing, 4.6): feeds, style sheets, MathML. A namespace in it makes it XHTML.
    let is_xml = media_type.len() > 4
        && media_type.get(media_type.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case("+xml"));
    (is_xml || DOCUMENTS.iter().any(is)).then_some(RunAs::Document)
}

/// "A JavaScript MIME type is any MIME type whose essence is one of the following" (MIME Sniffing, 4.6), and the
/// scripts of Internet Explorer.
static SCRIPTS: [&str; 18] = [
    "application/ecmascript",
    "application/javascript",
    "application/x-ecmascript",
    "application/x-javascript",
    "text/ecmascript",
    "text/javascript",
    "text/javascript1.0",
    "text/javascript1.1",
    "text/javascript1.2",
    "text/javascript1.3",
    "text/javascript1.4",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-ecmascript",
    "text/x-javascript",
    "text/vbscript",
    "application/hta",
];

/// Documents that run scripts, besides those whose subtype ends in "+xml".
static DOCUMENTS: [&str; 9] = [
    "text/html",
    "text/xml",
    "application/xml",
    "text/xsl",
    "text/rdf",
    "application/vnd.wap.xhtml+xml",
    "text/x-server-parsed-html",
    "multipart/related",
    "multipart/x-mixed-replace",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scheme_has_one_row_with_a_source() {
        for (at, row) in HANDLERS.iter().enumerate() {
            assert!(!HANDLERS[..at].iter().any(|other| other.scheme == row.scheme), "{}", row.scheme);
            assert!(!row.does.is_empty() && !row.source.is_empty(), "{}", row.scheme);
            let is_lower = |text: &str| !text.bytes().any(|octet| octet.is_ascii_uppercase());
            assert!(is_lower(row.scheme) && row.forms.iter().all(|form| is_lower(form)), "{}", row.scheme);
            assert!(!crate::schemes::is_usual(row.scheme) && row.scheme != OF_MICROSOFT.scheme);
        }
    }

    #[test]
    fn apps_are_serious_only_where_they_run_clone_or_install() {
        for (scheme, rest, severity) in [
            ("vscode", "//file/home/anna/a.rs:10", Some(Info)),
            ("vscode", "//vscode.git/clone?url=https://h/a.git", Some(Medium)),
            ("VSCode", ":EXTENSION/a.b", Some(Medium)),
            ("cursor", "//anysphere.cursor-deeplink/mcp/install?name=x&config=e30", Some(Medium)),
            ("steam", "//store/440", Some(Info)),
            ("steam", "//run/440//-condebug", Some(Medium)),
            ("slack", "//open", Some(Info)),
            ("dict", "//h:11211/stats", Some(Low)),
            ("hcp", "//services/search", Some(Medium)),
            ("smb", "//h/share", Some(Low)),
            ("MS-Calculator", "", Some(Info)),
            ("ms-photos", "viewer?fileName=\\\\h\\share\\a.png", Some(Medium)),
            ("ms-photos", "viewer?fileName=%5C%5Ch%5Ca.png", Some(Medium)),
            ("tel", "+41-44-668-1800", Some(Info)),
            ("tel", "*%2306%23", Some(Medium)),
            ("tel", "%2A%2306%23", Some(Medium)),
            ("tel", "+1-900-555-0100", Some(Low)),
            ("tel", "+1-910-555-0100", Some(Info)),
            ("sms", "+979123456789?body=a", Some(Low)),
            ("mailto", "anna@h.example?subject=a", None),
            ("mailto", "anna@h.example?subject=a&attach=/etc/passwd", Some(Medium)),
        ] {
            assert_eq!(handler(scheme).and_then(|row| row.severity(rest)), severity, "{scheme}:{rest}");
        }
        assert!(handler("https").is_none() && handler("urn").is_none());
    }

    #[test]
    fn types_that_browsers_run() {
        for (media_type, expected) in [
            ("text/javascript1.3", Some(RunAs::Script)),
            ("Application/X-JavaScript", Some(RunAs::Script)),
            ("application/xslt+xml", Some(RunAs::Document)),
            ("application/mathml+xml", Some(RunAs::Document)),
            ("application/atom+xml", Some(RunAs::Document)),
            ("image/svg+xml", Some(RunAs::Picture)),
            ("", Some(RunAs::Untyped)),
            ("text/plain", None),
            ("application/json", None),
            ("image/png", None),
            ("+xml", None),
        ] {
            assert_eq!(run_as(media_type), expected, "{media_type}");
        }
    }
}
