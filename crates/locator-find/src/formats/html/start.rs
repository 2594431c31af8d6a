//! A start tag, and what its links are for. Follows the HTML standard, 4.6.7 "Link types" and
//! 4.10.19.6 "Form submission".

use super::attributes::{Kind, Name};
use super::tag::Tag;
use super::tree::method_of;
use super::value::Value;
use crate::decode::charset::Charset;
use crate::link::purpose::{Method, Purpose};
use crate::link::refresh;

/// A start tag in its document.
#[derive(Clone, Copy)]
pub(super) struct Start<'s> {
    /// The octets that contain the tag.
    pub(super) octets: &'s [u8],
    pub(super) tag: &'s Tag,
    /// Its name, as the standard defines it.
    pub(super) element: &'s str,
    /// Whether it is in a template.
    pub(super) is_inert: bool,
    /// Whether it is for browsers without scripts.
    pub(super) in_noscript: bool,
    /// The method of the form around it.
    pub(super) form: Option<Method>,
}

impl<'s> Start<'s> {
    /// Returns what the links of an attribute are for, if they have no relation.
    pub(super) fn purpose(&self, attribute: Name, kind: Kind) -> Purpose<'static> {
        match attribute {
            _ if kind == Kind::Content && !self.is_inert && !self.in_noscript => {
                let content = self.tag.value(Name::CONTENT).map(|value| &self.octets[value]);
                Purpose::of_refresh(content.map_or(0, refresh::seconds))
            }
            Name::ACTION => Purpose::of_method(method_of(self.tag, self.octets)),
            Name::FORMACTION => Purpose::of_method(self.method_of_button()),
            // "request whose method is `POST`"
            Name::PING => Purpose::of_method(Method::Post),
            _ => Purpose::default(),
        }
    }

    /// Returns the relation of the tag, if it is that of the links in this attribute.
    pub(super) fn rel(&self, attribute: Name, charset: Charset) -> Option<Value<'s>> {
        let has_relation = self.tag.attributes().len() > 1
            && matches!(attribute, Name::HREF | Name::XLINK_HREF | Name::IMAGESRCSET)
            && matches!(self.element, "a" | "area" | "link");
        let rel = if has_relation { self.tag.value(Name::REL)? } else { return None };
        Some(Value::of(self.octets, rel, charset))
    }

    /// Returns whether it is a pragma directive: "http-equiv [...] Refresh state".
    pub(super) fn is_refresh(&self) -> bool {
        let http_equiv = self.tag.value(Name::HTTP_EQUIV).map(|value| &self.octets[value]);
        http_equiv.is_some_and(|value| value.eq_ignore_ascii_case(b"refresh"))
    }

    /// "If the submitter element is a submit button and has a formmethod attribute, then the
    /// element's method is given by that attribute; otherwise, it is given by the form owner's
    /// method attribute."
    fn method_of_button(&self) -> Method {
        let own = self.tag.value(Name::FORMMETHOD).map(|value| Method::from_value(&self.octets[value]));
        let has_other_form = self.tag.value(Name::FORM).is_some();
        own.or_else(|| self.form.filter(|_| !has_other_form)).unwrap_or(Method::Unknown)
    }
}
