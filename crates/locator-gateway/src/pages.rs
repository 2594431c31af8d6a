//! The pages of the gateway: takes a URL, what is known of its object and the octets of it, and returns
//! HTML. Pure: nothing is read from the network or from files.
//!
//! [`ObjectPage`] writes what a URL identifies piece by piece, as it arrives; the other functions return a
//! whole document. All text of others is escaped, a character that does not show itself is written by code,
//! `<U+202E>`, and HTML of others is [sanitised](html). No page but the first has a script.

mod article;
mod forms;
mod frame;
mod html;
mod links;
mod list;
mod object;
#[cfg(test)]
mod tests;
mod text;

pub(super) use self::forms::{Login, ask_form, ask_url, confirm_page, login_page, search_form, search_url};
pub(super) use self::frame::{
    CONTENT_TYPE, ErrorPage, FrontPage, HANDLERS, draft_page, error_page, front_page, readings_page, style,
    web_link_page,
};
pub(super) use self::links::{Links, no_fetch, with_likely_scheme};
pub(super) use self::object::{Object, ObjectPage};
