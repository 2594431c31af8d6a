//! How every edition of the standard and 17 programs read a URL, as HTML.
//!
//! [`Renderer`] takes URLs, or text that contains URLs, and returns fragments of HTML as [`Html`].
//! Each fragment consists of sections with headings (`h2`) and of tables with captions and scopes. It
//! needs no script and has no inline style; [`STYLE`] is the style sheet, and [`Renderer::page`]
//! returns a whole document. Every character of the input is escaped, one that does not show itself
//! is written as its code (`<U+202E>`), and passwords are hidden.
//!
//! ```
//! use locator_web::Renderer;
//!
//! let html = Renderer::new().url("http://good.example\\@evil.example/");
//! assert!(html.as_str().contains("two different hosts"));
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod comparison;
mod components;
mod errors;
mod findings;
mod found;
mod hosts;
mod html;
mod normal;
mod page;
mod plan;
mod programs;
mod renderer;
pub mod report;
mod resolved;
mod section;
mod subject;
mod text;

pub use html::Html;
pub use page::STYLE;
pub use renderer::Renderer;

/// The code in the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
