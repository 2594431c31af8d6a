//! Fetches one URL: plans it, fetches it and writes the response. A [`Getter`] has what all URLs of a run share, and
//! is used by several threads; an input becomes [`Planned`] (its URL, plan and file), [`Wanted`] (with its options),
//! [`Begun`] (its file is created) and [`Transferred`], the result with what `-w` prints.

use std::cell::{Cell, RefCell};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use locator::plan::{Local, Options, Plan, Resumption, Step};
use locator::scheme::Registry;
use locator::{Edition, UriBuf, UriRef, UriRefBuf};
use locator_fetch::blocking::{Fetcher, RequestBuilder, Response};
use locator_fetch::entries::is_list;
use locator_fetch::http::{ByteRange, Http, Proxies};
use locator_fetch::save;
use locator_fetch::{ConnectTo, FetchError, Resume};
use locator_web::report::quantity;

use super::data::Data;
use super::delivery;
use super::delivery::Delivery;
use super::delivery::{is_ftp, is_text_of_ftp};
use super::destination::{Destination, file_error};
use super::dialogue::Dialogue;
use super::download::{self, Part};
use super::error::{self, TransferError};
use super::glob::{Globs, Pattern};
use super::headlines::Headlines;
use super::http::{HttpArgs, Schemes};
use super::login::Logins;
use super::response_heads::{self, HeaderFile};
use super::retry::{GoOn, RetryArgs};
use super::time::{self, TimeCondition};
use super::user::User;
use super::user::{self, is_look_up};
use super::write_out::TransferRecord;
use crate::arguments::Inputs;
use crate::arguments::config::ServerWord;
use crate::exit::say;
use crate::input::reading;
use crate::input::{Input, Origin};
use crate::output::Output;
use crate::output::progress::Progress;
use crate::report::browser;
use crate::report::failure::Failure;
use crate::report::json as objects;
use crate::report::reports::plural;
use crate::run::Seen as NamesSeen;
use crate::terminal::visible::legible;
use crate::terminal::{Word, visible};

/// Fetches URLs; several threads may use it at the same time.
pub(super) struct Getter<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) edition: &'static Edition,
    /// The base of the policy, which references without a scheme are resolved against.
    pub(super) base: Option<UriBuf>,
    pub(super) registry: &'a Registry<'a>,
    /// The options of plans, with the proxy.
    pub(super) options: &'a Options<'a>,
    /// The fetcher without the proxy of the options: HTTP has its own.
    pub(super) fetcher: Fetcher,
    /// How http is spoken by a walk, which does not follow redirects.
    pub(super) unfollowing: Http,
    /// Whether the proxy can fetch http and https URLs only.
    pub(super) has_proxy_of_http: bool,
    /// The servers that are connected to instead of others, without a proxy.
    pub(super) connect_to: ConnectTo,
    /// The proxies, which know the hosts that are reached without one.
    pub(super) proxies: Proxies,
    pub(super) to: &'a Destination,
    pub(super) http: &'a HttpArgs,
    pub(super) data: Data,
    pub(super) retry: &'a RetryArgs,
    pub(super) rate: Option<usize>,
    /// The condition of `-z`, and whether files get the time of those on the server.
    pub(super) condition: Option<TimeCondition>,
    pub(super) keeps_time: bool,
    /// The schemes that may be fetched, if not all.
    pub(super) schemes: Option<&'a Schemes>,
    /// Whether no progress is shown.
    pub(super) hides_progress: bool,
    /// Whether something is written after each transfer (`-w`).
    pub(super) writes_out: bool,
    /// Whether certificates of servers are verified.
    pub(super) is_verified: bool,
    /// The largest size of a file.
    pub(super) max_filesize: Option<u64>,
    pub(super) login: Logins,
    /// A given option of logins that only HTTP has.
    pub(super) login_of_http: Option<&'static str>,
    pub(super) user: Arc<User>,
    pub(super) dialogue: Option<&'a Dialogue>,
    pub(super) news_server: Option<ServerWord>,
    /// The files that this run writes. A file name is used once.
    pub(super) files: NamesSeen,
    /// The headlines of the documents in a list of URLs.
    pub(super) headlines: Headlines,
    /// Whether a Unix socket is connected to.
    pub(super) has_socket: bool,
    /// The patterns of the arguments, and whether they are expanded.
    pub(super) globs: Globs,
    pub(super) expands: bool,
    /// Where `-D` writes the headers of responses.
    pub(super) headers: Option<HeaderFile>,
    /// The progress of all transfers, if they are parallel.
    pub(super) progress: Option<Progress>,
}

/// An input, and its plan.
struct Planned {
    given: UriRefBuf,
    with_login: Option<UriRefBuf>,
    name: Option<OsString>,
    /// Whether the server names the file.
    is_named_by_server: bool,
    resume: Option<Resume>,
    /// What the plan prepares without an earlier run.
    prepared: Resumption<'static>,
    plan: Plan,
}

/// A URL that is fetched.
pub(super) struct Wanted<'g> {
    /// The URL as it was given, and the URL with the login of `-u` or `-n`.
    given: UriRefBuf,
    with_login: Option<UriRefBuf>,
    /// The plan, until it is carried out, if the fetcher would make the same.
    pub(super) plan: Cell<Option<Plan>>,
    pub(super) starts_program: bool,
    /// Whether the plan contacts a server of FTP.
    pub(super) is_ftp: bool,
    /// Whether the URL itself says that it is a listing.
    names_list: bool,
    pub(super) fetcher: Fetcher,
    /// The options of its plan, and where an earlier run ended.
    pub(super) options: Options<'g>,
    pub(super) resume: Option<Resume>,
    /// The time of the file that is there; an older one is not sent (HTTP).
    pub(super) since: Option<SystemTime>,
    /// The name of the file that it is saved to.
    name: Option<OsString>,
    is_named_by_server: bool,
    pub(super) is_silent: bool,
    is_quiet: bool,
}

/// A URL whose file is created, if it has one, and whose request can be sent.
pub(super) struct Begun<'g> {
    wanted: Wanted<'g>,
    to: To,
    seen: TransferRecord,
    start: Instant,
}

/// What came of a URL, and what is known of its transfer.
pub(super) struct Transferred {
    pub(super) result: Result<(), TransferError>,
    pub(super) seen: TransferRecord,
}

/// Where a response is written.
enum To {
    /// To this file, or to standard output.
    Part(Option<Part>),
    /// To a file that is complete if it has the length of the one on the server.
    Complete(u64),
}

impl Getter<'_> {
    /// Fetches an input by this fetcher.
    pub(super) fn get(
        &self,
        fetcher: &Fetcher,
        input: Input<'_>,
        out: &mut Output,
        is_quiet: bool,
    ) -> Transferred {
        match self.begin(fetcher, input, is_quiet) {
            Ok(begun) => self.end(begun, None, input, out),
            Err(failed) => *failed,
        }
    }

    /// Plans an input, and creates its file. No server is contacted if that cannot be written.
    pub(super) fn begin(
        &self,
        fetcher: &Fetcher,
        input: Input<'_>,
        is_quiet: bool,
    ) -> Result<Begun<'_>, Box<Transferred>> {
        let start = Instant::now();
        let mut seen = TransferRecord::new(
            self.writes_out,
            self.http.method(&self.data),
            self.data.length(),
            self.is_verified,
        );
        seen.argument = Some(self.globs.nth(input.number).argument);
        let begun = self.prepare(fetcher, input, is_quiet, &mut seen);
        match begun {
            Ok((wanted, to)) => Ok(Begun { wanted, to, seen, start }),
            Err(trouble) => {
                download::failed();
                Err(Transferred { result: Err(trouble), seen }.into())
            }
        }
    }

    fn prepare(
        &self,
        fetcher: &Fetcher,
        input: Input<'_>,
        is_quiet: bool,
        seen: &mut TransferRecord,
    ) -> Result<(Wanted<'_>, To), TransferError> {
        if !is_quiet {
            self.say_other_host(input.octets);
        }
        let planned = self.planned(input.octets, Some(input.number).filter(|_| !is_quiet));
        if planned.is_err() && self.expands && input.origin == Origin::Argument {
            Pattern::read(input.octets)?;
        }
        let planned = planned?;
        if !is_quiet {
            remark_on_draft(&planned.plan);
        }
        let mut wanted = self.wanted(fetcher, planned, is_quiet)?;
        if let Some(start) = self.range_at_end(&wanted)? {
            wanted.options.range = Some((start, None));
            wanted.plan.take();
        }
        let to = self.destination(&wanted, seen)?;
        Ok((wanted, to))
    }

    /// Returns the first request for a URL, if that is all that is needed before its response is written.
    pub(super) fn first_request<'g>(&'g self, begun: &Begun<'g>) -> Option<RequestBuilder<'g>> {
        match begun.to {
            To::Part(_) => Some(self.request(begun.wanted.resume.clone(), &begun.wanted)),
            To::Complete(_) => None,
        }
    }

    /// Writes the response for a URL; `first` is that to the first request, if it was sent.
    pub(super) fn end(
        &self,
        begun: Begun<'_>,
        first: Option<Result<Response, FetchError>>,
        input: Input<'_>,
        out: &mut Output,
    ) -> Transferred {
        let Begun { wanted, to, mut seen, start } = begun;
        let result = self.put(&wanted, to, first, input, out, &mut seen);
        seen.time = start.elapsed();
        if let Some(name) = seen.file.as_ref().filter(|_| seen.is_saved) {
            self.say_saved(name, &seen, out);
        }
        match &result {
            Err(_) => download::failed(),
            Ok(()) if wanted.is_ftp && self.http.is_upload() => self.say_uploaded(&wanted, &seen, out),
            Ok(()) => {}
        }
        Transferred { result, seen }
    }

    /// Returns the plan of an input, with the request that is sent.
    pub(super) fn plan(&self, octets: &[u8]) -> Result<Plan, Failure> {
        self.say_other_host(octets);
        let planned = self.planned(octets, Some(1))?;
        let wanted = self.wanted(&self.fetcher, planned, false)?;
        if wanted.is_ftp && matches!(self.http.range(), Some(ByteRange::Last(_))) {
            let why = "the last bytes of an ftp file have no plan: they begin where the size of the \
                       file says, which is asked for first";
            return Err(Failure::other("not-supported-here", why.into()));
        }
        self.request(wanted.resume.clone(), &wanted).into_plan().map_err(|error| error::failure(&error))
    }

    /// Says which host a browser would contact for the URL of an input, if it is another one.
    fn say_other_host(&self, octets: &[u8]) {
        if !self.inputs.no_messages
            && let Ok(url) = self.url(octets)
        {
            browser::say_other_host(url.as_uri_ref());
        }
    }

    /// Returns what is fetched of an input.
    fn wanted(&self, fetcher: &Fetcher, planned: Planned, is_quiet: bool) -> Result<Wanted<'_>, Failure> {
        let Planned { given, with_login, name, is_named_by_server, resume, prepared, plan } = planned;
        let url = with_login.as_ref().unwrap_or(&given).as_uri_ref();
        let options = self.options_for(&plan, url, prepared)?;
        let is_ftp = is_ftp(&plan);
        let names_list = delivery::names_list(given.as_uri_ref(), &plan);
        let starts_program = starts_program(&plan);
        Ok(Wanted {
            given,
            with_login,
            plan: Cell::new(Some(plan).filter(|plan| self.options.proxy.is_none() || is_look_up(plan))),
            starts_program,
            is_ftp,
            names_list,
            fetcher: fetcher.clone(),
            options,
            resume,
            since: None,
            name,
            is_named_by_server,
            is_silent: is_quiet || self.inputs.no_messages || self.dialogue.is_some(),
            is_quiet,
        })
    }

    /// Returns the URL of an input.
    pub(super) fn url(&self, octets: &[u8]) -> Result<UriRefBuf, Failure> {
        let read = reading::read(octets, self.edition);
        let given = read.map_err(|error| Failure::not_read(error, octets))?.reference;
        let resolved = self.resolved(given)?;
        Ok(resolved.map_or_else(|| given.to_owned(), UriRefBuf::from))
    }

    /// Plans a URL that a walk has found, and passes it on. `name` is that of its file, if an earlier run may
    /// have begun it.
    pub(super) fn walked<T>(
        &self,
        fetcher: &Fetcher,
        given: UriRef<'_>,
        name: Option<OsString>,
        then: impl FnOnce(Wanted<'_>) -> Result<T, TransferError>,
    ) -> Result<T, TransferError> {
        let with_login = self.with_login(given)?;
        let url = with_login.as_ref().map_or(given, UriRefBuf::as_uri_ref);
        let resume = name.as_deref().and_then(|name| save::resume_point(name, given));
        let plan = self.registry.plan(url, self.options);
        let plan = plan.map_err(|error| Failure::no_plan(error, given.as_str().as_bytes()))?;
        let prepared = if name.is_some() { Resumption::Prepared } else { self.prepared(|| false) };
        let given = given.to_owned();
        let planned = Planned { given, with_login, name, is_named_by_server: false, resume, prepared, plan };
        then(self.wanted(fetcher, planned, false)?)
    }

    /// Plans an input. A file is planned for if its number is given.
    fn planned(&self, octets: &[u8], number: Option<u64>) -> Result<Planned, Failure> {
        let read = reading::read(octets, self.edition);
        let given = read.map_err(|error| Failure::not_read(error, octets))?.reference;
        let resolved = self.resolved(given)?;
        self.check_scheme(resolved.as_ref().map_or(given, |resolved| resolved.as_uri().into()))?;
        let given = resolved.as_ref().map_or(given, |resolved| resolved.as_uri().into());
        let with_data = self.data.add(given)?;
        let given = with_data.as_ref().map_or(given, UriRefBuf::as_uri_ref);
        let with_login = self.with_login(given)?;
        let url = with_login.as_ref().map_or(given, UriRefBuf::as_uri_ref);
        let nth = number.map(|number| self.globs.nth(number));
        let named = |nth| self.to.name(nth, given, self.headlines.take(given).as_deref());
        let name = nth.as_ref().map_or(Ok(None), named);
        let is_named_by_server = nth.is_some_and(|nth| self.to.is_named_by_server(nth.argument));
        let file = name.as_ref().ok().and_then(Option::as_deref);
        let resume = self.to.resume(file, given);
        let is_kept = || file.is_some_and(|name| !save::is_device(name)) || is_named_by_server;
        let prepared = self.prepared(is_kept);
        let resumption = resume.as_ref().map_or(prepared, Resume::resumption);
        let options = self.ftp_options(*self.options).resumption(resumption);
        // An error of the URL explains more than one of its name.
        let plan = match user::look_up(&self.user, url)? {
            Some(plan) => plan,
            None => self.registry.plan(url, &options).map_err(|error| Failure::no_plan(error, octets))?,
        };
        self.check_type(&plan)?;
        let name = name?;
        let given = given.to_owned();
        Ok(Planned { given, with_login, name, is_named_by_server, resume, prepared, plan })
    }

    /// Returns a URL with the login of `-u` or of its host, if its scheme has logins.
    fn with_login(&self, given: UriRef<'_>) -> Result<Option<UriRefBuf>, Failure> {
        let Some(url) = self.login.add(given)? else { return Ok(None) };
        let has_plan = |url| self.registry.plan(url, self.options).is_ok();
        if has_plan(url.as_uri_ref()) || !has_plan(given) {
            return Ok(Some(url));
        }
        // The host may be one of `.netrc` for another scheme.
        match (self.login.is_for_all(), given.scheme()) {
            (true, Some(scheme)) => {
                let why = format!("--user: there is no login for {scheme} URLs");
                Err(Failure::other("not-supported-here", why))
            }
            _ => Ok(None),
        }
    }

    /// Checks that `--proto` allows the scheme of a URL.
    fn check_scheme(&self, url: UriRef<'_>) -> Result<(), Failure> {
        let Some((schemes, scheme)) = self.schemes.zip(url.scheme()) else { return Ok(()) };
        match schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme.as_str())) {
            true => Ok(()),
            false => Err(Failure::other("forbidden", format!("--proto does not allow {scheme}"))),
        }
    }

    /// "The sender converts the data from an internal character representation to the standard 8-bit
    /// NVT-ASCII representation" (RFC 959, 3.1.1.1), so the bytes of the file are not those of the transfer.
    fn check_type(&self, plan: &Plan) -> Result<(), Failure> {
        let option = match (self.to.continues(), self.http.range()) {
            (true, _) => "-C - cannot resume",
            (_, Some(_)) => "--range cannot count the bytes of",
            _ => return Ok(()),
        };
        if !is_text_of_ftp(plan) {
            return Ok(());
        }
        let why = "an ASCII transfer: line ends are converted, so the bytes of the file are not those that \
                   are sent (RFC 959, 3.1.1.1); use ;type=i";
        Err(Failure::other("not-supported-here", format!("{option} {why}")))
    }

    /// Says at a terminal that a file is saved. Of parallel transfers only their number is said.
    fn say_saved(&self, name: &OsStr, seen: &TransferRecord, out: &Output) {
        // With -Z this is asked once for each file, and only a look at the terminal would take time.
        if self.inputs.no_messages || self.inputs.json || self.progress.is_some() {
            return;
        }
        let mut errors = out.errors();
        if !errors.is_terminal || save::is_device(name) {
            return;
        }
        let size = fs::metadata(name).map_or(seen.octets, |found| found.len());
        let (name, time) = (name.to_string_lossy(), quantity::duration(seen.time));
        let saved = errors.paint.word(Word::Saved);
        let _ = writeln!(errors, "{saved} {}  {} in {time}", visible(&name), quantity::binary_size(size))
            .and_then(|()| errors.flush());
    }

    /// Says at a terminal that a file was uploaded: a server of ftp sends no page that says so.
    fn say_uploaded(&self, wanted: &Wanted<'_>, seen: &TransferRecord, out: &Output) {
        let errors = out.errors();
        if errors.is_terminal && !wanted.is_silent && !self.inputs.json {
            let (time, url) = (quantity::duration(seen.time), wanted.given().redacted().to_string());
            say(&format!("uploaded to {} in {time}", visible(&url)));
        }
    }

    /// Resolves a reference without a scheme against the base of the policy, if there is one.
    fn resolved(&self, given: UriRef<'_>) -> Result<Option<UriBuf>, Failure> {
        let Some(base) = self.base.as_ref().filter(|_| !given.has_scheme()) else { return Ok(None) };
        base.as_uri().join(given.as_str()).map(Some).map_err(Failure::from)
    }

    /// Creates the file of a response. A file of this run is not overwritten by it.
    fn destination(&self, wanted: &Wanted<'_>, seen: &mut TransferRecord) -> Result<To, Failure> {
        let Some(name) = wanted.own_name() else { return Ok(To::Part(None)) };
        // Several URLs may be written to a device, but not to a file.
        if !self.files.is_new_name(name.as_encoded_bytes()) && !save::is_device(name) {
            return Err(Failure::other("file", download::is_of_another_url(name)));
        }
        if let Some(length) = self.to.complete_length(name) {
            return Ok(To::Complete(length));
        }
        seen.file = Some(name.clone());
        let part = self.to.file(name, self.condition.as_ref());
        if part.is_err() {
            self.files.forget(name.as_encoded_bytes());
        }
        part.map(|part| To::Part(Some(part)))
    }

    /// Fetches a URL, unless its response is there, and writes that.
    fn put(
        &self,
        wanted: &Wanted<'_>,
        to: To,
        first: Option<Result<Response, FetchError>>,
        input: Input<'_>,
        out: &mut Output,
        seen: &mut TransferRecord,
    ) -> Result<(), TransferError> {
        let part = match (to, wanted.own_name()) {
            (To::Complete(length), Some(name)) => return self.confirm(name, length, wanted, seen, out),
            (To::Part(part), _) => part,
            (To::Complete(_), None) => None,
        };
        let fetched = self.fetch(wanted, first);
        let result = self.put_to(part, wanted, fetched, input, out, seen);
        if let Some(name) = wanted.own_name().filter(|_| result.is_err()) {
            self.files.forget(name.as_encoded_bytes());
        }
        result
    }

    /// Writes a response to a file or to standard output.
    fn put_to(
        &self,
        mut part: Option<Part>,
        wanted: &Wanted<'_>,
        fetched: Result<Response, FetchError>,
        input: Input<'_>,
        out: &mut Output,
        seen: &mut TransferRecord,
    ) -> Result<(), TransferError> {
        let delivery = self.delivery(wanted);
        let has_file = part.is_some() || wanted.is_named_by_server;
        let fetched = match fetched {
            Ok(fetched) => fetched,
            Err(error) => {
                seen.failed(&error);
                let prints_heads = !has_file && !wanted.is_quiet && !self.inputs.json;
                part.into_iter().for_each(Part::discard);
                self.write_headers(&response_heads::of(error.hops(), error.head()), out)?;
                if prints_heads {
                    delivery.put_heads_before(&error, out)?;
                }
                return Err(error.into());
            }
        };
        seen.fetched(&fetched);
        self.write_headers_of(&fetched, wanted, out)?;
        if let Some(why) = self.unwanted(&fetched) {
            part.into_iter().for_each(Part::discard);
            if !wanted.is_silent {
                say(why);
            }
            return Ok(());
        }
        match self.fileable(wanted, &fetched, seen, has_file) {
            Ok(None) if wanted.is_named_by_server => part = Some(self.file_of(wanted, &fetched, seen)?),
            Ok(None) => {}
            Ok(Some(nothing)) => {
                part.take().into_iter().for_each(Part::discard);
                if !wanted.is_silent {
                    say(nothing);
                }
            }
            Err(trouble) => {
                part.into_iter().for_each(Part::discard);
                return Err(trouble);
            }
        }
        if let Some(part) = &mut part {
            if self.keeps_time {
                self.keep_time(part, wanted, &fetched);
            }
            delivery.begin(part, (wanted.given(), wanted.resume.as_ref()), &fetched)?;
        }
        let refusal = fetched.error_for_status_ref().err().cloned();
        self.remark(wanted, &fetched);
        let delivered = self.deliver(&delivery, wanted, input, fetched, part, out);
        (seen.octets, seen.is_saved) = (delivery.octets.get(), delivery.is_saved.get());
        seen.note = delivery.note.take();
        delivered?;
        if wanted.is_ftp && self.http.range().is_some() && seen.octets == 0 {
            let why = "the file has no bytes in this range";
            return Err(Failure::other("wrong-part", why.into()).into());
        }
        if let Some(trouble) = delivery.lacks.take() {
            return Err(trouble);
        }
        refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    /// Writes the headers of the responses for a URL to the file of `-D`.
    pub(super) fn write_headers_of(
        &self,
        fetched: &Response,
        wanted: &Wanted<'_>,
        out: &mut Output,
    ) -> Result<(), TransferError> {
        if self.headers.is_none() {
            return Ok(());
        }
        let heads = response_heads::of(fetched.hops(), fetched.head());
        let heads = if heads.is_empty() && wanted.is_ftp {
            response_heads::of_ftp(fetched).unwrap_or_default()
        } else {
            heads
        };
        if heads.is_empty() && !wanted.is_silent {
            say("the response has no headers, so -D writes none");
        }
        self.write_headers(&heads, out)
    }

    pub(super) fn write_headers(&self, heads: &[u8], out: &mut Output) -> Result<(), TransferError> {
        match &self.headers {
            Some(headers) => headers.write(heads, out).map_err(|error| match headers {
                HeaderFile::Stdout => error.into(),
                HeaderFile::File(..) => file_error(error.to_string()).into(),
            }),
            None => Ok(()),
        }
    }

    /// Returns why a response is not wanted, by the condition of `-z`.
    fn unwanted(&self, fetched: &Response) -> Option<&'static str> {
        let is_object = fetched.error_for_status_ref().is_ok() && fetched.status() != Some(304);
        let is_asked = is_object && !self.http.is_head() && !self.inputs.json;
        self.condition.as_ref().filter(|_| is_asked).and_then(|condition| condition.refuses(fetched))
    }

    /// Creates the file of a response that is saved under the name that the server suggests.
    fn file_of(
        &self,
        wanted: &Wanted<'_>,
        fetched: &Response,
        seen: &mut TransferRecord,
    ) -> Result<Part, TransferError> {
        let name = self.to.suggested(fetched, wanted.name.as_deref())?;
        if !self.files.is_new_name(name.as_encoded_bytes()) {
            return Err(Failure::other("file", download::is_of_another_url(&name)).into());
        }
        let part = self.to.file(&name, self.condition.as_ref())?;
        seen.file = Some(name);
        Ok(part)
    }

    /// Gives a file the time of the one on the server, once it is complete.
    fn keep_time(&self, part: &mut Part, wanted: &Wanted<'_>, fetched: &Response) {
        match time::modified(fetched) {
            Some(time) => part.set_time(time),
            None if wanted.is_silent => {}
            None => say("the server does not state the time of the last change, so -R has no effect"),
        }
    }

    /// Returns why there is nothing to write, if that is a success. With `-I` headers are always written.
    fn fileable(
        &self,
        wanted: &Wanted<'_>,
        fetched: &Response,
        seen: &TransferRecord,
        has_file: bool,
    ) -> Result<Option<&'static str>, TransferError> {
        if let Some(failure) = self.too_large(fetched) {
            return Err(failure.into());
        }
        let is_conditional = self.http.is_conditional() || self.condition.is_some();
        let nothing = delivery::why_nothing_is_written(fetched.head(), is_conditional)?;
        if self.http.is_head() || nothing.is_some() {
            return Ok(nothing.filter(|_| !self.http.is_head()));
        }
        if has_file && let Some(trouble) = delivery::redirect(fetched, seen.redirect.as_deref()) {
            return Err(trouble);
        }
        // Headers that are printed contain the target.
        let target = seen.redirect.as_deref().filter(|_| !wanted.is_silent && !self.http.includes_head());
        if let Some(remark) = delivery::remark_on_redirect(fetched, target) {
            say(&remark);
        }
        let by_remote_name = self.to.is_remote_name();
        let is_list = is_list(fetched.kind()) && (by_remote_name || !wanted.names_list);
        if has_file && is_list {
            return Err(delivery::list_error(fetched.object(), wanted.given(), by_remote_name).into());
        }
        Ok(None)
    }

    /// Returns the error of a file that is too large, if the server states its length. Nothing is written.
    pub(super) fn too_large(&self, fetched: &Response) -> Option<Failure> {
        let (most, length) = (self.max_filesize?, fetched.content_length()?);
        let has_body = !self.http.is_head() && self.http.range().is_none();
        let why = || format!("the file has {}, more than --max-filesize {most}", plural(length, "byte"));
        (has_body && length > most).then(|| Failure::other("too-much", why()))
    }

    fn deliver(
        &self,
        delivery: &Delivery<'_>,
        wanted: &Wanted<'_>,
        input: Input<'_>,
        fetched: Response,
        part: Option<Part>,
        out: &mut Output,
    ) -> Result<(), TransferError> {
        if wanted.is_quiet {
            return delivery.drain(fetched);
        }
        if self.inputs.json {
            let object = delivery.object(input, self.edition.name, fetched, part)?;
            return Ok(objects::line(out, &object)?);
        }
        delivery.put(fetched, part, out)
    }

    pub(super) fn delivery<'d>(&'d self, wanted: &'d Wanted<'_>) -> Delivery<'d> {
        let go_on = self.http.range().is_none().then(|| GoOn {
            tries: self.tries(wanted),
            fetch: Box::new(|resume| self.ask(Some(resume), wanted)),
        });
        Delivery {
            to: self.to,
            edition: self.edition,
            rate: self.rate,
            news_server: self.news_server.as_ref(),
            max_hits: self.options.max_hits,
            is_silent: wanted.is_silent,
            has_no_remarks: self.inputs.no_messages,
            hides_progress: self.hides_progress,
            writes_heads: self.http.includes_head(),
            writes_only_heads: self.http.is_head(),
            progress: self.progress.as_ref(),
            go_on: RefCell::new(go_on),
            describe: self.describes_entries().then(|| {
                let long = |directory: UriRef<'_>| self.long_listing(directory, wanted);
                Box::new(long) as Box<dyn Fn(UriRef<'_>) -> Option<Vec<u8>>>
            }),
            octets: Cell::default(),
            is_saved: Cell::default(),
            note: Cell::default(),
            lacks: Cell::default(),
            label: wanted.label(),
            shows_length: self.http.has_whole_body(),
        }
    }

    /// Notes that the server ignores the range of the request.
    fn remark(&self, wanted: &Wanted<'_>, fetched: &Response) {
        if !wanted.is_silent && self.http.range().is_some() && fetched.status() == Some(200) {
            say("the server ignores the range and sends the whole file");
        }
    }
}

impl Wanted<'_> {
    /// Returns the URL as it was given.
    pub(super) fn given(&self) -> UriRef<'_> {
        self.given.as_uri_ref()
    }

    /// Returns the URL with the login of `-u` or `-n`.
    pub(super) fn url(&self) -> UriRef<'_> {
        self.with_login.as_ref().unwrap_or(&self.given).as_uri_ref()
    }

    /// Returns the name of the file, unless the server names it.
    fn own_name(&self) -> Option<&OsString> {
        self.name.as_ref().filter(|_| !self.is_named_by_server)
    }

    /// Forgets the plan, because the options have changed.
    pub(super) fn replan(&self) {
        self.plan.take();
    }

    /// Returns what the progress calls it: its file, else the last segment of its path, else its host.
    fn label(&self) -> String {
        if let Some(name) = &self.name {
            let name = Path::new(name).file_name().unwrap_or(name);
            return name.to_string_lossy().into_owned();
        }
        let segment = self.given.path().as_str().rsplit('/').next().unwrap_or_default();
        match self.given.authority() {
            Some(authority) if segment.is_empty() => authority.host().as_str().to_owned(),
            _ => segment.to_owned(),
        }
    }
}

/// Notes which headers are left out of a draft because they could do harm.
fn remark_on_draft(plan: &Plan) {
    for step in plan.steps() {
        let Step::Local(Local::Draft(draft)) = step else { continue };
        for name in &draft.dropped {
            say(&format!(
                "the header {} is left out of the draft, because it could do harm",
                legible(&String::from_utf8_lossy(name))
            ));
        }
    }
}

/// Returns whether a plan may start a program: one for an interactive session, or that for mail.
fn starts_program(plan: &Plan) -> bool {
    plan.steps().any(|step| matches!(step, Step::Local(Local::Start(_) | Local::Draft(_))))
}
