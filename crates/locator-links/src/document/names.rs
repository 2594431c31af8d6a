//! The names in a document that its own references lead to: `` `name`_ `` of reStructuredText, `[[*Title]]` of Org. A name may
//! be after the reference, so that they are judged at the end of the document.

use std::collections::HashSet;
use std::path::Path;

use locator_find::{Context, Format, Label, LabelKind, Link};

use crate::anchors::hash;
use crate::outcome::Code;

/// The names of a document, and the references to them.
#[derive(Debug, Default)]
pub(super) struct DocumentNames {
    format: Option<Format>,
    names: HashSet<u64>,
    references: Vec<NameReference>,
    /// Whether a part of the document comes from elsewhere.
    has_includes: bool,
}

/// A link that refers to a name.
#[derive(Clone, Copy, Debug)]
struct NameReference {
    /// The index of the link.
    link: usize,
    /// The hash of the name.
    name: u64,
    /// Whether it is certainly meant as a reference. A word that ends with "_" may be the name of a type.
    is_sure: bool,
}

impl DocumentNames {
    pub(super) fn new(format: Format) -> Self {
        Self { format: Some(format), ..Self::default() }
    }

    /// Returns whether a reference may be to a name of the document, and not to another document or a program.
    pub(super) fn may_have(&self, name: &str) -> bool {
        match self.format {
            Some(Format::Rst) => true,
            Some(Format::Org) => !name.contains(':') && !name.starts_with('('),
            _ => false,
        }
    }

    /// Adds a name.
    pub(super) fn add(&mut self, label: &Label<'_>) {
        if !matches!(
            label.kind,
            LabelKind::Term | LabelKind::Option | LabelKind::Variable | LabelKind::Object
        ) {
            self.names.insert(hash(&normal(&label.name)));
        }
    }

    /// Notes a file that is included.
    pub(super) fn note_include(&mut self, link: &Link<'_>) {
        self.has_includes |= matches!(link.context(), Context::Directive("include" | "setupfile"));
    }

    /// Notes a reference to a name, which is the link with this index.
    pub(super) fn look_up_later(&mut self, link: usize, reference: &Link<'_>) {
        let name = hash(&normal(reference.url().trim_start_matches('*')));
        let is_sure = !reference.written().ends_with(b"_");
        self.references.push(NameReference { link, name, is_sure });
    }

    /// Returns the references to names: the index of each link, and the code of one whose name the document does not have.
    pub(super) fn judged(&self, document: &str) -> impl Iterator<Item = (usize, Option<Code>)> {
        let missing = self.code_of_missing(document);
        self.references.iter().map(move |NameReference { link, name, is_sure }| {
            let code = if *is_sure { missing } else { Code::UnreadAnchor };
            (*link, (!self.names.contains(name)).then_some(code))
        })
    }

    /// Returns what a missing name means: `rst_epilog` in the configuration of Sphinx is a part of every document.
    fn code_of_missing(&self, document: &str) -> Code {
        let path = Path::new(document);
        let is_of_sphinx = || path.ancestors().skip(1).any(|directory| directory.join("conf.py").is_file());
        match self.format {
            Some(Format::Rst) if !self.has_includes && !is_of_sphinx() => Code::NoSuchAnchor,
            _ => Code::UnreadAnchor,
        }
    }
}

/// Returns a name as it is compared: in lower case, with one space for any white space.
fn normal(name: &str) -> String {
    name.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
