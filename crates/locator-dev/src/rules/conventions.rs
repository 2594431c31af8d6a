//! Conventions of the source that types cannot express: an edition and a scheme are data, code that
//! is generic over the SIMD backend is inlined, and `locator` shows few internals.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, parse::Parser, punctuated::Punctuated};

use super::source::{CrateSource, SourceFile, Violation};

/// The modules of `locator` that may contain names of schemes: their own, and two tables.
const LISTS_SCHEMES: [&str; 3] = ["scheme", "equivalence", "text::evident"];

/// The names of schemes. Those that are words of other things too, such as `file` and `news`, are
/// left out where code would need them.
const SCHEMES: [&str; 28] = [
    "http",
    "https",
    "ws",
    "wss",
    "ftp",
    "ftps",
    "gopher",
    "mailto",
    "mid",
    "cid",
    "news",
    "snews",
    "nntp",
    "telnet",
    "rlogin",
    "tn3270",
    "wais",
    "prospero",
    "afs",
    "whois",
    "urn",
    "data",
    "x500",
    "nfs",
    "mailserver",
    "z39.50",
    "z39.50s",
    "z39.50r",
];

/// How many names the module `internal` of `locator` has at most.
const INTERNAL_NAMES: usize = 16;

/// Returns what a crate does that its conventions forbid.
///
/// Those of `locator` itself are checked if `is_library`.
pub(super) fn violations(source: &CrateSource, is_library: bool) -> Vec<Violation> {
    let roots = source.files.first().map(|root| modules_of(&root.syntax)).unwrap_or_default();
    let mut violations = Vec::new();
    for file in &source.files {
        let is_edition = is_library && file.is_within("edition");
        let lists_schemes = LISTS_SCHEMES.iter().any(|module| file.is_within(module));
        let mut reader = Reader {
            file,
            roots: &roots,
            may_compare_editions: is_edition,
            may_name_schemes: !is_library || lists_schemes || file.module.is_empty(),
            is_library,
            violations: &mut violations,
        };
        reader.visit_file(&file.syntax);
    }
    if is_library && let Some(root) = source.files.first() {
        violations.extend(too_many_internals(root));
    }
    violations
}

fn modules_of(root: &syn::File) -> BTreeSet<String> {
    let name = |item: &syn::Item| match item {
        syn::Item::Mod(item) => Some(item.ident.to_string()),
        _ => None,
    };
    root.items.iter().filter_map(name).collect()
}

/// Returns a violation if the hidden module for `locator-audit` has too many names.
fn too_many_internals(root: &SourceFile) -> Option<Violation> {
    fn names(tree: &syn::UseTree) -> usize {
        match tree {
            syn::UseTree::Path(path) => names(&path.tree),
            syn::UseTree::Group(group) => group.items.iter().map(names).sum(),
            _ => 1,
        }
    }
    let internal = root.syntax.items.iter().find_map(|item| match item {
        syn::Item::Mod(item) if item.ident == "internal" => Some(item),
        _ => None,
    })?;
    let items = &internal.content.as_ref()?.1;
    let count: usize =
        items.iter().map(|item| if let syn::Item::Use(item) = item { names(&item.tree) } else { 1 }).sum();
    (count > INTERNAL_NAMES).then(|| Violation {
        path: root.path.clone(),
        line: internal.ident.span().start().line,
        message: format!("the module internal has {count} names, more than {INTERNAL_NAMES}"),
    })
}

struct Reader<'r> {
    file: &'r SourceFile,
    /// The modules that the root declares.
    roots: &'r BTreeSet<String>,
    may_compare_editions: bool,
    may_name_schemes: bool,
    is_library: bool,
    violations: &'r mut Vec<Violation>,
}

impl Reader<'_> {
    fn report(&mut self, span: Span, message: impl Into<String>) {
        let (path, line) = (self.file.path.clone(), span.start().line);
        self.violations.push(Violation { path, line, message: message.into() });
    }

    fn compares_edition(&mut self, span: Span) {
        if !self.may_compare_editions {
            self.report(span, "compares editions outside edition/: make the question a field of Edition");
        }
    }

    /// Checks that a path of this crate begins with the module of the item, not with a re-export.
    fn check_root(&mut self, first: &syn::Ident, second: &syn::Ident) {
        let name = second.to_string();
        let is_constant =
            name.chars().all(|letter| letter.is_uppercase() || letter == '_' || letter.is_ascii_digit());
        if self.is_library
            && first == "crate"
            && !self.file.module.is_empty()
            && !self.roots.contains(&name)
            && !is_constant
        {
            self.report(second.span(), format!("crate::{name}: use the path of its module"));
        }
    }

    fn check_text(&mut self, text: &str, span: Span) {
        if !self.may_name_schemes && SCHEMES.contains(&text.strip_suffix(':').unwrap_or(text)) {
            self.report(span, format!("contains the name of the scheme \"{text}\" outside scheme/"));
        }
    }

    fn check_inlined(&mut self, signature: &syn::Signature, attributes: &[syn::Attribute]) {
        let is_backend = |bound: &syn::TypeParamBound| match bound {
            syn::TypeParamBound::Trait(bound) => bound
                .path
                .segments
                .last()
                .is_some_and(|name| name.ident == "Backend" || name.ident == "RowKernel"),
            _ => false,
        };
        let parameters = signature.generics.type_params().any(|one| one.bounds.iter().any(is_backend));
        let is_bound = signature.generics.where_clause.iter().flat_map(|bounds| &bounds.predicates).any(
            |bound| matches!(bound, syn::WherePredicate::Type(bound) if bound.bounds.iter().any(is_backend)),
        );
        let is_inlined = attributes.iter().any(|attribute| {
            attribute.path().is_ident("inline")
                && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string() == "always")
        });
        if self.is_library && (parameters || is_bound) && !is_inlined {
            let name = &signature.ident;
            self.report(
                name.span(),
                format!("{name} is generic over the SIMD backend and not #[inline(always)]"),
            );
        }
    }

    fn read_texts(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.read_texts(group.stream()),
                TokenTree::Literal(literal) => {
                    let span = literal.span();
                    match syn::Lit::new(literal) {
                        syn::Lit::Str(text) => self.check_text(&text.value(), span),
                        syn::Lit::ByteStr(text) => {
                            self.check_text(&String::from_utf8_lossy(&text.value()), span);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the expression within references and parentheses.
fn inner(mut expression: &Expr) -> &Expr {
    loop {
        expression = match expression {
            Expr::Reference(one) => &one.expr,
            Expr::Paren(one) => &one.expr,
            Expr::Group(one) => &one.expr,
            Expr::Unary(one) if matches!(one.op, syn::UnOp::Deref(_)) => &one.expr,
            _ => return expression,
        };
    }
}

/// Returns whether an expression is the constant of an edition, such as `edition::RFC3986`.
fn is_edition_constant(expression: &Expr) -> bool {
    let Expr::Path(path) = inner(expression) else { return false };
    path.path.segments.last().is_some_and(|last| is_edition_name(&last.ident.to_string()))
}

/// Returns whether a name is that of an edition, such as `RFC3986_WITH_ZONES` or `URL_1994`.
fn is_edition_name(name: &str) -> bool {
    let digits = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
    name == "DEFAULT"
        || ["RFC", "URI_", "URL_"].iter().any(|prefix| name.strip_prefix(prefix).is_some_and(digits))
}

/// Returns whether an expression is an edition by its name: `edition`, `self.edition`, `uri.edition()`.
fn is_edition(expression: &Expr) -> bool {
    match inner(expression) {
        Expr::Path(path) => path.path.is_ident("edition"),
        Expr::Field(field) => matches!(&field.member, syn::Member::Named(name) if name == "edition"),
        Expr::MethodCall(call) => call.method == "edition" && call.args.is_empty(),
        _ => false,
    }
}

/// Returns whether an expression is the name of an edition: `edition.name`.
fn is_name_of_edition(expression: &Expr) -> bool {
    match inner(expression) {
        Expr::Field(field) => {
            matches!(&field.member, syn::Member::Named(name) if name == "name") && is_edition(&field.base)
        }
        Expr::MethodCall(call) => call.method == "name" && is_edition(&call.receiver),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let is_comparison = matches!(binary.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_));
        let sides = [&*binary.left, &*binary.right];
        if is_comparison && sides.iter().any(|side| is_edition_constant(side) || is_name_of_edition(side)) {
            self.compares_edition(inner(&binary.left).span_of());
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_match(&mut self, one: &'ast syn::ExprMatch) {
        if is_edition(&one.expr) || is_name_of_edition(&one.expr) {
            self.compares_edition(one.match_token.span);
        }
        visit::visit_expr_match(self, one);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "contains"
            && let Expr::Array(array) = inner(&call.receiver)
            && array.elems.iter().any(is_edition_constant)
        {
            self.compares_edition(call.method.span());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(function) = &*call.func
            && let Some(last) = function.path.segments.last()
            && (last.ident == "eq" || last.ident == "addr_eq")
            && call.args.iter().any(is_edition_constant)
        {
            self.compares_edition(last.ident.span());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        // The arguments of most macros are expressions; those of `matches!` begin with one.
        let all = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        let first = |input: syn::parse::ParseStream| {
            let first: Expr = input.parse()?;
            input.parse::<TokenStream>()?;
            Ok(first)
        };
        if called.path.is_ident("matches")
            && let Ok(value) = first.parse2(called.tokens.clone())
            && (is_edition(&value) || is_name_of_edition(&value))
        {
            self.compares_edition(value.span_of());
        }
        if let Ok(arguments) = all.parse2(called.tokens.clone()) {
            let texts = self.may_name_schemes;
            self.may_name_schemes = true;
            arguments.iter().for_each(|argument| self.visit_expr(argument));
            self.may_name_schemes = texts;
        }
        self.read_texts(called.tokens.clone());
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.check_text(&text.value(), text.span());
    }

    fn visit_lit_byte_str(&mut self, text: &'ast syn::LitByteStr) {
        self.check_text(&String::from_utf8_lossy(&text.value()), text.span());
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.check_inlined(&function.sig, &function.attrs);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.check_inlined(&function.sig, &function.attrs);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if function.default.is_some() {
            self.check_inlined(&function.sig, &function.attrs);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let [first, second, ..] = &path.segments.iter().collect::<Vec<_>>()[..] {
            self.check_root(&first.ident, &second.ident);
        }
        visit::visit_path(self, path);
    }

    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        fn first_names(tree: &syn::UseTree) -> Vec<&syn::Ident> {
            match tree {
                syn::UseTree::Path(path) => vec![&path.ident],
                syn::UseTree::Name(name) => vec![&name.ident],
                syn::UseTree::Rename(rename) => vec![&rename.ident],
                syn::UseTree::Glob(_) => Vec::new(),
                syn::UseTree::Group(group) => group.items.iter().flat_map(first_names).collect(),
            }
        }
        first_names(&path.tree).into_iter().for_each(|name| self.check_root(&path.ident, name));
        visit::visit_use_path(self, path);
    }

    // Features may have the names of schemes, and documentation mentions them.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

/// The position of an expression.
trait SpanOf {
    fn span_of(&self) -> Span;
}

impl SpanOf for Expr {
    fn span_of(&self) -> Span {
        syn::spanned::Spanned::span(self)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const LIB: &str = "mod edition; mod scheme; mod simd; mod parse; pub use parse::Uri;";

    /// Returns what is wrong with the text of the module `parse`, or of another.
    fn messages_of(module: &str, text: &str) -> Vec<String> {
        let read = |path: &Path| {
            let name = path.with_extension("").to_string_lossy().into_owned();
            Ok(Some(match name.as_str() {
                "lib" => LIB.to_owned(),
                name if name == module => text.to_owned(),
                name if name.ends_with("/mod") => return Ok(None),
                _ => String::new(),
            }))
        };
        let source = CrateSource::read("lib.rs", &read).expect("the text is valid Rust");
        violations(&source, true)
            .into_iter()
            .map(|one| format!("{}:{}: {}", one.path, one.line, one.message))
            .collect()
    }

    #[test]
    fn only_edition_compares_editions() {
        for code in [
            "uri.edition() == &RFC3986",
            "edition::URL_1994 != *edition",
            "DEFAULT == edition",
            "[RFC1738, URL_1997].contains(&edition)",
            "ptr::eq(edition, &RFC3986_WITH_ZONES)",
            "match self.edition { _ => 1 }",
            "match edition.name { _ => 1 }",
            "matches!(uri.edition(), RFC3987 | RFC3986 if true)",
            "edition.name == \"rfc3986\"",
            "assert!(edition == &URI_2003)",
        ] {
            let text = format!("#[cfg(test)] mod tests {{}}\nfn f() {{ {code}; }}");
            let message =
                "parse.rs:2: compares editions outside edition/: make the question a field of Edition";
            assert_eq!(messages_of("parse", &text), [message], "{code}");
            assert!(messages_of("edition", &text).is_empty(), "{code}");
        }
        let text =
            "fn f() { parse(&RFC3986); edition.dots == Dots::Kept; RFC == 1; /* edition == RFC3986 */ }";
        assert!(messages_of("parse", text).is_empty());
    }

    #[test]
    fn only_scheme_names_schemes() {
        for code in ["\"http\"", "b\"ftp\"", "\"mailto:\"", "vec![\"news\"]", "m!(x => \"z39.50r\")"] {
            let text = format!("fn f() {{ {code}; }}");
            assert_eq!(messages_of("parse", &text).len(), 1, "{code}");
            assert!(messages_of("scheme", &text).is_empty(), "{code}");
        }
        let text = "/// \"http\"\n#[cfg(feature = \"http\")] fn f() { \"http://a/\"; \"nothing\"; }";
        assert!(messages_of("parse", text).is_empty());
    }

    #[test]
    fn what_is_generic_over_backends_is_inlined() {
        for function in [
            "fn f<M: Backend>(backend: M) {}",
            "#[inline] fn f<K>(kernel: K) where K: simd::RowKernel {}",
            "impl A { fn f<'a, M: Copy + Backend>(self) {} }",
        ] {
            let message = "parse.rs:1: f is generic over the SIMD backend and not #[inline(always)]";
            assert_eq!(messages_of("parse", function), [message]);
        }
        let text = "#[inline(always)] fn f<M: Backend>(m: M) {} trait A { fn f<M: Backend>(self); } fn g<M: Copy>() {}";
        assert!(messages_of("parse", text).is_empty());
    }

    #[test]
    fn items_are_named_by_their_modules() {
        assert_eq!(
            messages_of("scheme", "use crate::{parse::F, Uri};"),
            ["scheme.rs:1: crate::Uri: use the path of its module"]
        );
        assert_eq!(messages_of("scheme", "fn f(_: crate::Uri) {}").len(), 1);
        assert!(messages_of("scheme", "use crate::parse::Uri; const A: u8 = crate::SIZE;").is_empty());
    }

    #[test]
    fn internal_is_small() {
        let root = |names: usize| {
            let names: Vec<String> = (0..names).map(|name| format!("N{name}")).collect();
            let text =
                format!("pub mod internal {{ pub use crate::a::{{b::B as C, {}}}; }}", names.join(", "));
            let syntax = syn::parse_file(&text).expect("valid Rust");
            SourceFile { path: "lib.rs".to_owned(), module: Vec::new(), syntax }
        };
        assert!(too_many_internals(&root(15)).is_none());
        assert!(too_many_internals(&root(16)).is_some());
    }
}
