//! The colours of output, by meaning. A colour means one thing: red is wrong, yellow a warning,
//! green good; cyan and magenta are neutral. Blue is not used: some palettes have an illegible one.

use std::fmt::{self, Display, Formatter};

use anstyle::{AnsiColor, Style};
use clap::builder::Styles;
use locator::Component;

use super::theme::Theme;

/// Puts colour on text, if there is to be any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    theme: Option<Theme>,
}

/// Less important text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Important text.
pub(crate) const STRONG: Style = Style::new().bold();
/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// An error.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// A difference, which is not an error.
pub(crate) const DIFFERENT: Style = AnsiColor::Magenta.on_default().bold();
/// A warning.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
/// A file name.
pub(crate) const FILE: Style = AnsiColor::Magenta.on_default();
/// A line and column number.
pub(crate) const PLACE: Style = Style::new();
/// A match.
pub(crate) const FOUND: Style = AnsiColor::Cyan.on_default().bold();
/// Hosts that readers of a URL disagree about, in turn.
pub(crate) const HOSTS: [Style; 2] = [AnsiColor::Cyan.on_default(), AnsiColor::Magenta.on_default()];

/// The colour of a component, wherever it is shown.
pub(crate) const fn of(part: Component) -> Style {
    match part {
        Component::Userinfo => WARN,
        Component::Host => AnsiColor::Cyan.on_default().bold(),
        Component::Port | Component::Fragment => AnsiColor::Magenta.on_default(),
        Component::Query => AnsiColor::Cyan.on_default(),
        Component::Scheme | Component::Reference | Component::Authority | Component::Path => Style::new(),
        Component::Prefix => FAINT,
    }
}

/// Returns a style with the colours of this terminal.
pub(crate) fn themed(style: Style) -> Style {
    Theme::of_terminal().apply(style)
}

/// The colours of help and of errors of usage.
pub(crate) fn styles() -> Styles {
    Styles::styled().error(themed(BAD)).valid(themed(GOOD)).invalid(themed(WARN))
}

impl Paint {
    /// With colour or without.
    pub(crate) fn new(on: bool) -> Self {
        Self { theme: on.then(Theme::of_terminal) }
    }

    /// Whether there is colour.
    pub(crate) const fn is_on(self) -> bool {
        self.theme.is_some()
    }

    /// The text in a colour.
    pub(crate) fn with<T: Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: self.theme.map_or_else(Style::new, |theme| theme.apply(style)), text }
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
