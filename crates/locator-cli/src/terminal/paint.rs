//! The colours of output, by meaning, and the words that messages begin with ([`Word`]), in their colours. A colour means one
//! thing: red is wrong, yellow a warning, green good; cyan and magenta are neutral. Blue is not used: some palettes have
//! an illegible one.
//!
//! The sixteen colours with names are those of the terminal's palette, and no name is legible on all
//! palettes: red has a contrast of 2.7:1 on GNOME's dark background and 3.2:1 on Solarized's, bright
//! red 4.0:1 on white. So names are replaced by colours of the 240 that are the same everywhere: for
//! a dark or a light background if the terminal says which it has, else of a medium brightness, which
//! can be read on both. A test computes their contrasts.

use std::fmt::{Display, Formatter};
use std::sync::OnceLock;
use std::{env, fmt};

use anstyle::{Ansi256Color, AnsiColor, Color, Effects, Style};
use clap::builder::Styles;
use locator::Component;
use locator_audit::Severity;

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

/// The colours that a name is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// For a background that is not known.
    Either,
    /// The bright ones of a terminal that has no others.
    Sixteen,
}

impl Theme {
    /// Returns the theme of this terminal.
    fn of_terminal() -> Self {
        static THEME: OnceLock<Theme> = OnceLock::new();
        *THEME.get_or_init(|| {
            let word = |name| env::var(name).unwrap_or_default();
            Self::of(&word("TERM"), &word("COLORFGBG"))
        })
    }

    /// Returns the theme of a terminal of that kind, and with these numbers of its colours of text and
    /// background, `15;0`.
    fn of(kind: &str, colors: &str) -> Self {
        let has_sixteen = ["linux", "ansi", "cygwin", "screen"].contains(&kind)
            || kind.starts_with("vt")
            || kind.ends_with("-16color");
        let background = colors.rsplit(';').next().and_then(|number| number.parse::<u8>().ok());
        match background {
            _ if has_sixteen => Self::Sixteen,
            Some(7 | 9..=15) => Self::Light,
            Some(_) => Self::Dark,
            None => Self::Either,
        }
    }

    /// Returns a style with the colours of this theme.
    pub(crate) fn apply(self, style: Style) -> Style {
        let replaced = |color| match color {
            Some(Color::Ansi(name)) => Some(self.color(name)),
            other => other,
        };
        let style = style.fg_color(replaced(style.get_fg_color())).bg_color(replaced(style.get_bg_color()));
        match self.faint().filter(|_| style.get_effects().contains(Effects::DIMMED)) {
            Some(grey) => style.effects(style.get_effects().remove(Effects::DIMMED)).fg_color(Some(grey)),
            None => style,
        }
    }

    /// Returns the colour for a name.
    fn color(self, name: AnsiColor) -> Color {
        let [dark, light, either] = match name {
            AnsiColor::Red => [203, 160, 167],
            AnsiColor::Green => [35, 22, 28],
            AnsiColor::Yellow => [172, 94, 136],
            AnsiColor::Blue => [69, 25, 33],
            AnsiColor::Magenta => [170, 127, 134],
            AnsiColor::Cyan => [37, 24, 31],
            other => return other.into(),
        };
        match self {
            Self::Dark => Ansi256Color(dark).into(),
            Self::Light => Ansi256Color(light).into(),
            Self::Either => Ansi256Color(either).into(),
            Self::Sixteen => name.bright(true).into(),
        }
    }

    /// Returns the grey of less important text; not all terminals have it.
    fn faint(self) -> Option<Color> {
        match self {
            Self::Dark => Some(Ansi256Color(246).into()),
            Self::Light => Some(Ansi256Color(242).into()),
            Self::Either => Some(Ansi256Color(244).into()),
            Self::Sixteen => None,
        }
    }
}

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// What was asked for is not done.
    Error,
    /// What was asked for is done, and probably not intended.
    Warning,
    /// A finding of that severity.
    High,
    Medium,
    Low,
    Info,
    /// What may be good to know.
    Note,
    /// What to do.
    Help,
    /// A URL is valid.
    Valid,
    /// A link is mended.
    #[cfg(feature = "links")]
    Fixed,
    /// A file is written.
    #[cfg(feature = "get")]
    Saved,
}

impl Word {
    /// Returns the word, with its colon.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Error => "error:",
            Self::Warning => "warning:",
            Self::High => "high:",
            Self::Medium => "medium:",
            Self::Low => "low:",
            Self::Info => "info:",
            Self::Note => "note:",
            Self::Help => "help:",
            Self::Valid => "valid",
            #[cfg(feature = "links")]
            Self::Fixed => "fixed:",
            #[cfg(feature = "get")]
            Self::Saved => "saved",
        }
    }

    /// Returns its colour.
    pub(crate) const fn style(self) -> Style {
        match self {
            Self::Error | Self::High => BAD,
            Self::Warning | Self::Medium => WARN,
            Self::Low | Self::Info | Self::Note => AnsiColor::Cyan.on_default(),
            Self::Help | Self::Valid => GOOD,
            #[cfg(feature = "links")]
            Self::Fixed => GOOD,
            #[cfg(feature = "get")]
            Self::Saved => GOOD,
        }
    }

    /// Returns the word of a finding.
    pub(crate) const fn of(severity: Severity) -> Self {
        match severity {
            Severity::High => Self::High,
            Severity::Medium => Self::Medium,
            Severity::Low => Self::Low,
            _ => Self::Info,
        }
    }
}

impl Paint {
    /// The word of a message, in its colour.
    pub(crate) fn word(self, word: Word) -> Painted<&'static str> {
        self.with(word.style(), word.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rgb = [u8; 3];

    /// The palettes of xterm, GNOME Terminal (old and new) and Solarized, and white paper.
    const BACKGROUNDS: [(&str, Theme, Rgb); 6] = [
        ("xterm, dark", Theme::Dark, [0, 0, 0]),
        ("GNOME, dark", Theme::Dark, [0x17, 0x14, 0x21]),
        ("GNOME, dark, of 2024", Theme::Dark, [0x1E, 0x1E, 0x1E]),
        ("Solarized, dark", Theme::Dark, [0x00, 0x2B, 0x36]),
        ("white", Theme::Light, [0xFF, 0xFF, 0xFF]),
        ("Solarized, light", Theme::Light, [0xFD, 0xF6, 0xE3]),
    ];

    /// Every style that colours text.
    fn styles() -> Vec<Style> {
        use Word::{Error, Help, High, Low, Medium, Note, Valid, Warning};
        let words = [Error, Warning, High, Medium, Low, Note, Help, Valid].map(Word::style);
        let parts = Component::ALL.into_iter().map(of);
        let others = [BAD, FAINT, FILE, FOUND, GOOD, PLACE, WARN];
        let hosts = HOSTS;
        words.into_iter().chain(parts).chain(others).chain(hosts).collect()
    }

    /// The colour in the cube of xterm, or its grey.
    fn rgb(Ansi256Color(number): Ansi256Color) -> Rgb {
        if number >= 232 {
            return [8 + 10 * (number - 232); 3];
        }
        let number = number.checked_sub(16).expect("the first sixteen are those of a palette");
        [number / 36, number / 6 % 6, number % 6].map(|step| if step == 0 { 0 } else { 55 + 40 * step })
    }

    /// The relative luminance (WCAG 2.2).
    fn luminance(color: Rgb) -> f64 {
        let [red, green, blue] = color.map(|part| match f64::from(part) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let [one, other] = [one, other].map(luminance);
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The colour of a style; `None` for that of the terminal's text.
    fn shown(theme: Theme, style: Style) -> Option<Rgb> {
        let style = theme.apply(style);
        assert!(!style.get_effects().contains(Effects::DIMMED), "{style:?}");
        style.get_fg_color().map(|color| match color {
            Color::Ansi256(color) => rgb(color),
            color => panic!("a palette decides what {color:?} is"),
        })
    }

    #[test]
    fn text_is_legible_on_every_palette() {
        for (name, theme, background) in BACKGROUNDS {
            for style in styles() {
                let Some(color) = shown(theme, style) else { continue };
                let contrast = contrast(color, background);
                assert!(contrast >= 4.5, "{name}: {style:?} is {color:?}, {contrast:.2}:1");
            }
        }
    }

    #[test]
    fn it_can_be_read_on_a_background_that_is_not_known() {
        for ((name, _, background), style) in
            BACKGROUNDS.into_iter().flat_map(|one| styles().into_iter().map(move |style| (one, style)))
        {
            let Some(color) = shown(Theme::Either, style) else { continue };
            let contrast = contrast(color, background);
            // No colour has 4.5:1 on black and on white, unless it is a grey.
            assert!(contrast >= 3.0, "{name}: {style:?} is {color:?}, {contrast:.2}:1");
        }
    }

    #[test]
    fn a_terminal_says_what_it_has() {
        for (kind, colors, theme) in [
            ("xterm-256color", "", Theme::Either),
            ("", "", Theme::Either),
            ("xterm", "15;0", Theme::Dark),
            ("rxvt", "0;default;15", Theme::Light),
            ("konsole", "0;7", Theme::Light),
            ("xterm", "7;8", Theme::Dark),
            ("xterm", "12;x", Theme::Either),
            ("linux", "0;15", Theme::Sixteen),
            ("xterm-16color", "", Theme::Sixteen),
        ] {
            assert_eq!(Theme::of(kind, colors), theme, "{kind} {colors}");
        }
        let red = Theme::Sixteen.apply(BAD);
        assert_eq!(red.get_fg_color(), Some(AnsiColor::BrightRed.into()));
        assert_eq!(Theme::Sixteen.apply(FAINT), FAINT);
    }
}
