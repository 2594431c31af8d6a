//! The options of HTTP: method, headers, referrer, range, protocols; and cookies: `-b`, and the file of `-c`.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use locator::plan::Options;
use locator_fetch::blocking::RequestBuilder;
use locator_fetch::http::{ByteRange, CookieJar, Http, HttpError, Proxies};
use locator_fetch::save;

use super::data::{self, Data, DataArgs, TYPE_OF_JSON, UploadArgs};
use super::form::FormArgs;
use crate::exit::{CliError, say, say_error, say_warning};
use crate::input::files::Named;
use crate::output::Output;
use crate::report::reports::plural;
use crate::terminal::visible;

/// The options of HTTP.
#[derive(Args, Debug)]
pub(super) struct HttpArgs {
    /// Print all response headers, including those of redirects, before the body
    #[arg(short, long)]
    include: bool,
    /// Send HEAD instead of GET, and print all response headers, including those of
    /// redirects
    #[arg(short = 'I', long, conflicts_with_all = ["range", "json"])]
    head: bool,
    /// Do not print the body of an error response (400 or more)
    #[arg(short = 'f', long)]
    fail: bool,
    /// Follow redirects; this is the default
    #[arg(short = 'L', long)]
    location: bool,
    /// Send login, headers and data to every host that is redirected to; by default
    /// another origin gets only harmless headers, such as Accept
    #[arg(long)]
    location_trusted: bool,
    /// Send the data, or repeat a method such as DELETE, when a redirect (307, 308) leads
    /// to another origin; by default that is an error
    #[arg(long)]
    redirect_body: bool,
    /// Follow at most NUMBER redirects; with 0, print the redirect itself
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    max_redirs: usize,
    /// Allow redirects only to these schemes ("=https"), or to these besides http and
    /// https ("+ftp")
    #[arg(long, value_name = "SCHEMES", allow_hyphen_values = true, value_parser = redirect_schemes)]
    proto_redir: Option<Schemes>,
    /// Add this header to the request: "NAME: VALUE"; "NAME;" sends it without a value,
    /// "NAME:" removes it, @FILE reads one header per line
    #[arg(short = 'H', long, value_name = "HEADER")]
    header: Vec<String>,
    /// Send TEXT as the User-Agent header; an empty TEXT sends none
    #[arg(short = 'A', long, value_name = "TEXT")]
    user_agent: Option<String>,
    /// Send URL as the Referer header; also -e URL, unless URL is the name of an edition
    #[arg(long, value_name = "URL")]
    referer: Option<String>,
    /// Use this request method instead of GET, POST or HEAD
    #[arg(short = 'X', long, value_name = "METHOD", value_parser = method)]
    request: Option<String>,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    form: FormArgs,
    #[command(flatten)]
    upload: UploadArgs,
    #[command(flatten)]
    cookies: CookieArgs,
    /// Request only these bytes: 0-99, 500- or, for the last 500, -500; also -r RANGE
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true, value_parser = range)]
    range: Option<ByteRange>,
    /// Request a compressed response (gzip, brotli or zstd), and decompress it
    #[arg(long)]
    compressed: bool,
    /// Use HTTP/1.1, even if the server supports HTTP/2
    #[arg(long = "http1.1")]
    http1_1: bool,
    /// Use HTTP/2 if the server supports it; this is the default
    #[arg(long, overrides_with = "http1_1")]
    http2: bool,
}

/// Schemes that redirects may lead to.
pub(super) type Schemes = Vec<String>;

impl HttpArgs {
    /// Returns the settings of HTTP. `prints_errors` says whether bodies of error responses are wanted.
    pub(super) fn http(&self, data: &Data, proxies: Proxies, prints_errors: bool) -> Result<Http, CliError> {
        let mut http = Http::new()
            .compressed(self.compressed)
            .http2(!self.http1_1)
            .follow(self.max_redirs > 0)
            .trust_redirects(self.location_trusted)
            .redirect_body(self.redirect_body)
            .error_bodies(prints_errors && !self.fail)
            .proxies(proxies);
        if let Some(agent) = &self.user_agent {
            http = with_option(
                "--user-agent",
                http.user_agent(Some(&**agent).filter(|agent| !agent.is_empty())),
            )?;
        }
        if let Some(referer) = self.referer.as_deref().map(without_auto).filter(|url| !url.is_empty()) {
            http = with_option("--referer", http.header("Referer", referer))?;
        }
        let mut fields = self.fields()?;
        if let Data::Body { media_type: Some(media_type), .. } = data {
            match fields.iter_mut().find(|field| is_named(field, "Content-Type")) {
                None => http = with_option("--data", http.header("Content-Type", media_type.as_str()))?,
                Some(own) => add_boundary(own, media_type)?,
            }
        }
        let names_accepted = |field: &String| {
            field.split([':', ';']).next().is_some_and(|name| name.eq_ignore_ascii_case("accept"))
        };
        if self.data.is_json() && !fields.iter().any(names_accepted) {
            http = with_option("--data-json", http.header("Accept", TYPE_OF_JSON))?;
        }
        if let Some(cookies) = self.cookies.given()? {
            http = with_option("--cookie", http.header("Cookie", cookies))?;
        }
        fields.iter().try_fold(http, |http, field| add_field(http, field))
    }

    /// Adds the method, the range and the data to a request.
    pub(super) fn add_to<'r>(&self, mut request: RequestBuilder<'r>, data: &Data) -> RequestBuilder<'r> {
        let usual = || match data {
            Data::Upload { .. } => Some("PUT"),
            _ => self.head.then_some("HEAD"),
        };
        if let Some(method) = self.request.as_deref().or_else(usual) {
            request = request.method(method);
        }
        if let Some(body) = data.body() {
            request = request.body(body.clone());
        }
        match self.range {
            Some(range) => request.range(range),
            None => request,
        }
    }

    /// Returns whether a page that leads to another one is to be its `Referer`, which is never sent.
    pub(super) fn has_auto_referrer(&self) -> bool {
        self.referer.as_deref().is_some_and(|url| without_auto(url).len() < url.len())
    }

    /// Returns whether redirects may lead to ftp or ftps.
    pub(super) fn redirects_to_ftp(&self) -> bool {
        self.proto_redir.iter().flatten().any(|scheme| scheme.starts_with('f'))
    }

    /// Returns the schemes that redirects may lead to, if there is a choice: those of `--proto-redir` that
    /// `--proto` allows, too.
    pub(super) fn redirect_schemes(&self, allowed: Option<&Schemes>) -> Option<Vec<String>> {
        let is_allowed = |scheme: &&String| allowed.is_none_or(|allowed| allowed.contains(scheme));
        match (&self.proto_redir, allowed) {
            (Some(own), _) => Some(own.iter().filter(is_allowed).cloned().collect()),
            (None, Some(allowed)) => Some(
                allowed.iter().filter(|scheme| matches!(&***scheme, "http" | "https")).cloned().collect(),
            ),
            (None, None) => None,
        }
    }

    /// Returns the URL of `--referer`.
    pub(super) fn referer(&self) -> Option<&str> {
        self.referer.as_deref()
    }

    /// Returns whether an option is given that lines for curl have, and those for wget do not: `-L`, `-f`, `-i`, `-I`
    /// and data.
    pub(super) fn is_usual_in_curl(&self) -> bool {
        self.location
            || self.fail
            || self.includes_head()
            || self.option_of_body().is_some()
            || !self.header.is_empty()
    }

    pub(super) const fn max_redirs(&self) -> usize {
        self.max_redirs
    }

    pub(super) const fn includes_head(&self) -> bool {
        self.include || self.head
    }

    pub(super) const fn is_head(&self) -> bool {
        self.head
    }

    /// Returns whether a header may ask for a response only if the file has changed.
    pub(super) fn is_conditional(&self) -> bool {
        let is_condition = |header: &String| {
            header.starts_with('@') || header.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("if-"))
        };
        self.header.iter().any(is_condition)
    }

    /// Returns whether the body has the length that a response states: neither a range nor compressed.
    pub(super) const fn has_whole_body(&self) -> bool {
        self.range.is_none() && !self.compressed
    }

    pub(super) const fn range(&self) -> Option<ByteRange> {
        self.range
    }

    /// Returns the method of the first request.
    pub(super) fn method(&self, data: &Data) -> &str {
        let usual = match data {
            Data::Upload { .. } => "PUT",
            Data::Body { .. } => "POST",
            Data::None | Data::Query(_) => "GET",
        };
        self.request.as_deref().unwrap_or(if self.head { "HEAD" } else { usual })
    }

    /// Returns whether the same request may be sent twice (RFC 9110, 9.2.2).
    pub(super) fn may_be_repeated(&self) -> bool {
        match self.request.as_deref() {
            _ if !self.upload.may_be_repeated() => false,
            Some(method) => matches!(method, "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE" | "TRACE"),
            None => !self.data.has_body() && self.form.option().is_none(),
        }
    }

    /// Returns a given option that only HTTP has. A fetch by another protocol would ignore it.
    pub(super) fn only_http(&self) -> Option<&'static str> {
        let request = self.request.is_some().then_some("request");
        self.data.option().or_else(|| self.form.option()).or(request)
    }

    /// Returns a given option that only FTP has.
    pub(super) fn only_ftp(&self) -> Option<&'static str> {
        self.upload.only_ftp()
    }

    /// Returns the options of plans of ftp with the upload.
    pub(super) fn ftp_options<'o>(&self, options: Options<'o>) -> Options<'o> {
        self.upload.ftp_options(options)
    }

    /// Returns a given option that only HTTP and FTP have.
    pub(super) fn only_http_and_ftp(&self) -> Option<&'static str> {
        let given = [(self.head, "head"), (self.range.is_some(), "range"), (self.is_upload(), "upload-file")];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }

    /// Returns a given option of what is sent after the headers, or as the query.
    fn option_of_body(&self) -> Option<&'static str> {
        let upload = self.upload.file().map(|_| "upload-file");
        self.data.option().or_else(|| self.form.option()).or(upload)
    }

    /// Returns whether a file is uploaded, which is to one URL.
    pub(super) fn is_upload(&self) -> bool {
        self.upload.file().is_some()
    }

    /// Returns the files that headers and data are read from.
    pub(super) fn files(&self) -> Vec<OsString> {
        let of_fields = self.header.iter().filter_map(|field| field.strip_prefix('@'));
        let names = of_fields.chain(self.data.files()).map(OsString::from);
        let of_form = self.form.files().into_iter().map(OsString::from);
        let of_cookies = self.cookies.files().map(OsString::from);
        names.chain(of_form).chain(of_cookies).chain(self.upload.file().map(OsStr::to_owned)).collect()
    }

    /// Returns the options of cookies.
    pub(super) const fn cookies(&self) -> &CookieArgs {
        &self.cookies
    }

    /// Reads the data of the requests, or opens the files that are sent.
    pub(super) fn data(&self) -> Result<Data, CliError> {
        let bodies = [self.data.option(), self.form.option(), self.is_upload().then_some("upload-file")];
        let mut bodies = bodies.into_iter().flatten();
        if let (Some(first), Some(second)) = (bodies.next(), bodies.next()) {
            return Err(wrong(&format!("--{second}"), &format!("cannot be used with --{first}")));
        }
        if self.head
            && (self.data.has_body() || self.data.option().is_none() && self.option_of_body().is_some())
        {
            return Err(wrong("--head", "data cannot be sent with HEAD, except with -G"));
        }
        if self.form.option().is_some() {
            let (media_type, body) = self.form.read()?;
            return Ok(Data::Body { body, media_type: Some(media_type) });
        }
        match self.upload.file() {
            Some(file) => Ok(Data::Upload { body: data::body(file)?, file: file.to_owned() }),
            None => self.data.read(),
        }
    }

    /// Returns whether `--header` has a header of this name.
    pub(super) fn names_field(&self, name: &str) -> bool {
        self.header.iter().any(|field| is_named(field, name))
    }

    /// Returns the headers of `--header`, with those of files.
    fn fields(&self) -> Result<Vec<String>, CliError> {
        let mut fields = Vec::new();
        for field in &self.header {
            match field.strip_prefix('@') {
                None => fields.push(field.clone()),
                Some(path) => {
                    let text = String::from_utf8_lossy(&Named(path.as_ref()).read()?).into_owned();
                    fields.extend(text.lines().filter(|line| !line.is_empty()).map(str::to_owned));
                }
            }
        }
        Ok(fields)
    }
}

/// Returns whether a value of `--header` is for the header of this name.
fn is_named(field: &str, name: &str) -> bool {
    field.split([':', ';']).next().is_some_and(|own| own.eq_ignore_ascii_case(name))
}

/// Adds the boundary of a form to the user's own Content-Type, as curl does. Without it the form cannot be read.
fn add_boundary(own: &mut String, of_form: &str) -> Result<(), CliError> {
    let (Some((_, boundary)), Some((_, value))) = (of_form.split_once("; boundary="), own.split_once(':'))
    else {
        return Ok(());
    };
    let (media_type, parameters) = value.split_once(';').unwrap_or((value, ""));
    let is_boundary = |parameter: &str| {
        parameter.split('=').next().is_some_and(|name| name.trim().eq_ignore_ascii_case("boundary"))
    };
    match media_type.trim().to_ascii_lowercase() {
        none if none.is_empty() => return Ok(()),
        other if !other.starts_with("multipart/") => {
            return Err(wrong(
                "--header",
                "with --form the Content-Type is multipart/form-data, or multipart/…",
            ));
        }
        _ if parameters.split(';').any(is_boundary) => {
            return Err(wrong("--header", "leave out the boundary of the Content-Type: --form adds its own"));
        }
        _ => own.push_str(&format!("; boundary={boundary}")),
    }
    Ok(())
}

/// Returns the URL of `--referer` without curl's ";auto".
fn without_auto(url: &str) -> &str {
    url.strip_suffix(";auto").unwrap_or(url)
}

/// Adds a header of `--header`.
fn add_field(http: Http, field: &str) -> Result<Http, CliError> {
    let (name, value) = match (field.split_once(':'), field.strip_suffix(';')) {
        (Some((name, value)), _) => (name, value.trim_matches([' ', '\t'])),
        (None, Some(name)) => {
            return with_option(&format!("--header {}", visible(name)), http.header(name, ""));
        }
        (None, None) => {
            return Err(wrong("--header", "expected \"NAME: VALUE\", or \"NAME;\" for an empty value"));
        }
    };
    let option = format!("--header {}", visible(name));
    match value {
        "" => with_option(&option, http.without_header(name)),
        _ => with_option(&option, http.header(name, value)),
    }
}

pub(super) fn with_option<T>(option: &str, result: Result<T, HttpError>) -> Result<T, CliError> {
    result.map_err(|error| wrong(option, &error.to_string()))
}

fn wrong(option: &str, why: &str) -> CliError {
    say_error(&format!("{option}: {why}"));
    CliError::Reported
}

fn range(word: &str) -> Result<ByteRange, String> {
    ByteRange::parse(word).ok_or_else(|| "expected one byte range: 0-99, 500- or -500".into())
}

/// A method is a token (RFC 9110, 5.6.2). CONNECT would ask for a tunnel.
fn method(word: &str) -> Result<String, String> {
    let is_token = |octet: u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&octet);
    match !word.is_empty() && word.bytes().all(is_token) && !word.eq_ignore_ascii_case("connect") {
        true => Ok(word.into()),
        false => Err("expected a method such as DELETE".into()),
    }
}

/// Parses the value of `--proto-redir`: without a sign, http and https are allowed, too.
fn redirect_schemes(word: &str) -> Result<Schemes, String> {
    let found = schemes(word, &["http", "https", "ftp", "ftps"], 2, false);
    found.ok_or_else(|| "expected http, https, ftp or ftps, such as =https, +ftp or -all,https".into())
}

/// Schemes of curl that are never fetched.
const OF_CURL: [&str; 22] = [
    "dict", "file", "gopher", "gophers", "imap", "imaps", "ldap", "ldaps", "mqtt", "pop3", "pop3s", "rtmp",
    "rtsp", "scp", "sftp", "smb", "smbs", "smtp", "smtps", "telnet", "tftp", "ws",
];

/// Parses a list of schemes as curl does: "=" before a name allows only that scheme, "-" removes it, "+" or
/// nothing adds it to the first `usual` of the known ones. Others that curl knows may be removed, and added if
/// `may_add_others`, which allows nothing. Returns `None` for an unknown one.
pub(super) fn schemes(word: &str, known: &[&str], usual: usize, may_add_others: bool) -> Option<Schemes> {
    let mut schemes: Schemes = known[..usual].iter().map(|&name| name.into()).collect();
    for word in word.split(',').map(|word| word.trim().to_ascii_lowercase()) {
        let (sign, name) = word.split_at(word.len() - word.trim_start_matches(['=', '+', '-']).len());
        let named: Vec<&str> =
            known.iter().copied().filter(|known| name == "all" || *known == name).collect();
        let is_other = OF_CURL.contains(&name) && (may_add_others || sign == "-");
        if named.is_empty() && !is_other || sign.len() > 1 {
            return None;
        }
        if sign == "=" {
            schemes.clear();
        }
        schemes.retain(|scheme| !named.contains(&&**scheme));
        if sign != "-" {
            schemes.extend(named.into_iter().map(str::to_owned));
        }
    }
    Some(schemes)
}

/// The options of cookies.
#[derive(Args, Debug)]
pub(super) struct CookieArgs {
    /// Send cookies: "NAME=VALUE", several separated by "; ", to the origin of the given URL only; or those in
    /// FILE (Netscape format), to their own hosts; cookies of responses are then kept in memory
    #[arg(short = 'b', long, value_name = "COOKIES|FILE")]
    cookie: Vec<String>,
    /// Keep the cookies of responses, and write all to FILE at the end; "-" is standard output
    #[arg(short = 'c', long, value_name = "FILE")]
    cookie_jar: Option<OsString>,
    /// Ignore session cookies in the files of --cookie
    #[arg(short = 'j', long)]
    junk_session_cookies: bool,
}

impl CookieArgs {
    /// Returns the cookies that are given themselves, as the value of a header. As in curl, what has no "=" is
    /// a file.
    pub(super) fn given(&self) -> Result<Option<String>, CliError> {
        let given: Vec<_> =
            self.cookie.iter().map(String::as_str).filter(|word| word.contains('=')).collect();
        // "CTL characters" end a cookie or are no part of one (RFC 6265bis, 4.1.1).
        if given.iter().any(|word| word.chars().any(char::is_control)) {
            say_error("--cookie: control characters are not allowed in a cookie");
            return Err(CliError::Reported);
        }
        Ok((!given.is_empty()).then(|| given.join("; ")))
    }

    /// Returns the files that cookies are read from. An empty name is no file, but keeps cookies.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.cookie.iter().map(String::as_str).filter(|word| !word.contains('=') && !word.is_empty())
    }

    /// Reads the files; `None` if no cookies are kept.
    pub(super) fn jar(&self, is_silent: bool) -> Result<Option<CookieJar>, CliError> {
        if self.cookie_jar.is_none() && self.cookie.iter().all(|word| word.contains('=')) {
            return Ok(None);
        }
        let jar = CookieJar::new();
        for name in self.files() {
            let file = Named(OsStr::new(name));
            // The first run of several has none yet, and writes it.
            if !file.is_stdin() && !Path::new(name).exists() {
                if self.cookie_jar.as_deref() != Some(OsStr::new(name)) && !is_silent {
                    say(&format!(
                        "--cookie: {} does not exist, so no cookies are sent from it",
                        file.shown()
                    ));
                }
                continue;
            }
            let wrong = jar.read(&file.read()?) as u64;
            if wrong > 0 && !is_silent {
                let lines = plural(wrong, "line");
                let shown = file.shown();
                say_warning(&format!(
                    "--cookie: {lines} of {shown} ignored: not in the Netscape cookie format"
                ));
            }
        }
        if self.junk_session_cookies {
            jar.remove_session_cookies();
        }
        Ok(Some(jar))
    }

    /// Writes the cookies to the file of `--cookie-jar`.
    pub(super) fn write(&self, jar: &CookieJar, out: &mut Output) -> Result<(), CliError> {
        let Some(name) = &self.cookie_jar else { return Ok(()) };
        if Named(name).is_stdin() || name == "/dev/stdout" {
            return Ok(out.write_all(&jar.write()).and_then(|()| out.flush())?);
        }
        write_cookie_file(Path::new(name), &jar.write()).map_err(|error| {
            say_error(&format!(
                "--cookie-jar: cannot write \"{}\": {error}",
                visible(&name.to_string_lossy())
            ));
            CliError::Reported
        })
    }
}

/// Writes a file as a whole: a new one takes its place, so an interrupted run leaves the old one. Cookies are
/// secrets, so only the user can read a new file. A symbolic link stays one, and a pipe is written to.
fn write_cookie_file(path: &Path, octets: &[u8]) -> io::Result<()> {
    if save::is_device(path) || fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return OpenOptions::new().write(true).open(path)?.write_all(octets);
    }
    let path = &target_of_link(path)?;
    let old = match OpenOptions::new().write(true).open(path) {
        // A directory may be writable, and a file in it not.
        Ok(old) => Some(old.metadata()?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut new =
        tempfile::Builder::new().prefix(".locator-").tempfile_in(folder.unwrap_or(Path::new(".")))?;
    new.write_all(octets)?;
    if let Some(old) = old {
        new.as_file().set_permissions(old.permissions())?;
    }
    new.persist(path)?;
    Ok(())
}

/// Returns the file that a symbolic link leads to, which may not be there yet; other names unchanged.
fn target_of_link(path: &Path) -> io::Result<PathBuf> {
    // The system follows as many.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        if !path.is_symlink() {
            return Ok(path);
        }
        let next = fs::read_link(&path)?;
        path = path.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_of_redirects() {
        for (word, expected) in [
            ("=https", Some(&["https"][..])),
            ("https", Some(&["http", "https"])),
            ("+ftp", Some(&["http", "https", "ftp"])),
            ("ftp,-http", Some(&["https", "ftp"])),
            ("-all,https", Some(&["https"])),
            ("=all", Some(&["http", "https", "ftp", "ftps"])),
            ("file", None),
            ("==ftp", None),
            ("-file,-dict", Some(&["http", "https"])),
            ("+sftp", None),
            ("", None),
        ] {
            let found = redirect_schemes(word).ok();
            assert_eq!(
                found.as_deref(),
                expected
                    .map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
                    .as_deref(),
                "{word}"
            );
        }
    }
}
