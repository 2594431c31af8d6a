//! The colours of output, by meaning.

use std::fmt::{self, Display, Formatter};

use anstyle::{AnsiColor, Style};
use locator::Component;

/// Puts colour on text, if there is to be any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    on: bool,
}

/// Less important text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Important text.
pub(crate) const STRONG: Style = Style::new().bold();
/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// An error.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// A warning.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
/// A file name. This and the next two colours are ripgrep's.
pub(crate) const FILE: Style = AnsiColor::Magenta.on_default();
/// A line and column number.
pub(crate) const PLACE: Style = AnsiColor::Green.on_default();
/// A match.
pub(crate) const FOUND: Style = AnsiColor::Red.on_default().bold();

/// The colour of a component, wherever it is shown.
pub(crate) const fn of(part: Component) -> Style {
    match part {
        Component::Scheme => AnsiColor::Cyan.on_default(),
        Component::Userinfo => WARN,
        Component::Host => AnsiColor::Green.on_default().bold(),
        Component::Port => AnsiColor::Magenta.on_default(),
        Component::Query => AnsiColor::Blue.on_default(),
        Component::Fragment => AnsiColor::Magenta.on_default(),
        Component::Reference | Component::Authority | Component::Path => Style::new(),
        Component::Prefix => FAINT,
    }
}

impl Paint {
    /// With colour or without.
    pub(crate) const fn new(on: bool) -> Self {
        Self { on }
    }

    /// Whether there is colour.
    pub(crate) const fn is_on(self) -> bool {
        self.on
    }

    /// The text in a colour.
    pub(crate) const fn with<T: Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: if self.on { style } else { Style::new() }, text }
    }
}

/// A text in a colour.
pub(crate) struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.style.render(), self.text, self.style.render_reset())
    }
}
