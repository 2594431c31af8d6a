//! What a registry plans: by the planners of the known schemes, by a caller's own, and by gateways.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use super::super::{Field, PLANNERS, Planner};
use super::{DuplicateScheme, Registry};
use crate::component::SpannedStr;
use crate::form::SyntaxError;
use crate::plan::{Action, Gateway, Options, Plan, PlanError, Step};
use crate::reference::UriRef;
use crate::span::Component;

/// What a registry knows beside its schemes.
#[derive(Clone, Debug, Default)]
pub(super) struct Planning<'r> {
    planners: Vec<&'r dyn Planner>,
    gateways: Vec<Gateway>,
}

impl Planning<'_> {
    pub(super) const fn new() -> Self {
        Self { planners: Vec::new(), gateways: Vec::new() }
    }
}

/// ```
/// use locator::plan::{Gateway, Options};
/// use locator::{scheme::Registry, uri_ref};
///
/// let mut registry = Registry::new();
/// registry.map(Gateway::new("x-mine", "http://gw.example/{rest}")?);
/// let plan = registry.plan(uri_ref!("x-mine:a"), &Options::default()).unwrap();
/// assert!(plan.to_string().starts_with("go on with http://gw.example/a\nconnect to gw.example, port 80"));
/// # Ok::<_, locator::plan::TemplateError>(())
/// ```
impl<'r> Registry<'r> {
    /// Adds a scheme of the caller's own and what fetches its URLs.
    ///
    /// # Errors
    ///
    /// One of its names is known already.
    pub fn register_planner(&mut self, planner: &'r dyn Planner) -> Result<(), DuplicateScheme> {
        self.register(planner)?;
        self.planning.planners.push(planner);
        Ok(())
    }

    /// Returns the planner of the scheme of that name, without regard to case.
    pub fn planner_named(&self, name: &str) -> Option<&'r dyn Planner> {
        let known = PLANNERS.iter().map(|planner| *planner as &'r dyn Planner);
        known.chain(self.planning.planners.iter().copied()).find(|planner| planner.is_named(name))
    }

    /// Maps a scheme, known or not, to a gateway; the last one counts.
    pub fn map(&mut self, gateway: Gateway) {
        self.planning.gateways.retain(|other| other.scheme() != gateway.scheme());
        self.planning.gateways.push(gateway);
    }

    /// The gateways.
    pub fn gateways(&self) -> &[Gateway] {
        &self.planning.gateways
    }

    /// The URL divided as its scheme divides it, as [`fields`](crate::scheme::fields) does.
    pub fn fields<'a>(&self, reference: UriRef<'a>) -> Option<Result<Vec<Field<'a>>, SyntaxError>> {
        Some(self.planner_named(reference.scheme()?.as_str())?.fields(reference))
    }

    /// What would be done to fetch what a URL identifies, as [`plan`](crate::scheme::plan) says it; by a gateway
    /// where the scheme is mapped to one, and the plan then has both steps.
    ///
    /// # Errors
    ///
    /// There is nothing that could be done, or it may not be; gateways that lead to each other.
    pub fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, GatewayPlanError> {
        let (mut url, mut remark) = match self.step(reference, options)? {
            Next::Planned(plan) => return Ok(plan),
            Next::Mapped(url, remark) => (url, remark),
        };
        let mut plan = Plan::new();
        // Each gateway can be gone through once; whoever comes back goes round in circles.
        for _ in 0..self.planning.gateways.len() {
            plan = plan.then(Action::Redirect { url: url.clone() });
            plan.steps.extend(remark.map(|text| Step { only_after: None, action: Action::Remark(text) }));
            let mapped = UriRef::parse_with(&url, reference.edition()).or_else(|_| UriRef::parse(&url));
            let next = match mapped {
                Ok(mapped) => self.step(mapped, options),
                Err(error) => Err(PlanError::Malformed(SyntaxError::Rule(error))),
            };
            (url, remark) = match next {
                Ok(Next::Planned(rest)) => return Ok(plan.followed_by(rest)),
                Ok(Next::Mapped(next, remark)) => (next, remark),
                Err(error) => return Err(GatewayPlanError { error, behind: Some(url) }),
            };
        }
        let span = reference.spanned(Component::Scheme).map(SpannedStr::span).unwrap_or_default();
        Err(PlanError::GatewayLoop { span }.into())
    }

    /// The URL that a gateway gives, or the plan where there is none.
    fn step(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Next, PlanError> {
        let name = reference.scheme().ok_or(PlanError::Relative)?.as_str();
        if let Some(gateway) =
            self.planning.gateways.iter().find(|one| one.scheme().eq_ignore_ascii_case(name))
        {
            return gateway.map(reference).map(|url| Next::Mapped(url, unsaid(gateway, reference)));
        }
        let span = reference.spanned(Component::Scheme).map(SpannedStr::span).unwrap_or_default();
        let scheme = self.planner_named(name).ok_or(PlanError::UnknownScheme { span })?;
        crate::scheme::planner::plan_by(scheme, reference, options).map(Next::Planned)
    }
}

/// What the gateway is not told of a URL, in a sentence.
fn unsaid(gateway: &Gateway, reference: UriRef<'_>) -> Option<String> {
    let parts: Vec<_> = gateway.left_out(reference).map(Component::name).collect();
    let fields = "{port}, {path}, {query}, {rest} and {url}";
    (!parts.is_empty()).then(|| {
        format!(
            "the template leaves out the {} of the URL: the fields are {{host}}, {fields}",
            parts.join(" and the ")
        )
    })
}

/// What a URL leads to.
enum Next {
    /// The URL of a gateway, and what is to be said about it.
    Mapped(String, Option<String>),
    Planned(Plan),
}

/// Why a registry has no plan for a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayPlanError {
    /// The error; its positions are those in the URL that it is about.
    pub error: PlanError,
    /// The URL that the error is about, if a gateway made it; `None` if it is the one that was given.
    pub behind: Option<String>,
}

impl From<PlanError> for GatewayPlanError {
    fn from(error: PlanError) -> Self {
        Self { error, behind: None }
    }
}

impl Display for GatewayPlanError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.behind {
            None => self.error.fmt(f),
            Some(url) => write!(f, "in the URL of the gateway, {url}: {}", self.error),
        }
    }
}

impl core::error::Error for GatewayPlanError {}
