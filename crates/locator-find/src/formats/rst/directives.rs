//! The directives of reStructuredText: reads what is after ".. name::", the options below it, and the content that is no
//! text. The content that is text is read as any other, so that blocks nest without recursion.

use std::ops::{ControlFlow, Range};

use super::kinds::{Argument, Content, argument_of, content_of};
use super::names::{make_id, uri};
use super::{Glossary, Reader, directive_length, field_length, with_scheme};
use crate::formats::lightweight::{Line, end_of_indented};
use crate::link::{Context, LabelKind};

/// The options of a directive, each with the place of its value.
struct Options<'t>(Vec<(&'t str, Range<usize>)>);

impl Options<'_> {
    fn get(&self, name: &str) -> Option<Range<usize>> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone())
    }
}

/// How many options of a directive are read.
const MOST_OPTIONS: usize = 64;

impl<'t> Reader<'_, 't> {
    /// Reads a directive whose name begins at `start`.
    pub(super) fn directive(&mut self, line: Line, start: usize) -> ControlFlow<()> {
        let text = self.prose.text();
        let length = directive_length(self.slice(start..line.end)).unwrap_or_default();
        let name = self.slice(start..start + length);
        let argument_start = start + length + 2;
        let mut argument = argument_start..line.end;
        self.at = line.next;
        let is_list = matches!(content_of(name, ""), Content::Documents | Content::Terms);
        // The lines up to the first option.
        while let Some(next) = self.head_line(line.indent) {
            let is_argument = !is_list && !next.of(text).starts_with("..");
            if !is_argument || field_length(next.of(text)).is_some() {
                break;
            }
            argument.end = next.end;
            self.at = next.next;
        }
        let head = self.at;
        let options = self.options(line.indent);
        let written = self.slice(argument.clone());
        argument.start = argument.end - written.trim_start().len();
        self.argument(name, argument.clone());
        self.prose.keep(head);
        self.named_options(name, &options);
        self.prose.keep(self.at);
        self.content(content_of(name, self.slice(argument)), line.indent, &options)
    }

    /// Returns the next line, if it belongs to the argument or the options of a directive.
    fn head_line(&self, indent: usize) -> Option<Line> {
        Line::at(self.prose.text(), self.at).filter(|line| !line.is_blank() && line.indent > indent)
    }

    fn options(&mut self, indent: usize) -> Options<'t> {
        let text = self.prose.text();
        let mut options: Vec<(&'t str, Range<usize>)> = Vec::new();
        let mut column = 0;
        while let Some(line) = self.head_line(indent) {
            let written = line.of(text);
            match field_length(written) {
                Some(length) if options.is_empty() || line.indent <= column => {
                    let name = written.get(1..length - 1).unwrap_or_default();
                    column = line.indent;
                    if options.len() < MOST_OPTIONS {
                        let value = (line.text + length).min(line.end);
                        let blank = self.slice(value..line.end);
                        options.push((name, line.end - blank.trim_start().len()..line.end));
                    }
                }
                // A value goes on in lines that are indented by more.
                _ if line.indent > column => {
                    if let Some((_, value)) = options.last_mut() {
                        value.end = line.end;
                    }
                }
                _ => break,
            }
            self.at = line.next;
        }
        Options(options)
    }

    /// Reads the argument of a directive.
    fn argument(&mut self, name: &'t str, span: Range<usize>) {
        let written = self.slice(span.clone());
        if written.is_empty() {
            return;
        }
        match argument_of(name) {
            Argument::Text => self.inline(span.start, span.end),
            Argument::Word => {}
            Argument::Image | Argument::Url => self.path(name, span),
            Argument::File => {
                // The files of docutils itself: `<isonum.txt>`. A path has one line.
                if !written.starts_with('<') && !written.contains('\n') {
                    self.path(name, span);
                }
            }
            Argument::Object => self.objects(span),
            Argument::Option => self.option_names(span),
            Argument::Variable => {
                let id = format!("envvar-{}", make_id(written));
                self.named(span, written, &id, LabelKind::Variable);
            }
            Argument::Program => {
                self.program = if written.trim() == "None" { "" } else { written.trim() };
            }
            Argument::Module => {
                let module = written.split_ascii_whitespace().next().unwrap_or_default();
                self.named(span.clone(), module, &format!("module-{module}"), LabelKind::Object);
                self.prose.anchor(span, module);
            }
        }
    }

    fn named(&mut self, span: Range<usize>, name: &str, id: &str, kind: LabelKind) {
        self.ids.add(id);
        self.prose.anchor(span.clone(), id);
        self.prose.label(span, name, kind);
    }

    /// Reads a path or a URL, from which white space is removed. Only the path of a file that is included may have blanks
    /// (`directives.path` of docutils).
    fn path(&mut self, name: &'t str, span: Range<usize>) {
        let url = match argument_of(name) {
            Argument::File => self.slice(span.clone()).trim().to_owned(),
            _ => uri(self.slice(span.clone())),
        };
        self.prose.keep(span.start);
        // Sphinx chooses one of several formats: `a.*`.
        match url.ends_with(".*") {
            true => self.prose.cross_reference(span.clone(), url, Context::Directive(name)),
            false => self.prose.link(span.clone(), url, Context::Directive(name)),
        }
        self.prose.skip(span.end);
    }

    /// Reads the signatures of objects, one a line.
    fn objects(&mut self, span: Range<usize>) {
        let mut start = span.start;
        for written in self.slice(span).split_inclusive('\n') {
            let line = written.trim_start();
            start += written.len() - line.len();
            let end = line.find(['(', '\n', ' ', '[']).filter(|at| *at > 0).unwrap_or(line.len());
            // "class name(x)", "int f(int)": the name is the last word before the parenthesis.
            let before = line.split(['(', '\n', '[']).next().unwrap_or_default().trim_end();
            let name = before.rsplit([' ', '*']).next().unwrap_or_default();
            if !name.is_empty() {
                self.named(start..start + end, name, name, LabelKind::Object);
            }
            start += line.len();
        }
    }

    /// Reads the names of options: `-f <file>, --file=<file>`.
    fn option_names(&mut self, span: Range<usize>) {
        let mut start = span.start;
        for given in self.slice(span).split_inclusive([',', '\n']) {
            let line = given.trim_start();
            start += given.len() - line.len();
            let written = line.trim_matches(|one: char| one.is_whitespace() || one == ',');
            let name = written.split(['=', ' ', '[']).next().unwrap_or_default();
            if !name.is_empty() {
                let program = if self.program.is_empty() {
                    String::new()
                } else {
                    format!("{}-", make_id(self.program))
                };
                let id = format!("cmdoption-{program}{}", make_id(name));
                self.named(start..start + line.trim_end().len(), name, &id, LabelKind::Option);
            }
            start += line.len();
        }
    }

    /// Reads the options that are links or names.
    fn named_options(&mut self, directive: &'t str, options: &Options<'t>) {
        let mut known: Vec<(&'t str, Range<usize>)> = options.0.clone();
        known.sort_by_key(|(_, span)| span.start);
        let kind = options.get("link-type").map_or("url", |span| self.slice(span).trim());
        for (option, span) in known {
            let value = self.slice(span.clone());
            match option {
                _ if value.is_empty() => {}
                "name" => self.give_name(value, span),
                "target" => self.image_target(directive, span),
                "file" | "url" | "diff" => self.path(directive, span),
                "link" => {
                    self.prose.keep(span.start);
                    match kind {
                        "url" => self.prose.link(
                            span.clone(),
                            with_scheme(uri(value)),
                            Context::Directive(directive),
                        ),
                        role => self.prose.cross_reference(span.clone(), value.trim(), Context::Role(role)),
                    }
                    self.prose.skip(span.end);
                }
                _ => {}
            }
        }
    }

    /// Reads the target of an image: a URI or the name of a target.
    fn image_target(&mut self, directive: &'t str, span: Range<usize>) {
        let value = self.slice(span.clone());
        self.prose.keep(span.start);
        let alias =
            value.strip_suffix('_').filter(|name| !name.ends_with('\\') && !name.contains(['/', ':']));
        match alias {
            Some(name) => {
                self.prose.cross_reference(span.clone(), name.trim_matches('`'), Context::Hyperlink);
            }
            None => self.prose.link(span.clone(), with_scheme(uri(value)), Context::Directive(directive)),
        }
        self.prose.skip(span.end);
    }

    /// Reads content that is no text.
    fn content(&mut self, content: Content, indent: usize, options: &Options<'t>) -> ControlFlow<()> {
        match content {
            Content::Text | Content::Rst => {}
            Content::Code => {
                self.at = end_of_indented(self.prose.text(), self.at, indent);
                self.prose.keep_code(self.at);
            }
            Content::Html => {
                self.at = end_of_indented(self.prose.text(), self.at, indent);
                self.prose.embed(self.at, "text/html")?;
            }
            Content::Documents => self.documents(indent, options.get("glob").is_some()),
            Content::Terms => self.glossary = Some(Glossary { directive: indent, terms: None }),
        }
        ControlFlow::Continue(())
    }

    /// Reads the entries of a `toctree`: `title <document>`, or a document.
    fn documents(&mut self, indent: usize, is_pattern: bool) {
        let end = end_of_indented(self.prose.text(), self.at, indent);
        while let Some(line) = Line::at(self.prose.text(), self.at).filter(|line| line.start < end) {
            self.at = line.next;
            let entry = line.of(self.prose.text());
            let bracket = entry.strip_suffix('>').and_then(|inner| Some((inner.rfind('<')?, inner.len())));
            let (start, stop) = bracket.map_or((0, entry.len()), |(open, close)| (open + 1, close));
            let target = entry.get(start..stop).unwrap_or_default();
            let span = line.text + start..line.text + stop;
            self.prose.keep(span.start);
            match () {
                () if target.is_empty() || target == "self" || entry.starts_with("..") => {}
                () if is_pattern && target.contains(['*', '?', '[']) => {}
                () if target.contains("://") => {
                    self.prose.link(span.clone(), target, Context::Directive("toctree"));
                }
                () => self.prose.cross_reference(span.clone(), target, Context::Directive("toctree")),
            }
            self.prose.skip(span.end);
            self.prose.keep(line.next);
        }
    }
}
