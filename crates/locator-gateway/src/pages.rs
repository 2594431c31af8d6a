//! The pages of the gateway: takes a URL, what is known of its object and the octets of it, and returns
//! HTML. Pure: nothing is read from the network or from files.
//!
//! [`ObjectPage`] writes what a URL identifies piece by piece, as it arrives; the other functions return a
//! whole document. All text of others is escaped, a character that does not show itself is written by code,
//! `<U+202E>`, and HTML of others is [sanitised](html). No page but the first has a script.

mod article;
mod ask;
mod decode;
mod draft;
mod elsewhere;
mod entry;
mod errors;
mod forms;
mod frame;
mod front;
mod header;
mod html;
mod linked;
mod links;
mod list;
mod object;
mod overview;
mod schemes;
mod shape;
mod table;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub(super) use self::ask::{ask_form, ask_url};
pub(super) use self::draft::draft_page;
pub(super) use self::elsewhere::web_link_page;
pub(super) use self::errors::{ErrorPage, error_page};
pub(super) use self::forms::{Login, confirm_page, login_page, search_form, search_url};
pub(super) use self::frame::{CONTENT_TYPE, style};
pub(super) use self::front::{Front, HANDLERS, front_page, readings_page};
pub(super) use self::links::Links;
pub(super) use self::object::{Object, ObjectPage};
pub(super) use self::schemes::{no_fetch, with_likely_scheme};
