//! Fetches one input: plans it, has it fetched, and delivers it.

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use locator::plan::{Local, Options, Plan, Step};
use locator::scheme::Registry;
use locator::{Edition, UriBuf, UriRef, UriRefBuf};
use locator_fetch::Resume;
use locator_fetch::blocking::{Fetcher, Response};
use locator_fetch::entries::is_list;

use super::data::Data;
use super::deliver::Delivery;
use super::destination::Destination;
use super::dialogue::Dialogue;
use super::fileable;
use super::http::HttpArgs;
use super::login::Logins;
use super::part::{self, Part};
use super::person::Person;
use super::retry::{GoOn, RetryArgs};
use super::trouble::Trouble;
use super::written::Seen;
use crate::arguments::Inputs;
use crate::config::ServerWord;
use crate::exit::say;
use crate::failure::Failure;
use crate::given;
use crate::input::{Input, Origin};
use crate::output::Output;
use crate::progress::Progress;
use crate::reading;
use crate::seen::Seen as NamesSeen;
use crate::show::json as objects;
use crate::terminal::visible;
use crate::terminal::visible::legible;
use crate::verbs::plan::print;

/// What fetches inputs; several threads may use it at the same time.
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
    /// Whether there is a proxy that can only be asked for HTTP.
    pub(super) has_proxy_of_http: bool,
    pub(super) to: &'a Destination,
    pub(super) http: &'a HttpArgs,
    pub(super) data: Data,
    pub(super) retry: &'a RetryArgs,
    pub(super) rate: Option<usize>,
    /// How many octets an object may have.
    pub(super) max_filesize: Option<u64>,
    pub(super) login: Logins,
    pub(super) person: Arc<Person>,
    pub(super) dialogue: Option<&'a Dialogue>,
    pub(super) news_server: Option<ServerWord>,
    /// Whether plans are printed, and nothing is fetched.
    pub(super) only_plans: bool,
    /// Whether a plan was printed.
    pub(super) has_plan: AtomicBool,
    /// The files that this run writes: none of them replaces another one.
    pub(super) files: NamesSeen,
    /// The progress of all inputs, if they are fetched at the same time.
    pub(super) progress: Option<Progress>,
}

/// A URL that is fetched.
pub(super) struct Wanted<'u> {
    /// The URL as it was given, and the same with a login that may have been added.
    pub(super) given: UriRef<'u>,
    pub(super) url: UriRef<'u>,
    /// The plan, until it is carried out, if the fetcher would make the same.
    pub(super) plan: Cell<Option<Plan>>,
    pub(super) starts_program: bool,
    /// Whether the URL itself says that it identifies a list.
    names_list: bool,
    pub(super) fetcher: Fetcher,
    /// The options of its plan, and where an earlier run was cut off.
    pub(super) options: Options<'u>,
    pub(super) resume: Option<Resume>,
    /// The name of the file that it is written to.
    name: Option<OsString>,
    pub(super) is_silent: bool,
    is_quiet: bool,
}

impl Getter<'_> {
    /// Fetches an input by this fetcher, or prints its plan.
    pub(super) fn get(
        &self,
        fetcher: &Fetcher,
        input: Input<'_>,
        out: &mut Output,
        is_quiet: bool,
        seen: &mut Seen,
    ) -> Result<(), Trouble> {
        let start = Instant::now();
        let read = reading::read(input.octets, self.edition);
        let given = read.map_err(|error| Failure::not_read(error, input.octets))?.reference;
        let resolved = self.resolved(given)?;
        let given = resolved.as_ref().map_or(given, |resolved| resolved.as_uri().into());
        let with_data = self.data.add(given)?;
        let given = with_data.as_ref().map_or(given, UriRefBuf::as_uri_ref);
        let with_login = self.login.add(given)?;
        let url = with_login.as_ref().map_or(given, UriRefBuf::as_uri_ref);
        let name = if is_quiet { None } else { self.to.name(given)? };
        let resume = self.to.resume(name.as_deref(), given);
        let options = self.options.resumption(self.resumption(name.is_some(), resume.as_ref()));
        let plan =
            self.registry.plan(url, &options).map_err(|error| Failure::no_plan(error, input.octets))?;
        if self.only_plans {
            // Between plans.
            if self.has_plan.swap(true, Ordering::Relaxed) {
                writeln!(out)?;
            }
            return Ok(print::write(out, &plan)?);
        }
        let is_silent = is_quiet || self.inputs.no_messages || self.dialogue.is_some();
        let options = self.options_for(&plan, url, name.is_some())?;
        if !is_quiet {
            remark_on_draft(&plan);
        }
        let (starts_program, names_list) = (starts_program(&plan), fileable::names_list(given, &plan));
        let plan = Cell::new(Some(plan).filter(|_| self.options.proxy.is_none()));
        let wanted = Wanted {
            given,
            url,
            plan,
            starts_program,
            names_list,
            fetcher: fetcher.clone(),
            options,
            resume,
            name,
            is_silent,
            is_quiet,
        };
        let result = self.put(&wanted, input, out, seen);
        seen.time = start.elapsed();
        result
    }

    /// Resolves a reference without a scheme against the base of the policy, if there is one.
    fn resolved(&self, given: UriRef<'_>) -> Result<Option<UriBuf>, Failure> {
        let Some(base) = self.base.as_ref().filter(|_| !given.has_scheme()) else { return Ok(None) };
        base.as_uri().join(given.as_str()).map(Some).map_err(Failure::from)
    }

    /// Returns the URL of an argument without the delimiters that it was copied with, and prints a
    /// note.
    pub(super) fn unwrapped(&self, input: Input<'_>, is_quiet: bool) -> Option<String> {
        let is_argument = input.origin == Origin::Argument;
        let url = is_argument.then(|| given::unwrapped(input.octets, self.edition)).flatten()?;
        if !is_quiet && !self.inputs.no_messages {
            say(&format!(
                "read as {}: what is around a URL and line breaks are not part of it",
                visible(&url)
            ));
        }
        Some(url)
    }

    /// Fetches an object and delivers it. A file of this run is not replaced by another one.
    fn put(
        &self,
        wanted: &Wanted<'_>,
        input: Input<'_>,
        out: &mut Output,
        seen: &mut Seen,
    ) -> Result<(), Trouble> {
        let Some(name) = &wanted.name else { return self.put_to(None, wanted, input, out, seen) };
        let is_file = !part::is_device(name);
        if is_file && !self.files.is_new_name(name.as_encoded_bytes()) {
            return Err(Failure::other("file", part::is_of_another_url(name)).into());
        }
        // Nobody is asked for what could not be written.
        let part = self.to.file(name).map_err(Trouble::from);
        let result = part.and_then(|part| self.put_to(Some(part), wanted, input, out, seen));
        if is_file && result.is_err() {
            self.files.forget(name.as_encoded_bytes());
        }
        result
    }

    /// Fetches an object and delivers it to a file or to standard output.
    fn put_to(
        &self,
        mut part: Option<Part>,
        wanted: &Wanted<'_>,
        input: Input<'_>,
        out: &mut Output,
        seen: &mut Seen,
    ) -> Result<(), Trouble> {
        let delivery = self.delivery(wanted);
        let fetched = match self.fetch(wanted) {
            Ok(fetched) => fetched,
            Err(error) => {
                seen.failed(&error);
                let prints_heads = part.is_none() && !wanted.is_quiet && !self.inputs.json;
                part.into_iter().for_each(Part::discard);
                if prints_heads {
                    delivery.put_heads_before(&error, out)?;
                }
                return Err(error.into());
            }
        };
        seen.fetched(&fetched);
        match self.fileable(wanted, &fetched, seen, part.is_some()) {
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
            delivery.begin(part, wanted.given, &fetched)?;
        }
        let refusal = fetched.error_for_status_ref().err().cloned();
        self.remark(wanted, &fetched);
        let delivered = self.deliver(&delivery, wanted, input, fetched, part, out);
        seen.octets = delivery.octets.get();
        if let Some(progress) = &self.progress {
            Progress::add(&progress.counts().files, 1);
        }
        delivered?;
        if let Some(trouble) = delivery.lacks.take() {
            return Err(trouble);
        }
        refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    /// Returns why there is nothing to write, if that is a success. The head is written whatever it
    /// says, if it alone is wanted.
    fn fileable(
        &self,
        wanted: &Wanted<'_>,
        fetched: &Response,
        seen: &Seen,
        has_file: bool,
    ) -> Result<Option<&'static str>, Trouble> {
        if let Some(failure) = self.too_large(fetched) {
            return Err(failure.into());
        }
        let nothing = fileable::nothing(fetched.head(), self.http.is_conditional())?;
        if self.http.is_head() || nothing.is_some() {
            return Ok(nothing.filter(|_| !self.http.is_head()));
        }
        if has_file && let Some(trouble) = fileable::redirect(fetched, seen.redirect.as_deref()) {
            return Err(trouble);
        }
        // A head that is shown names the target.
        let target = seen.redirect.as_deref().filter(|_| !wanted.is_silent && !self.http.includes_head());
        if let Some(remark) = fileable::remark_on_redirect(fetched, target) {
            say(&remark);
        }
        let by_remote_name = self.to.is_remote_name();
        let is_list = is_list(fetched.kind()) && (by_remote_name || !wanted.names_list);
        if has_file && is_list {
            return Err(fileable::list(fetched.object(), wanted.given, by_remote_name).into());
        }
        Ok(None)
    }

    /// Returns the failure of an object that is larger than is allowed, if its server says so: nothing
    /// of it is written then.
    fn too_large(&self, fetched: &Response) -> Option<Failure> {
        let (most, length) = (self.max_filesize?, fetched.content_length()?);
        let has_body = !self.http.is_head() && self.http.range().is_none();
        let why = || format!("the object has {length} bytes, and --max-filesize allows {most}");
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
    ) -> Result<(), Trouble> {
        if wanted.is_quiet {
            return delivery.drain(fetched);
        }
        if self.inputs.json {
            let object = delivery.object(input, self.edition.name, fetched, part)?;
            return Ok(objects::line(out, &object)?);
        }
        delivery.put(fetched, part, out)
    }

    fn delivery<'d>(&'d self, wanted: &'d Wanted<'_>) -> Delivery<'d> {
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
            head: (self.http.includes_head(), self.http.is_head()),
            progress: self.progress.as_ref(),
            go_on: RefCell::new(go_on),
            octets: Cell::default(),
            lacks: Cell::default(),
        }
    }

    /// Says if the whole object comes where a part was asked for.
    fn remark(&self, wanted: &Wanted<'_>, fetched: &Response) {
        if !wanted.is_silent && self.http.range().is_some() && fetched.status() == Some(200) {
            say("the server sends the whole object, and not the range");
        }
    }
}

/// Says which fields of a draft could do harm, and are left out.
fn remark_on_draft(plan: &Plan) {
    for step in plan.steps() {
        let Step::Local(Local::Draft(draft)) = step else { continue };
        for name in &draft.dropped {
            say(&format!(
                "{} is left out of the draft: it could do harm",
                legible(&String::from_utf8_lossy(name))
            ));
        }
    }
}

/// Returns whether a plan may start a program: one for an interactive session, or that for mail.
fn starts_program(plan: &Plan) -> bool {
    plan.steps().any(|step| matches!(step, Step::Local(Local::Start(_) | Local::Draft(_))))
}
