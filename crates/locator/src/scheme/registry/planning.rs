//! The plans of a registry: by the planners of the built-in schemes, by the caller's planners, and
//! by gateways.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use super::super::planned::plan_by;
use super::super::{Field, HttpUrl, PLANNERS, Planner};
use super::{DuplicateSchemeError, Registry};
use crate::component::SpannedStr;
use crate::error::Redacted;
use crate::form::SyntaxError;
use crate::plan::{Gateway, GatewayUrl, MappedUrl, Note, Options, Plan, PlanError, Step, Transport};
use crate::reference::UriRef;
use crate::span::Component;

/// ```
/// use locator::plan::{Gateway, Options};
/// use locator::{scheme::Registry, uri_ref};
///
/// let mut registry = Registry::new();
/// registry.map(Gateway::new("x-mine", "http://gw.example/{rest}")?);
/// let plan = registry.plan(uri_ref!("x-mine:a"), &Options::default()).unwrap();
/// assert!(plan.to_string().starts_with(
///     "(by a gateway: http://gw.example/a)\nconnect to gw.example, port 80"
/// ));
/// # Ok::<_, locator::plan::TemplateError>(())
/// ```
impl<'r> Registry<'r> {
    /// Adds a scheme of the caller and its planner.
    ///
    /// # Errors
    ///
    /// One of its names is already registered.
    pub fn register_planner(&mut self, planner: &'r dyn Planner) -> Result<(), DuplicateSchemeError> {
        self.register(planner)?;
        self.planners.push(planner);
        Ok(())
    }

    /// Returns the planner of the scheme of this name, ignoring case.
    #[must_use]
    pub fn planner_named(&self, name: &str) -> Option<&'r dyn Planner> {
        let known = PLANNERS.iter().map(|planner| *planner as &'r dyn Planner);
        self.planners.iter().copied().chain(known).find(|planner| planner.is_named(name))
    }

    /// Maps a scheme, known or not, to a gateway; it replaces an earlier gateway.
    pub fn map(&mut self, gateway: Gateway) {
        self.gateways.retain(|other| other.scheme() != gateway.scheme());
        self.gateways.push(gateway);
    }

    /// Returns the gateways of this registry.
    #[must_use]
    pub fn gateways(&self) -> &[Gateway] {
        &self.gateways
    }

    /// Returns the fields of a URL by its scheme, like [`fields`](crate::scheme::fields).
    #[must_use]
    pub fn fields<'a>(
        &self,
        reference: impl Into<UriRef<'a>>,
    ) -> Option<Result<Vec<Field<'a>>, SyntaxError>> {
        let reference = reference.into();
        Some(self.planner_named(reference.scheme()?.as_str())?.fields(reference))
    }

    /// Returns the plan that fetches what a URL identifies, like [`plan`](crate::scheme::plan). For
    /// a scheme that is mapped to a gateway, the plan contains both steps.
    ///
    /// # Errors
    ///
    /// The URL cannot be fetched, or its plan is not allowed, or gateways form a loop.
    pub fn plan<'a>(
        &self,
        reference: impl Into<UriRef<'a>>,
        options: &Options<'_>,
    ) -> Result<Plan, GatewayPlanError> {
        self.plan_of(reference.into(), options)
    }

    fn plan_of(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, GatewayPlanError> {
        let (mut to, mut note) = match self.step(reference, options)? {
            PlannedOrMapped::Planned(plan) => return Ok(plan),
            PlannedOrMapped::Mapped(to, note) => (to, note),
        };
        let mut notes = Vec::new();
        // Each gateway can be used once; a second use is a loop.
        for _ in 0..self.gateways.len() {
            let mapped = UriRef::parse_with(&to.url, reference.edition()).or_else(|_| UriRef::parse(&to.url));
            let shown = shown(&to);
            let text = format!("by a gateway: {shown}");
            notes.push(Note::new("gateway", text).secret_field("url", &shown));
            notes.extend(note);
            let next = match mapped {
                Ok(mapped) => self.step(mapped, &Options { secrets: &to.secrets, ..*options }),
                Err(error) => Err(PlanError::Malformed(SyntaxError::Rule(error))),
            };
            (to, note) = match next {
                Ok(PlannedOrMapped::Planned(mut plan)) => {
                    notes.extend((!to.secrets.is_empty()).then(|| sent_to_gateway(&plan)));
                    plan.notes.splice(0..0, notes);
                    plan.gateway = mapped.ok().map(|url| gateway_url(url, to.secrets.clone()));
                    return Ok(plan);
                }
                Ok(PlannedOrMapped::Mapped(next, note)) => (next, note),
                Err(error) => {
                    let MappedUrl { url, secrets } = to;
                    return Err(GatewayPlanError { error, gateway_url: Some(url), secrets });
                }
            };
        }
        let span = reference.spanned(Component::Scheme).map(SpannedStr::place).unwrap_or_default();
        Err(PlanError::GatewayLoop { span }.into())
    }

    /// Returns the URL of a gateway, or the plan if there is no gateway.
    fn step(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<PlannedOrMapped, PlanError> {
        let name = reference.scheme().ok_or(PlanError::Relative)?.as_str();
        if let Some(gateway) = self.gateways.iter().find(|one| one.scheme().eq_ignore_ascii_case(name)) {
            let mapped = gateway.map_with_secrets(reference, options.secrets);
            return mapped.map(|to| PlannedOrMapped::Mapped(to, unsaid(gateway, reference)));
        }
        let span = reference.spanned(Component::Scheme).map(SpannedStr::place).unwrap_or_default();
        let scheme = self.planner_named(name).ok_or(PlanError::UnknownScheme { span })?;
        plan_by(scheme, reference, options).map(PlannedOrMapped::Planned)
    }
}

fn gateway_url(url: UriRef<'_>, secrets: Vec<Range<usize>>) -> GatewayUrl {
    let origin = HttpUrl::of(url).ok().and_then(|url| url.origin().ok());
    GatewayUrl::new(url.to_owned(), origin, secrets)
}

/// Returns the URL of a gateway as it may be shown.
fn shown(to: &MappedUrl) -> Redacted<'_> {
    let redacted = UriRef::parse(&to.url).map_or_else(|_| Redacted::new(&to.url), UriRef::redacted);
    redacted.hide(to.secrets.iter().cloned())
}

/// Returns a note on the password that the gateway receives.
fn sent_to_gateway(plan: &Plan) -> Note {
    let is_secured = |step: &Step| match step {
        Step::Connect(to) => to.transport == Transport::Tls,
        step => matches!(step, Step::Secure { .. }),
    };
    match plan.steps().any(is_secured) {
        true => Note::new("password-to-gateway", "the password of the URL is sent to the gateway"),
        false => {
            Note::new("password-in-the-clear", "the password of the URL is sent to the gateway in the clear")
        }
    }
}

/// Returns a note on the components that the gateway does not receive.
fn unsaid(gateway: &Gateway, reference: UriRef<'_>) -> Option<Note> {
    let parts: Vec<_> = gateway.left_out(reference).into_iter().map(Component::name).collect();
    let fields = "{port}, {path}, {query}, {rest} and {url}";
    (!parts.is_empty()).then(|| {
        let left_out = parts.join(" and the ");
        let text =
            format!("the template leaves out the {left_out} of the URL: the fields are {{host}}, {fields}");
        Note::new("left-out-by-gateway", text).field("components", parts.join(" "))
    })
}

/// The result of one step of planning.
enum PlannedOrMapped {
    /// The URL of a gateway, and a note on it.
    Mapped(MappedUrl, Option<Note>),
    Planned(Plan),
}

/// The error of planning by a registry, which may use gateways.
///
/// ```
/// use locator::plan::{Gateway, Options};
/// use locator::{scheme::Registry, uri_ref};
///
/// let mut registry = Registry::new();
/// registry.map(Gateway::new("x-a", "x-b://h/{rest}")?);
/// let error = registry.plan(uri_ref!("x-a:1"), &Options::new()).unwrap_err();
/// assert_eq!(error.gateway_url.as_deref(), Some("x-b://h/1"));
/// # Ok::<_, locator::plan::TemplateError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct GatewayPlanError {
    /// The error; its positions are in the URL that it is about.
    pub error: PlanError,
    /// The URL that the error is about, if a gateway made it; `None` for the given URL.
    pub gateway_url: Option<String>,
    /// The ranges of that URL that are secrets of the given URL.
    pub secrets: Vec<Range<usize>>,
}

impl fmt::Debug for GatewayPlanError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return Display::fmt(self, f);
        }
        let url = self.shown_url();
        f.debug_struct("GatewayPlanError").field("error", &self.error).field("gateway_url", &url).finish()
    }
}

impl GatewayPlanError {
    /// Returns the URL of the gateway with its secrets hidden.
    fn shown_url(&self) -> Option<Redacted<'_>> {
        Some(Redacted::new(self.gateway_url.as_deref()?).hide(self.secrets.iter().cloned()))
    }

    /// Returns the bytes that the error is about: of the given URL, or of
    /// [`gateway_url`](Self::gateway_url).
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        self.error.span()
    }

    /// Returns the document and section of the rule, where there is one: `RFC 1738, 3.2`.
    #[must_use]
    pub const fn citation(&self) -> Option<impl Display> {
        self.error.citation()
    }
}

impl From<PlanError> for GatewayPlanError {
    fn from(error: PlanError) -> Self {
        Self { error, gateway_url: None, secrets: Vec::new() }
    }
}

impl Display for GatewayPlanError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.shown_url() {
            None => self.error.fmt(f),
            Some(url) => write!(f, "in the URL of the gateway, {url}: {}", self.error),
        }
    }
}

impl core::error::Error for GatewayPlanError {}
