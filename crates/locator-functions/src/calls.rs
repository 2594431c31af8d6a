//! The functions of the list that take more than one line: a row and its arguments to a result.

use std::borrow::Cow;

use locator::text::Finder;
use locator::{Component, Level, SpaceEncoding, UriRef};
use locator_audit::{Auditor, Severity};
use locator_domain::Rules;

use crate::function::{ArgumentValue, Row, Value};
use crate::host;
use crate::path::path_segments;
use crate::percent::percent_decode;
use crate::query::{Decoding, query_param, strip};

/// Returns a component of a reference, as it is given.
pub(crate) fn part<'a>(row: &Row<'a>, component: Component) -> Option<&'a str> {
    row.reference()?.component(component)
}

/// The components of the fields of `uri_parse`.
const COMPONENTS: [Component; 7] = [
    Component::Scheme,
    Component::Userinfo,
    Component::Host,
    Component::Port,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

pub(crate) fn rules(given: &[ArgumentValue<'_>]) -> Option<Rules> {
    Some(if given.first()?.text() == "private" { Rules::Private } else { Rules::Icann })
}

pub(crate) fn param<'a>(row: &Row<'a>, given: &[ArgumentValue<'_>]) -> Option<Cow<'a, str>> {
    let [name, decoding] = given else { return None };
    let decoding = match decoding.text() {
        "raw" => Decoding::Raw,
        "percent" => Decoding::Percent,
        _ => Decoding::Form,
    };
    query_param(row.reference()?, name.text(), decoding)
}

pub(crate) fn params<'a>(row: &Row<'a>, _: &[ArgumentValue<'_>], values: &mut Vec<Value<'a>>) -> Option<()> {
    let text = |bytes: Cow<'a, [u8]>| match bytes {
        Cow::Borrowed(bytes) => str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    };
    let value = |bytes| text(bytes).map_or(Value::Null, Value::Text);
    let reference = row.reference()?;
    reference.query()?;
    for pair in reference.pairs(SpaceEncoding::Plus).filter(|pair| !pair.as_str().is_empty()) {
        values.extend([value(pair.name_bytes()), pair.value_bytes().map_or(Value::Null, value)]);
    }
    Some(())
}

pub(crate) fn level(word: ArgumentValue<'_>) -> Level {
    if word.text() == "syntax" { Level::Syntax } else { Level::Scheme }
}

pub(crate) fn normalize<'a>(row: &Row<'a>, given: &[ArgumentValue<'_>]) -> Option<Cow<'a, str>> {
    Some(row.reference()?.normalize(level(*given.first()?)).into_cow())
}

pub(crate) fn resolve<'a>(row: &Row<'a>, given: &[ArgumentValue<'_>]) -> Option<Cow<'a, str>> {
    let reference = UriRef::parse_with(given.first()?.text(), row.edition()).ok()?;
    let target = reference.resolve_against(row.reference()?.as_uri()?).ok()?;
    Some(Cow::Owned(target.into_string()))
}

pub(crate) fn equivalent(row: &Row<'_>, given: &[ArgumentValue<'_>]) -> Option<bool> {
    let [other, by] = given else { return None };
    let other = UriRef::parse_with(other.text(), row.edition()).ok()?;
    row.reference()?.is_equivalent(other, level(*by)).ok()
}

/// Returns a component that `uri_strip` removes.
fn removable(name: &str) -> Option<Component> {
    Some(match name {
        "scheme" => Component::Scheme,
        "authority" => Component::Authority,
        "userinfo" => Component::Userinfo,
        "port" => Component::Port,
        "query" => Component::Query,
        "fragment" => Component::Fragment,
        _ => return None,
    })
}

pub(crate) fn stripped<'a>(row: &Row<'a>, given: &[ArgumentValue<'_>]) -> Option<Cow<'a, str>> {
    let reference = row.reference()?;
    let (mut parts, mut count) = ([Component::Reference; Component::ALL.len()], 0);
    for name in given.first()?.text().split(',').map(str::trim) {
        let part = removable(name)?;
        if !parts[..count].contains(&part) {
            parts[count] = part;
            count += 1;
        }
    }
    strip(reference, &parts[..count])
}

pub(crate) fn parse<'a>(row: &Row<'a>, _: &[ArgumentValue<'_>], values: &mut Vec<Value<'a>>) -> Option<()> {
    let reference = row.reference()?;
    for component in COMPONENTS {
        let value = match component {
            Component::Port => reference.port_u16().map(|port| Value::Int(port.into())),
            _ => reference.component(component).map(|text| Value::Text(Cow::Borrowed(text))),
        };
        values.push(value.unwrap_or(Value::Null));
    }
    Some(())
}

pub(crate) fn audit<'a>(row: &Row<'a>, _: &[ArgumentValue<'_>], values: &mut Vec<Value<'a>>) -> Option<()> {
    let mut names: Vec<&'static str> = Vec::new();
    for finding in Auditor::new().edition(row.edition()).audit(&row.text_lossy()) {
        let name = finding.code().name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    values.extend(names.into_iter().map(|name| Value::Text(Cow::Borrowed(name))));
    Some(())
}

pub(crate) fn severity<'a>(row: &Row<'a>, _: &[ArgumentValue<'_>]) -> Option<Cow<'a, str>> {
    let findings = Auditor::new().edition(row.edition()).audit(&row.text_lossy());
    let highest = findings.iter().map(locator_audit::Finding::severity).max()?;
    Some(Cow::Borrowed(Severity::name(highest)))
}

pub(crate) fn contacts<'a>(
    row: &Row<'a>,
    _: &[ArgumentValue<'_>],
    values: &mut Vec<Value<'a>>,
) -> Option<()> {
    let hosts = host::contacts(&row.text_lossy()).into_iter();
    values.extend(hosts.map(|host| Value::Text(Cow::Owned(host.to_string()))));
    Some(())
}

pub(crate) fn find<'a>(row: &Row<'a>, _: &[ArgumentValue<'_>], values: &mut Vec<Value<'a>>) -> Option<()> {
    let int = |number: usize| i32::try_from(number).map_or(Value::Null, Value::Int);
    for found in Finder::new().edition(row.edition()).find_iter(row.bytes()) {
        let span = found.span();
        values.extend([Value::Text(found.url()), int(span.start), int(span.end)]);
    }
    Some(())
}

pub(crate) fn segments<'a>(
    row: &Row<'a>,
    _: &[ArgumentValue<'_>],
    values: &mut Vec<Value<'a>>,
) -> Option<()> {
    values.extend(path_segments(row.reference()?).map(|segment| Value::Text(Cow::Borrowed(segment))));
    Some(())
}

pub(crate) fn decoded<'a>(row: &Row<'a>, given: &[ArgumentValue<'_>]) -> Option<Cow<'a, str>> {
    percent_decode(row.text()?, given.first()?.text() == "form")
}
