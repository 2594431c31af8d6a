//! The fetcher: plans a URL, carries the plan out, and goes on where it leads.

use locator::plan::{Local, Next, Object, Options, Plan, ReplyFraming, Step};
use locator::scheme::Registry;
use locator::{UriRef, UriRefBuf};

use crate::body::{Body, Octets};
use crate::driver::{Driver, Progress};
use crate::error::{FetchError, Hop};
use crate::local;
use crate::resume::Proof;
use crate::run::{Failure, FailureKind, Outcome};
use crate::settings::{Settings, setters};

/// Fetches what URLs identify, in a runtime of tokio with I/O and time.
///
/// ```
/// use locator_fetch::Fetcher;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let mut fetched = Fetcher::new().fetch(locator::uri_ref!("data:,hello")).await?;
/// assert_eq!(fetched.body.chunk().await?.unwrap(), "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Fetcher<'o> {
    pub(crate) settings: Settings,
    pub(crate) registry: &'o Registry<'o>,
    pub(crate) options: Options<'o>,
}

/// What a URL identifies.
#[derive(Debug)]
pub struct Fetched {
    /// The URL of the object: the given one, or one that it led to.
    pub url: String,
    /// The URLs that led to it, in order.
    pub hops: Vec<Hop>,
    /// The object: its kind, and its media type if that is known.
    pub object: Object,
    /// The character encoding, if the media type names one.
    pub charset: Option<String>,
    /// The number of octets of the object before those of the body; not 0 only if the fetch was to
    /// [go on](Fetcher::resume) there.
    pub from: u64,
    /// What proves, in a later fetch, that the object is still this one.
    pub proof: Proof,
    /// The octets of the object.
    pub body: Body,
}

impl Default for Fetcher<'_> {
    fn default() -> Self {
        Self { settings: Settings::default(), registry: Registry::BUILT_IN, options: Options::new() }
    }
}

impl<'o> Fetcher<'o> {
    /// Creates a fetcher for URLs that a person has typed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    setters!('o);

    /// Fetches what a URL identifies. Returns when its first octets, or its end, are there; the body is
    /// read afterwards.
    ///
    /// # Errors
    ///
    /// The URL has no plan, the policy forbids it, or the server does not have the object.
    pub async fn fetch(&self, url: UriRef<'_>) -> Result<Fetched, FetchError> {
        let mut trip = Trip::new(self, url);
        let mut stage = trip.begin(url);
        loop {
            stage = match stage? {
                Stage::Arrived(fetched) => return Ok(*fetched),
                Stage::Driver(driver) => trip.drove(start(driver).await),
                Stage::Next(url) => trip.begin(url.as_uri_ref()),
            };
        }
    }
}

/// How far a fetch is.
pub(crate) enum Stage {
    /// The object is there.
    Arrived(Box<Fetched>),
    /// A driver is to be started.
    Driver(Box<Driver>),
    /// Another URL is to be planned.
    Next(UriRefBuf),
}

/// Starts a driver: goes on to the first octets or to the end.
pub(crate) async fn start(mut driver: Box<Driver>) -> (Box<Driver>, Progress) {
    let progress = driver.next().await;
    (driver, progress)
}

/// The way from a URL to an object, without waiting.
pub(crate) struct Trip<'f> {
    fetcher: &'f Fetcher<'f>,
    url: String,
    hops: Vec<Hop>,
}

impl<'f> Trip<'f> {
    pub(crate) fn new(fetcher: &'f Fetcher<'_>, url: UriRef<'_>) -> Self {
        Self { fetcher, url: url.as_str().to_owned(), hops: Vec::new() }
    }

    /// Plans a URL, and begins with what needs no network.
    pub(crate) fn begin(&mut self, url: UriRef<'_>) -> Result<Stage, FetchError> {
        self.url = url.as_str().to_owned();
        let stage = self.plan(url).and_then(|plan| self.stage(url, plan));
        stage.map_err(|failure| self.error(failure))
    }

    fn plan(&self, url: UriRef<'_>) -> Result<Plan, Failure> {
        let Fetcher { registry, options, .. } = self.fetcher;
        registry
            .plan(url, options)
            .map_err(|error| Failure::new(FailureKind::NoPlan(error.to_string()), "planning"))
    }

    fn stage(&mut self, url: UriRef<'_>, plan: Plan) -> Result<Stage, Failure> {
        let settings = &self.fetcher.settings;
        let scheme = url.scheme().map(|scheme| scheme.as_str()).unwrap_or_default();
        let forbidden = |why: String| Failure::new(FailureKind::Forbidden(why), "planning");
        if !settings.policy.allows_scheme(scheme) {
            return Err(forbidden(format!("the scheme \"{scheme}\" is not allowed")));
        }
        // A typed URL is trusted; where it leads to is judged when it is dialled.
        if !settings.policy.is_typed() && url.authority().is_some() {
            settings.policy.check(url.as_str()).map_err(|refusal| forbidden(refusal.to_string()))?;
        }
        if let Some(what) = unsupported(&plan) {
            return Err(Failure::new(FailureKind::NotSupported(what), "planning"));
        }
        let first = plan.steps().next().cloned();
        match first {
            Some(Step::Local(local)) => self.open(local),
            Some(Step::GoOn(next)) => self.follow(&next, None),
            _ => Ok(Stage::Driver(Driver::new(plan, scheme, settings.clone()).into())),
        }
    }

    fn open(&mut self, local: Local) -> Result<Stage, Failure> {
        let settings = &self.fetcher.settings;
        let (object, source) = local::open(local, &*settings.handler)?;
        let body = self.body(Octets::Local(source)).limit(settings.limits.body);
        Ok(self.arrive(object, body))
    }

    /// Takes what a driver came to.
    pub(crate) fn drove(&mut self, (driver, progress): (Box<Driver>, Progress)) -> Result<Stage, FetchError> {
        let object = driver.object().cloned();
        let stage = match (progress, object) {
            (Progress::Given(octets), Some(object)) => {
                let body = self.body(Octets::Driver(driver)).first(octets);
                Ok(self.arrive(object, body))
            }
            (Progress::Done(Outcome::Got { whole, .. }), Some(object)) => {
                let body = self.body(Octets::None).end(whole);
                Ok(self.arrive(object, body))
            }
            (Progress::Done(Outcome::GoOn(next)), _) => self.follow(&next, Some(&driver)),
            (Progress::Done(Outcome::Failed(failure)), _) => Err(failure),
            _ => Err(Failure::new(FailureKind::NotSupported("a plan without an object"), "")),
        };
        stage.map_err(|failure| self.error(failure))
    }

    /// Goes on with another URL: one that the given URL contains, or one that a server named.
    fn follow(&mut self, next: &Next, driver: Option<&Driver>) -> Result<Stage, Failure> {
        let Next::Url(url) = next else {
            return Err(Failure::new(FailureKind::NotSupported("this way to another URL"), ""));
        };
        let Settings { policy, hops, .. } = &self.fetcher.settings;
        let peer = driver.and_then(Driver::peer);
        let checked = match peer {
            Some((target, address)) => target.peer(address.ip()).and_then(|peer| policy.follow(&peer, url)),
            None => policy.check(url),
        };
        let during = || format!("going on with {url}");
        let checked =
            checked.map_err(|refusal| Failure::new(FailureKind::Forbidden(refusal.to_string()), during()))?;
        self.hops.push(Hop { url: self.url.clone(), address: peer.map(|(_, address)| *address) });
        if self.hops.len() > *hops {
            let kind = FailureKind::TooMuch { what: "URLs that lead to others", limit: *hops as u64 };
            return Err(Failure::new(kind, during()));
        }
        let url = if peer.is_some() { checked.as_str() } else { url };
        match UriRef::parse(url) {
            Ok(url) => Ok(Stage::Next(url.to_owned())),
            Err(error) => Err(Failure::new(FailureKind::NoPlan(error.to_string()), during())),
        }
    }

    fn body(&self, octets: Octets) -> Body {
        Body::new(octets, self.url.clone(), self.hops.clone())
    }

    fn arrive(&self, object: Object, body: Body) -> Stage {
        let charset = object.media_type.as_deref().and_then(charset);
        let (url, hops) = (self.url.clone(), self.hops.clone());
        let (from, proof) = (0, Proof::default());
        Stage::Arrived(Fetched { url, hops, object, charset, from, proof, body }.into())
    }

    pub(crate) fn error(&self, failure: Failure) -> FetchError {
        FetchError { url: self.url.clone(), failure: failure.into(), hops: self.hops.clone() }
    }
}

/// Returns what a plan needs that this crate does not do yet.
fn unsupported(plan: &Plan) -> Option<&'static str> {
    plan.all_steps().find_map(|step| match step {
        Step::Request(_) => Some("fetching by HTTP"),
        Step::Connect(to) => match to.protocol.replies {
            ReplyFraming::Datagrams => Some("fetching by Prospero"),
            _ => None,
        },
        _ => None,
    })
}

/// Returns the parameter "charset" of a media type.
fn charset(media_type: &str) -> Option<String> {
    media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::charset;

    #[test]
    fn charsets() {
        assert_eq!(charset("text/plain;charset=US-ASCII").as_deref(), Some("US-ASCII"));
        assert_eq!(charset("text/plain; a=b; CharSet=\"utf-8\"").as_deref(), Some("utf-8"));
        assert_eq!(charset("text/plain"), None);
        assert_eq!(charset("text/plain;charset="), None);
    }
}
