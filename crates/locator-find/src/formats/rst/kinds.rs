//! The directives and roles of docutils, Sphinx and its usual extensions, by what their arguments and texts are. Also
//! for MyST, which has the same in Markdown.
//!
//! ```text
//! assert_eq!(content_of("note"), Content::Text);
//! assert_eq!(argument_of("figure"), Argument::Image);
//! ```

/// What the content of a directive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Text with markup.
    Text,
    /// Code, data or a diagram.
    Code,
    /// HTML.
    Html,
    /// reStructuredText, in a document of MyST.
    Rst,
    /// The names of documents, one a line.
    Documents,
    /// Terms, each before its indented definition.
    Terms,
}

/// Returns what the content of a directive is, of which the argument is known: `raw:: html`.
pub(crate) fn content_of(name: &str, argument: &str) -> Content {
    match name {
        "toctree" => Content::Documents,
        "glossary" => Content::Terms,
        "eval-rst" => Content::Rst,
        "raw" if argument.split_ascii_whitespace().next() == Some("html") => Content::Html,
        _ if CODE.contains(&name) => Content::Code,
        _ => Content::Text,
    }
}

/// The directives whose content is no text.
const CODE: [&str; 57] = [
    "aafig",
    "actdiag",
    "altair-plot",
    "autosummary",
    "blockdiag",
    "bokeh-plot",
    "chart",
    "code",
    "code-block",
    "code-cell",
    "console",
    "csv-data",
    "digraph",
    "ditaa",
    "doctest",
    "eval",
    "exec",
    "graph",
    "graphviz",
    "highlight",
    "index",
    "inheritance-diagram",
    "ipython",
    "ipython3",
    "jupyter-execute",
    "kroki",
    "literalinclude",
    "mat",
    "math",
    "mathjax",
    "mermaid",
    "meta",
    "nbplot",
    "nwdiag",
    "parsed-literal",
    "plantuml",
    "plot",
    "productionlist",
    "prompt",
    "pyplot",
    "pyrepl",
    "python-input",
    "python-output",
    "raw",
    "role",
    "runblock",
    "seqdiag",
    "shell",
    "sourcecode",
    "testcleanup",
    "testcode",
    "testoutput",
    "testsetup",
    "tikz",
    "uml",
    "vega-lite",
    "versionwarning",
];

/// What the argument of a directive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// Text with markup, or the first paragraph.
    Text,
    /// A word that is no link, such as a language.
    Word,
    /// The path or the URL of an image.
    Image,
    /// The path of a file.
    File,
    /// The signature of an object.
    Object,
    /// An option of a program.
    Option,
    /// A variable of the environment.
    Variable,
    /// The name of a program, whose options follow.
    Program,
    /// The name of a module.
    Module,
    /// A URL.
    Url,
}

/// Returns what the argument of a directive is.
pub(crate) fn argument_of(name: &str) -> Argument {
    match name {
        "image" | "figure" | "thumbnail" | "inline-image" | "video" | "audio" => Argument::Image,
        "include" | "literalinclude" | "mdinclude" | "graphviz" | "uml" | "plantuml" | "mermaid" => {
            Argument::File
        }
        "option" | "cmdoption" | "std:option" => Argument::Option,
        "envvar" | "std:envvar" => Argument::Variable,
        "program" | "std:program" => Argument::Program,
        "module" | "py:module" | "currentmodule" | "py:currentmodule" | "automodule" | "js:module" => {
            Argument::Module
        }
        "button-link" => Argument::Url,
        "function"
        | "data"
        | "exception"
        | "class"
        | "attribute"
        | "method"
        | "staticmethod"
        | "classmethod"
        | "property"
        | "decorator"
        | "decoratormethod"
        | "confval"
        | "describe"
        | "object"
        | "macro"
        | "type"
        | "member"
        | "var"
        | "enum"
        | "enumerator"
        | "struct"
        | "union"
        | "setting"
        | "templatetag"
        | "templatefilter"
        | "fieldlookup"
        | "django-admin"
        | "django-admin-option"
        | "opcode"
        | "2to3fixer"
        | "pdbcommand"
        | "monitoring-event" => Argument::Object,
        _ if name.starts_with("auto") || CODE.contains(&name) => Argument::Word,
        // `py:function`, `c:macro`, `rst:directive`.
        _ if name.contains(':') => Argument::Object,
        "toctree" | "glossary" | "highlightlang" | "default-role" | "default-domain" | "contents"
        | "sectnum" | "csv-table" | "tabularcolumns" | "unicode" | "date" | "namespace" | "list-table"
        | "container" | "only" | "ifconfig" | "class-name" | "eval-rst" | "grid" | "grid-item"
        | "tab-set" | "button-ref" => Argument::Word,
        _ => Argument::Text,
    }
}

/// Returns whether the text of a role is shown as it is, so that it refers to nothing.
pub(crate) fn is_formatting(role: &str) -> bool {
    const ROLES: [&str; 45] = [
        "abbr",
        "abbreviation",
        "ac",
        "acronym",
        "bdg",
        "code",
        "command",
        "dfn",
        "emphasis",
        "eq",
        "file",
        "fa",
        "guilabel",
        "i",
        "index",
        "kbd",
        "literal",
        "literal-emphasis",
        "mailheader",
        "makevar",
        "manpage",
        "math",
        "menuselection",
        "mimetype",
        "newsgroup",
        "octicon",
        "program",
        "raw-html",
        "raw-latex",
        "raw-role",
        "regexp",
        "samp",
        "strike",
        "strong",
        "sub",
        "subscript",
        "substitution-code",
        "sup",
        "superscript",
        "t",
        "title",
        "title-reference",
        "token",
        "underline",
        "keyword",
    ];
    ROLES.contains(&role)
        || role.starts_with("bdg-")
        || role.starts_with("fa-")
        || role.starts_with("material-")
}

/// Returns whether a URL in the text of a role is code: `` :file:`http://h/` ``.
pub(crate) fn is_code(role: &str) -> bool {
    matches!(
        role,
        "code" | "command" | "file" | "kbd" | "literal" | "makevar" | "math" | "program" | "regexp" | "samp"
    )
}
