//! A fragment of HTML, in which everything that is not ours has been escaped.

use alloc::string::String;
use core::fmt::{self, Display, Formatter};

use maud::{Markup, PreEscaped, Render};

/// A fragment of HTML. In templates of `maud` it is written as it is.
///
/// ```
/// let html = locator_web::Renderer::new().url("http://h/<script>");
/// assert!(!html.as_str().contains("<script>"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Takes what a template made.
    pub(crate) fn new(markup: Markup) -> Self {
        Self(markup.into_string())
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text, without a copy.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl AsRef<str> for Html {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Display for Html {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Render for Html {
    fn render(&self) -> Markup {
        PreEscaped(self.0.clone())
    }

    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(&self.0);
    }
}
