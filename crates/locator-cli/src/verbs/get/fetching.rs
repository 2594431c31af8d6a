//! Sends the request for a URL: with its proxy, its login and its retries.

use std::borrow::Cow;
use std::sync::Arc;

use locator::UriRef;
use locator::plan::{Options, Plan, Resumption, Step};
use locator_fetch::blocking::{RequestBuilder, Response};
use locator_fetch::{FetchError, Resume};

use super::getter::{Getter, Wanted};
use super::person::WithLogin;
use super::received::is_look_up;
use super::retry::Tries;
use crate::failure::Failure;

impl Getter<'_> {
    /// Returns what a plan prepares so that a retry or a later run can resume.
    pub(super) fn resumption<'r>(&self, has_file: bool, resume: Option<&'r Resume>) -> Resumption<'r> {
        match resume {
            Some(resume) => resume.resumption(),
            None if has_file || self.retry.are_wanted() => Resumption::Prepared,
            None => Resumption::Off,
        }
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
        has_file: bool,
    ) -> Result<Options<'_>, Failure> {
        let resumption = self.resumption(has_file, None);
        let direct = without_proxy(self.options).resumption(resumption);
        let direct_plan = match self.options.proxy {
            Some(_) if is_look_up(plan) => Cow::Borrowed(plan),
            None => Cow::Borrowed(plan),
            Some(_) => Cow::Owned(self.registry.plan(url, &direct).map_err(Failure::from)?),
        };
        let is_http = |plan: &Plan| plan.steps().any(|step| matches!(step, Step::Request(_)));
        if is_http(&direct_plan) {
            return Ok(direct);
        }
        let not_supported = |why: String| Err(Failure::other("not-supported-here", why));
        if let Some(option) = self.http.only_http() {
            return not_supported(format!("--{option} is for http and https only"));
        }
        let contacts = direct_plan.steps().any(|step| matches!(step, Step::Connect(_)));
        if contacts && self.has_proxy_of_http {
            let why =
                "a SOCKS or https proxy fetches only http and https URLs; use --noproxy '*' to use no proxy";
            return not_supported(why.into());
        }
        Ok(if is_http(plan) { self.options.resumption(resumption) } else { direct })
    }

    /// Fetches a URL, with retries.
    pub(super) fn fetch(&self, wanted: &Wanted<'_>) -> Result<Response, FetchError> {
        self.retrying(wanted, || self.ask(wanted.resume.clone(), wanted))
    }

    /// Sends a request, with retries.
    pub(super) fn retrying(
        &self,
        wanted: &Wanted<'_>,
        send: impl Fn() -> Result<Response, FetchError>,
    ) -> Result<Response, FetchError> {
        let mut tries = self.tries(wanted);
        loop {
            match send() {
                Err(error) if tries.again(&error) => {}
                Ok(fetched) if fetched.error_for_status_ref().is_err_and(|refusal| tries.again(refusal)) => {}
                result => return result,
            }
        }
    }

    /// Fetches a URL once.
    pub(super) fn ask(&self, resume: Option<Resume>, wanted: &Wanted<'_>) -> Result<Response, FetchError> {
        self.person.allow_programs(self.progress.is_none() && wanted.starts_program);
        self.request(resume, wanted).send()
    }

    /// Returns the request for a URL.
    pub(super) fn request<'r>(&'r self, resume: Option<Resume>, wanted: &Wanted<'r>) -> RequestBuilder<'r> {
        let mut request = wanted.fetcher.request(wanted.url).registry(self.registry).options(wanted.options);
        // The login of `-u` or `-n` is not shown in messages and in the URLs of entries.
        request = request.shown_as(wanted.given.to_owned());
        // The server of a news: URL is that of the options.
        let server = self.news_server.as_ref().filter(|_| wanted.given.authority().is_none());
        let login = server.and_then(|server| self.login.of_host(server.as_server().host));
        if let Some(login) = login.cloned() {
            request = request.prompter(Arc::new(WithLogin { person: self.person.clone(), login }));
        }
        request = self.http.add_to(request, &self.data);
        request = resume.into_iter().fold(request, RequestBuilder::resume);
        wanted.plan.take().into_iter().fold(request, RequestBuilder::plan)
    }
}

/// Returns options of plans without the proxy.
fn without_proxy<'o>(options: &Options<'o>) -> Options<'o> {
    let mut options = *options;
    options.proxy = None;
    options
}
