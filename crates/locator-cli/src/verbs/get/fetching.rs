//! Requests of a URL: plans, retries, listings for people; and whether a file that exists is complete (`-C -`).

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use locator::component::Host;
use locator::plan::{Listing, Options, Plan, Resumption, Step};
use locator::{UriRef, UriRefBuf};
use locator_fetch::blocking::{RequestBuilder, Response};
use locator_fetch::http::ByteRange;
use locator_fetch::{FetchError, Resume, fmt_http_date};

use super::delivery::is_ftp;
use super::destination::file_error;
use super::download::quoted_path;
use super::error::TransferError;
use super::getter::{Getter, Wanted};
use super::response_heads;
use super::retry::Tries;
use super::user::{WithLogin, is_look_up};
use super::write_out::TransferRecord;
use crate::arguments::netrc::Login;
use crate::exit::say;
use crate::output::{Output, progress};
use crate::report::failure::Failure;
use crate::report::reports::plural;

impl Getter<'_> {
    /// Returns whether a plan of ftp asks for the length and the time of the file, so that a retry or a later
    /// run can resume. That takes two round trips, which of many small files is half the time: for several
    /// URLs only an option asks for it, or a terminal that shows how much is left.
    pub(super) fn prepared(&self, is_kept: impl FnOnce() -> bool) -> Resumption<'static> {
        let is_needed = self.retry.are_wanted()
            || self.to.continues()
            || self.keeps_time
            || self.condition.is_some()
            || self.max_filesize.is_some();
        let shows_progress = || {
            let is_hidden = self.inputs.no_messages || self.hides_progress || self.dialogue.is_some();
            self.progress.is_none() && !is_hidden && progress::is_shown()
        };
        match is_needed || (self.inputs.count() == Some(1) || shows_progress()) && is_kept() {
            true => Resumption::Prepared,
            false => Resumption::Off,
        }
    }

    /// Returns whether every response is saved to a file, and nothing of it is printed.
    pub(super) fn saves_all(&self) -> bool {
        self.to.saves_all() && !self.inputs.json && !self.inputs.quiet
    }

    /// Returns the retries of a URL.
    pub(super) fn tries(&self, wanted: &Wanted<'_>) -> Tries {
        self.retry.tries(self.http.may_be_repeated(), wanted.is_silent)
    }

    /// Returns the options for a plan: URLs of HTTP have proxies of their own, and others the proxy of
    /// the plan.
    pub(super) fn options_for(
        &self,
        plan: &Plan,
        url: UriRef<'_>,
        prepared: Resumption<'static>,
    ) -> Result<Options<'_>, Failure> {
        let options = self.ftp_options(*self.options).resumption(prepared);
        let direct = without_proxy(&options);
        let direct_plan = match self.options.proxy {
            Some(_) if is_look_up(plan) => Cow::Borrowed(plan),
            None => Cow::Borrowed(plan),
            Some(_) => Cow::Owned(self.registry.plan(url, &direct).map_err(Failure::from)?),
        };
        let is_http = |plan: &Plan| plan.steps().any(|step| matches!(step, Step::Request(_)));
        let not_supported = |why: String| Err(Failure::other("not-supported-here", why));
        if let Some(option) = self.http.only_ftp().filter(|_| !is_ftp(&direct_plan)) {
            return not_supported(format!("--{option} is for ftp and ftps only"));
        }
        if is_http(&direct_plan) {
            return Ok(direct);
        }
        if let Some(option) = self.http.only_http() {
            return not_supported(format!("--{option} is for http and https only"));
        }
        if self.has_socket {
            return not_supported("--unix-socket is for http and https only".into());
        }
        if let Some(option) = self.http.only_http_and_ftp().filter(|_| !is_ftp(&direct_plan)) {
            return not_supported(format!("--{option} is for http, https, ftp and ftps only"));
        }
        if let Some(option) = self.beside_upload().filter(|_| is_ftp(&direct_plan)) {
            return not_supported(format!("{option} has no effect on an upload to ftp; leave it out"));
        }
        let contacts = direct_plan.steps().any(|step| matches!(step, Step::Connect(_)));
        if let Some(option) = self.login_of_http.filter(|_| contacts && self.has_login(url)) {
            return not_supported(format!(
                "--{option} is for http and https only; the password would be sent itself"
            ));
        }
        let is_direct = |host: Host<'_>| {
            let port = url.port_or_known_default();
            self.proxies.excepts(host.as_str())
                || port.is_some_and(|port| self.connect_to.leads_from(host.as_str(), port))
        };
        if url.host().is_some_and(is_direct) {
            return Ok(direct);
        }
        if contacts && self.has_proxy_of_http {
            let why =
                "a SOCKS or https proxy fetches only http and https URLs; use --noproxy '*' to use no proxy";
            return not_supported(why.into());
        }
        Ok(if is_http(plan) { options } else { direct })
    }

    /// Returns whether there is a login for the server of a URL: its own, or that of the news server.
    fn has_login(&self, url: UriRef<'_>) -> bool {
        url.authority().is_some_and(|authority| authority.userinfo().is_some())
            || self.login_of_news(url).is_some()
    }

    /// Returns the login for a URL without a server, such as `news:*`: its server is that of the options.
    fn login_of_news(&self, url: UriRef<'_>) -> Option<&Login> {
        let server = self.news_server.as_ref().filter(|_| url.authority().is_none())?;
        self.login.of_host(server.as_server().host)
    }

    /// Returns a given option for what an upload to ftp does not have: a response, and a part of a file.
    fn beside_upload(&self) -> Option<&'static str> {
        if !self.http.is_upload() {
            return None;
        }
        let given = [(self.to.is_file(), "-o or -O"), (self.http.range().is_some(), "--range")];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }

    /// Returns the options of plans with those that only plans of ftp have.
    pub(super) fn ftp_options<'o>(&self, options: Options<'o>) -> Options<'o> {
        let listing = if self.describes_entries() { Listing::Facts } else { options.listing };
        let range = self.http.range().map(|range| match range {
            ByteRange::From(start) => (start, None),
            ByteRange::Between(start, end) => (start, Some((end - start).saturating_add(1))),
            // The length of the file is asked for first.
            _ => (0, None),
        });
        let mut options = options.listing(listing).head(self.http.is_head());
        options.range = range;
        self.http.ftp_options(options)
    }

    /// Returns whether the kinds of entries are wanted: the URL of a directory is written with "/".
    pub(super) const fn describes_entries(&self) -> bool {
        self.to.only_urls || self.inputs.json && !self.to.raw
    }

    /// Returns where the last bytes of an ftp file begin, if they are asked for.
    pub(super) fn range_at_end(&self, wanted: &Wanted<'_>) -> Result<Option<u64>, TransferError> {
        let Some(ByteRange::Last(count)) = self.http.range().filter(|_| wanted.is_ftp) else {
            return Ok(None);
        };
        let mut options = wanted.options;
        (options.head, options.range) = (true, None);
        let head = self.request_with(options, None, wanted).send()?;
        let length = head.content_length().ok_or_else(|| {
            let why = "the server does not say how long the file is, so its last bytes cannot be requested";
            Failure::other("not-supported-here", why.into())
        })?;
        Ok(Some(length.saturating_sub(count)))
    }

    /// Asks what is known of a file.
    pub(super) fn head(&self, wanted: &Wanted<'_>) -> Result<Response, FetchError> {
        let options = wanted.options.head(true).resumption(Resumption::Off);
        self.request_with(options, None, wanted).send()
    }

    /// Returns what a server prints for people of an ftp directory, if it lists it.
    pub(super) fn long_listing(&self, directory: UriRef<'_>, wanted: &Wanted<'_>) -> Option<Vec<u8>> {
        let options = wanted.options.listing(Listing::Long).resumption(Resumption::Off);
        let with_login = self.login.add(directory).ok()?;
        let url = with_login.as_ref().map_or(directory, UriRefBuf::as_uri_ref);
        let request = self.request_to(url, options, wanted);
        request.send().ok()?.bytes().ok().map(|octets| octets.to_vec())
    }

    /// Fetches a URL, with retries; `first` is the response to the first request, if that was sent.
    pub(super) fn fetch(
        &self,
        wanted: &Wanted<'_>,
        first: Option<Result<Response, FetchError>>,
    ) -> Result<Response, FetchError> {
        self.retrying(wanted, first, || self.ask(wanted.resume.clone(), wanted))
    }

    /// Sends a request, with retries.
    pub(super) fn retrying(
        &self,
        wanted: &Wanted<'_>,
        mut first: Option<Result<Response, FetchError>>,
        send: impl Fn() -> Result<Response, FetchError>,
    ) -> Result<Response, FetchError> {
        let mut tries = self.tries(wanted);
        loop {
            match first.take().unwrap_or_else(&send) {
                Err(error) if tries.again(&error) => {}
                Ok(fetched) if fetched.error_for_status_ref().is_err_and(|refusal| tries.again(refusal)) => {}
                result => return result,
            }
        }
    }

    /// Fetches a URL once.
    pub(super) fn ask(&self, resume: Option<Resume>, wanted: &Wanted<'_>) -> Result<Response, FetchError> {
        self.user.allow_programs(self.progress.is_none() && wanted.starts_program);
        self.request(resume, wanted).send()
    }

    /// Returns the request for a URL.
    pub(super) fn request<'r>(&'r self, resume: Option<Resume>, wanted: &Wanted<'r>) -> RequestBuilder<'r> {
        let request = self.request_with(wanted.options, resume, wanted);
        wanted.plan.take().into_iter().fold(request, RequestBuilder::plan)
    }

    /// Returns the request for a URL, whose plan has these options.
    fn request_with<'r>(
        &'r self,
        options: Options<'r>,
        resume: Option<Resume>,
        wanted: &Wanted<'r>,
    ) -> RequestBuilder<'r> {
        let request = self.request_to(wanted.url(), options, wanted);
        // The login of `-u` or `-n` is not shown in messages and in the URLs of entries.
        let request = request.shown_as(wanted.given().to_owned());
        resume.into_iter().fold(request, RequestBuilder::resume)
    }

    /// Returns the request for a URL in place of the wanted one.
    fn request_to<'r>(
        &'r self,
        url: UriRef<'_>,
        options: Options<'r>,
        wanted: &Wanted<'r>,
    ) -> RequestBuilder<'r> {
        let mut request = wanted.fetcher.request(url).registry(self.registry).options(options);
        if let Some(login) = self.login_of_news(wanted.given()).cloned() {
            request = request.prompter(Arc::new(WithLogin { user: self.user.clone(), login }));
        }
        // The condition of `-z` and a header of the user are the same header.
        let has_own = self.condition.is_some() || self.http.names_field("If-Modified-Since");
        if let Some(since) = wanted.since.filter(|_| !has_own) {
            request = request.header("If-Modified-Since", fmt_http_date(since));
        }
        self.http.add_to(request, &self.data)
    }
}

/// Returns options of plans without the proxy.
fn without_proxy<'o>(options: &Options<'o>) -> Options<'o> {
    let mut options = *options;
    options.proxy = None;
    options
}

impl Getter<'_> {
    /// Asks the server for what follows the octets of a file that exists. It is complete if nothing does.
    pub(super) fn confirm(
        &self,
        name: &OsStr,
        length: u64,
        wanted: &Wanted<'_>,
        seen: &mut TransferRecord,
        out: &mut Output,
    ) -> Result<(), TransferError> {
        let rest = || self.request(None, wanted).range(ByteRange::From(length)).send();
        let total = match self.retrying(wanted, None, rest) {
            Ok(fetched) => {
                seen.fetched(&fetched);
                self.write_headers_of(&fetched, wanted, out)?;
                fetched.error_for_status_ref().map_err(FetchError::clone)?;
                fetched.content_length()
            }
            Err(error) => {
                seen.failed(&error);
                self.write_headers(&response_heads::of(error.hops(), error.head()), out)?;
                match length_of_416(&error) {
                    Some(total) => Some(total),
                    None => return Err(error.into()),
                }
            }
        };
        let file = quoted_path(Path::new(name));
        match total {
            Some(total) if total == length => {
                seen.is_complete = true;
                if !wanted.is_silent {
                    say(&format!("{file} is complete ({})", plural(length, "byte")));
                }
                Ok(())
            }
            total => {
                let total = total.map_or_else(
                    || "the server does not state the length of its file".to_owned(),
                    |total| format!("the file on the server has {}", plural(total, "byte")),
                );
                let length = plural(length, "byte");
                let why = format!("{file} exists and has {length}, {total}; use --clobber to fetch it again");
                Err(file_error(why).into())
            }
        }
    }
}

/// Returns the length of the file from the reply that it has no octets there: "A server generating a 416
/// response to a byte-range request SHOULD generate a Content-Range header field specifying the current
/// length of the selected representation": `bytes */47022` (RFC 9110, 15.5.17).
fn length_of_416(error: &FetchError) -> Option<u64> {
    let head = error.head().filter(|head| head.status == 416)?;
    head.headers.get("content-range")?.trim().strip_prefix("bytes */")?.parse().ok()
}
