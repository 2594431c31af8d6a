//! `edit -e whatwg`: each change is made by a setter of the URL Standard, on a URL that was parsed by it, and what is
//! printed is its serialisation. Where a setter of the standard would ignore a value and say nothing, there is an error.

use std::borrow::Cow;
use std::io::{self, Write};

use locator_audit::Auditor;
use locator_whatwg::{Url, form_urlencoded};

use super::format::Format;
use super::steps::{Change, Given, GivenPair, Names, Step, Steps};
use crate::exit::Status;
use crate::field::{Field, Nth, UrlRefused, segment};
use crate::input::{Input, url_standard};
use crate::output::{self, Output};
use crate::report::Reports;
use crate::report::failure::Failure;
use crate::report::json::{self, ErrorObject, Object};
use crate::run::Answer;
use crate::terminal::secrets;

/// What is printed of a URL.
pub(super) enum UrlShape {
    Text,
    Format(Format),
    Json,
}

/// Edits each URL.
pub(super) struct UrlEditor {
    pub(super) steps: Steps,
    pub(super) shape: UrlShape,
    /// Whether NUL separates inputs and results.
    pub(super) null: bool,
    pub(super) auditor: Auditor<'static>,
    pub(super) errors: Output,
    pub(super) reports: Reports,
}

impl Answer for UrlEditor {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let mut status = Status::Valid;
        // Errors are reported with `self`, so the steps are moved out meanwhile.
        let steps = std::mem::take(&mut self.steps);
        let result = steps.each_url(input.octets, |edited| {
            status = status.and(self.one(input, edited, &steps, out)?);
            Ok(())
        });
        self.steps = steps;
        result.map(|()| status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let mut status = Status::Valid;
        let judged = self.steps.each_url(input.octets, |edited| {
            status = status.and(Status::of(edited.and_then(|url| self.check(&url)).is_ok()));
            Ok(())
        });
        status.and(Status::of(judged.is_ok()))
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        Some("edit")
    }
}

impl UrlEditor {
    /// Checks the conditions of the format.
    fn check(&self, url: &Url) -> Result<(), Failure> {
        match &self.shape {
            UrlShape::Format(format) => format.check_url(url),
            _ => Ok(()),
        }
    }

    /// One line for one URL.
    fn one(
        &mut self,
        input: Input<'_>,
        edited: Result<Url, Failure>,
        steps: &Steps,
        out: &mut Output,
    ) -> io::Result<Status> {
        match edited.and_then(|url| self.check(&url).map(|()| url)) {
            Ok(url) => {
                match &self.shape {
                    UrlShape::Text => output::line(out, url.as_str())?,
                    UrlShape::Format(format) => format.write_url(out, &url)?,
                    UrlShape::Json => {
                        let findings = self.auditor.audit(url.as_str());
                        let object = Object::edited_url(&url).of(input.octets).with_findings(&findings);
                        json::line(out, &object)?;
                        return Ok(Status::Valid);
                    }
                }
                if out.is_terminal {
                    let findings = self.auditor.audit(url.as_str());
                    self.reports.note(&mut self.errors, out, input, url.as_str(), &findings)?;
                }
                Ok(Status::Valid)
            }
            Err(why) => {
                match self.shape {
                    UrlShape::Json => {
                        let object = Object::refused_url(ErrorObject::why(&why)).of(input.octets);
                        json::line(out, &object)?;
                        return Ok(Status::NotValid);
                    }
                    // Lines stay in step with those of the input; there is only one.
                    _ if input.alone && steps.count() == 1 => {}
                    // An empty item would be an empty argument for `xargs -0`.
                    _ if self.null => {}
                    _ => output::end_line(out)?,
                }
                // On a terminal, keep results and errors in the order of the input.
                out.flush()?;
                self.reports.report(&mut self.errors, input, &why);
                Ok(Status::NotValid)
            }
        }
    }
}

impl Steps {
    /// Passes each result of an input to a function.
    fn each_url(
        &self,
        octets: &[u8],
        mut hand_out: impl FnMut(Result<Url, Failure>) -> io::Result<()>,
    ) -> io::Result<()> {
        let begin = self.begin_url(octets);
        let mut at = vec![0; self.iterated.len()];
        loop {
            hand_out(begin.clone().and_then(|mut url| {
                let iterated = self.turns.iter().map(|&turn| &self.iterated[turn].steps[at[turn]]);
                let mut steps = self.first.iter().chain(iterated).chain(&self.last);
                steps.try_for_each(|step| step.make_in_url(&mut url)).map(|()| url)
            }))?;
            if !self.advance(&mut at) {
                return Ok(());
            }
        }
    }

    /// What is edited: the URL, or where it redirects to.
    fn begin_url(&self, octets: &[u8]) -> Result<Url, Failure> {
        let url = url_standard::parse(octets, None)?;
        match &self.redirect {
            None => Ok(url),
            Some(redirect) => url_standard::parse(redirect.as_bytes(), Some(&url)).map_err(|error| {
                Failure::other(error.rule(), format!("--redirect: {}", error.in_one_line()))
            }),
        }
    }

    /// Returns an error for a change that no URL allows.
    pub(super) fn check_for_url(&self) -> Result<(), String> {
        // It has all that may be set or removed.
        let Ok(url) = Url::parse("https://u:p@h:1/p?q#f") else { return Ok(()) };
        for step in self.all() {
            match step.change.make_in_url(&mut url.clone()) {
                Err(refused) if !refused.depends_on_url => return Err(step.said_with(&refused)),
                _ => {}
            }
        }
        Ok(())
    }
}

impl Step {
    fn make_in_url(&self, url: &mut Url) -> Result<(), Failure> {
        self.change.make_in_url(url).map_err(|refused| Failure::Other {
            kind: refused.kind,
            message: self.said_with(&refused),
            see: refused.see,
            place: None,
        })
    }

    fn said_with(&self, refused: &UrlRefused) -> String {
        format!("{}: {}", secrets::edit(&self.said).text, refused.message)
    }
}

impl Change {
    fn make_in_url(&self, url: &mut Url) -> Result<(), UrlRefused> {
        match self {
            Self::Remove(field) | Self::Clear(field) => field.remove_from_url(url)?,
            Self::Set { field, only_if_undefined: true, .. } if field.is_set_in_url(url) => {}
            Self::Set { field, value, .. } => field.set_in_url(url, &text(value)?)?,
            Self::AppendSegment(value) => append_segment(url, value)?,
            Self::AppendPair(pair) => {
                let pair = written(pair)?;
                let query = url.query().filter(|query| !query.is_empty());
                let query = query.map_or_else(|| pair.clone(), |query| format!("{query}&{pair}"));
                Field::named("query").map_or(Ok(()), |field| field.set_in_url(url, &format!("?{query}")))?;
            }
            Self::Replace { pair, append } => {
                let (name, value) = (text(&pair.name)?, pair.value.as_ref().map(text).transpose()?);
                let is_there = url.query_pairs().any(|(other, _)| other == name);
                if is_there || *append {
                    let value = value.unwrap_or_default();
                    url.edit_query(|query| {
                        query.set(&name, &value);
                    });
                }
            }
            Self::ReplaceNth { nth, name, value } => {
                let name = utf8(name)?;
                replace_nth(url, *nth, name, value.as_ref())?;
            }
            Self::Trim(names) => {
                url.edit_query(|query| {
                    query.retain(|name, _| !names.iter().any(|one| one.is(name)));
                });
            }
            Self::Sort => sort(url),
            Self::DefaultPort => {}
        }
        Ok(())
    }
}

impl Names {
    /// Returns whether the name of a pair is one of these.
    fn is(&self, name: &str) -> bool {
        match self {
            Self::Only(only) => name.as_bytes() == only,
            Self::BeginWith(beginning) => name.as_bytes().starts_with(beginning),
        }
    }
}

fn utf8(octets: &[u8]) -> Result<&str, UrlRefused> {
    std::str::from_utf8(octets).map_err(|_| UrlRefused {
        depends_on_url: false,
        ..UrlRefused::new("not-text", "the value is not UTF-8, and a setter of the URL Standard takes text")
    })
}

/// Returns a value as a setter takes it.
fn text(given: &Given) -> Result<Cow<'_, str>, UrlRefused> {
    match given {
        Given::Data(octets) => utf8(octets).map(Cow::Borrowed),
        Given::Raw(text) => Ok(Cow::Borrowed(text)),
    }
}

fn append_segment(url: &mut Url, given: &Given) -> Result<(), UrlRefused> {
    if url.cannot_be_a_base() {
        return Err(UrlRefused::opaque());
    }
    let segment = match given {
        Given::Data(octets) => segment(url, utf8(octets)?)?,
        Given::Raw(text) => text.clone(),
    };
    let path = url.path().strip_suffix('/').unwrap_or(url.path());
    let path = format!("{path}/{segment}");
    url.set_path(&path);
    Ok(())
}

/// Returns a pair as a form writes it; without a value it has no "=".
fn written(pair: &GivenPair) -> Result<String, UrlRefused> {
    let encoded = |given: &Given| match given {
        Given::Data(octets) => {
            utf8(octets).map(|text| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>())
        }
        Given::Raw(text) => Ok(text.clone()),
    };
    let name = encoded(&pair.name)?;
    match &pair.value {
        Some(value) => Ok(name + "=" + &encoded(value)?),
        None => Ok(name),
    }
}

/// Returns the decoded name of a pair.
fn name_of(pair: &str) -> Cow<'_, str> {
    form_urlencoded::parse(pair.as_bytes()).next().map(|(name, _)| name).unwrap_or_default()
}

fn replace_nth(url: &mut Url, nth: Nth, name: &str, value: Option<&Given>) -> Result<(), UrlRefused> {
    let Some(query) = url.query().map(str::to_owned) else { return Ok(()) };
    let pairs: Vec<&str> = query.split('&').collect();
    let is_named = |pair: &&str| !pair.is_empty() && name_of(pair) == name;
    let Some(place) = nth.among(pairs.iter().filter(|pair| is_named(pair)).count()) else { return Ok(()) };
    let pair = GivenPair { name: Given::Data(name.as_bytes().to_vec()), value: value.cloned() };
    let (written, mut seen) = (written(&pair)?, 0);
    let replaced: Vec<&str> = pairs
        .into_iter()
        .map(|pair| {
            let is_it = is_named(&pair) && seen == place;
            seen += usize::from(is_named(&pair));
            if is_it { written.as_str() } else { pair }
        })
        .collect();
    url.set_query(Some(&replaced.join("&")));
    Ok(())
}

/// Sorts the pairs by the UTF-16 code units of their names (URL Standard, 6.2); their bytes stay.
fn sort(url: &mut Url) {
    let Some(query) = url.query().map(str::to_owned) else { return };
    let mut pairs: Vec<_> = query.split('&').map(|pair| (name_of(pair), pair)).collect();
    pairs.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    let sorted: Vec<&str> = pairs.into_iter().map(|(_, pair)| pair).collect();
    url.set_query(Some(&sorted.join("&")));
}
