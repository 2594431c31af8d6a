//! Imports point one way: no circle between the files of a crate, nor between modules that are
//! declared beside each other.
//!
//! A file imports another if it names an item that the other defines: in a `use`, in any path of an
//! expression, a type, an attribute or a macro (`$crate::…` too), or as a macro. A name is followed
//! through re-exports to the file that defines it. So a file that declares and re-exports its
//! children imports nothing by that, and a file that takes a name from there imports the child.
//! A module includes the files of its folder. Circles between crates are refused by Cargo.
//!
//! Names that a macro defines are taken for names of the module where it is called, and methods are
//! not followed: both need types.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::source::{CrateSource, Violation, is_for_tests};

/// Returns a violation for each circle of a crate, with the imports of the shortest way around it.
pub(super) fn circles(source: &CrateSource) -> Vec<Violation> {
    let names = Names::read(source);
    let imports = names.imports();
    let mut violations = Vec::new();
    let files: Graph<usize> = imports.iter().map(|(&edge, lines)| (edge, lines.clone())).collect();
    for circle in circles_of(&files) {
        violations.push(describe(source, &circle, &files, "files", |&file| source.files[file].path.clone()));
    }
    for parent in &source.files {
        let modules = between_children(source, &parent.module, &imports);
        for circle in circles_of(&modules) {
            violations.push(describe(source, &circle, &modules, "modules", |module| {
                parent.module.iter().cloned().chain([module.clone()]).collect::<Vec<_>>().join("::")
            }));
        }
    }
    violations
}

/// Where a file names an item of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Import {
    file: usize,
    line: usize,
    path: String,
}

/// Edges between nodes, each with the imports that it consists of.
type Graph<N> = BTreeMap<(N, N), BTreeSet<Import>>;

/// Returns the imports between the modules that one module declares.
fn between_children(source: &CrateSource, parent: &[String], imports: &Graph<usize>) -> Graph<String> {
    let child = |file: usize| source.files[file].module.strip_prefix(parent)?.first();
    let mut graph = Graph::new();
    for (&(from, to), lines) in imports {
        if let (Some(from), Some(to)) = (child(from), child(to))
            && from != to
        {
            graph
                .entry((from.clone(), to.clone()))
                .or_insert_with(BTreeSet::new)
                .extend(lines.iter().cloned());
        }
    }
    graph
}

/// Returns a way around each circle, the shortest.
fn circles_of<N: Ord + Clone>(graph: &Graph<N>) -> Vec<Vec<N>> {
    let mut next = BTreeMap::<&N, Vec<&N>>::new();
    for (from, to) in graph.keys() {
        next.entry(from).or_default().push(to);
    }
    let mut ways: Vec<Vec<N>> = Vec::new();
    let mut known = BTreeSet::new();
    let mut circles: Vec<Vec<&N>> = next.keys().filter_map(|&start| way_around(start, &next)).collect();
    circles.sort_by_key(Vec::len);
    for circle in circles {
        // Files of a circle that is reported already are reported when it is mended.
        if circle.iter().all(|node| !known.contains(node)) {
            known.extend(circle.iter().copied());
            ways.push(circle.into_iter().cloned().collect());
        }
    }
    ways
}

/// Returns the shortest way from a node to itself.
fn way_around<'n, N: Ord>(start: &'n N, next: &BTreeMap<&'n N, Vec<&'n N>>) -> Option<Vec<&'n N>> {
    let mut before = BTreeMap::<&N, &N>::new();
    let mut todo = vec![start];
    let mut at = 0;
    while at < todo.len() {
        let node = todo[at];
        at += 1;
        for &other in next.get(node).into_iter().flatten() {
            if other == start {
                let mut way = vec![node];
                while let Some(&node) = before.get(way[way.len() - 1])
                    && way[way.len() - 1] != start
                {
                    way.push(node);
                }
                way.reverse();
                return Some(way);
            }
            if !before.contains_key(other) {
                before.insert(other, node);
                todo.push(other);
            }
        }
    }
    None
}

/// Describes a circle, import by import, and says which is the easiest to change: that with the fewest names.
fn describe<N: Ord + Clone>(
    source: &CrateSource,
    way: &[N],
    graph: &Graph<N>,
    what: &str,
    name: impl Fn(&N) -> String,
) -> Violation {
    let steps: Vec<_> = way
        .iter()
        .zip(way.iter().cycle().skip(1))
        .map(|(from, to)| (from, to, &graph[&(from.clone(), to.clone())]))
        .collect();
    let fewest = steps.iter().map(|(_, _, imports)| imports.len()).min().unwrap_or(0);
    let mut message = format!("{} {what} import each other:", way.len());
    let mut is_marked = false;
    for (from, to, imports) in &steps {
        message.push_str(&format!("\n  {} imports {}", name(from), name(to)));
        let is_fewest = imports.len() == fewest && !is_marked;
        is_marked |= is_fewest;
        if is_fewest {
            message.push_str(" (change this import: it has the fewest names)");
        }
        for import in imports.iter().take(if is_fewest { usize::MAX } else { 1 }) {
            let path = &source.files[import.file].path;
            message.push_str(&format!("\n    {path}:{}: {}", import.line, import.path));
        }
    }
    let first = steps.iter().find_map(|(_, _, imports)| imports.first());
    let (path, line) =
        first.map_or((String::new(), 0), |import| (source.files[import.file].path.clone(), import.line));
    Violation { path, line, message }
}

/// A module of a crate: a file, or written within one.
#[derive(Default)]
struct Module {
    file: usize,
    parent: usize,
    children: HashMap<String, usize>,
    /// The names that its items define.
    defined: HashSet<String>,
    /// What `use` brings in, by name: more than one if it depends on `cfg`, or on the namespace.
    uses: HashMap<String, Vec<Use>>,
    globs: Vec<Vec<String>>,
    mentions: Vec<Mention>,
}

/// What a `use` brings in.
struct Use {
    path: Vec<String>,
    line: usize,
    is_public: bool,
}

/// A path in code, an attribute or a macro.
struct Mention {
    path: Vec<String>,
    line: usize,
    is_macro: bool,
    is_glob: bool,
}

/// The modules of a crate with their names.
struct Names {
    modules: Vec<Module>,
    /// Where each `macro_rules!` is defined.
    macros: HashMap<String, usize>,
}

/// What the resolution of a path has followed already: imports may name each other.
type Followed = HashSet<(usize, String)>;

impl Names {
    fn read(source: &CrateSource) -> Self {
        let mut names = Self { modules: vec![Module::default()], macros: HashMap::new() };
        for (file, one) in source.files.iter().enumerate() {
            let module = one.module.iter().fold(0, |parent, name| names.child(parent, name, file));
            names.modules[module].file = file;
            let mut reader = Reader { names: &mut names, module, file };
            reader.visit_file(&one.syntax);
        }
        names
    }

    /// Returns the module of a name within another, which is new if it is not known.
    fn child(&mut self, parent: usize, name: &str, file: usize) -> usize {
        if let Some(&child) = self.modules[parent].children.get(name) {
            return child;
        }
        let child = self.modules.len();
        self.modules.push(Module { file, parent, ..Module::default() });
        self.modules[parent].children.insert(name.to_owned(), child);
        child
    }

    /// Returns the imports of all files.
    fn imports(&self) -> Graph<usize> {
        let mut graph = Graph::new();
        for module in 0..self.modules.len() {
            self.imports_of(module, &mut graph);
        }
        graph
    }

    fn imports_of(&self, module: usize, graph: &mut Graph<usize>) {
        let names = &self.modules[module];
        let mut add = |path: &[String], line: usize, files: &BTreeSet<usize>| {
            for &file in files.iter().filter(|&&file| file != names.file) {
                let import = Import { file: names.file, line, path: path.join("::") };
                graph.entry((names.file, file)).or_default().insert(import);
            }
        };
        let words: HashSet<&str> = names.mentions.iter().map(|mention| mention.path[0].as_str()).collect();
        let mut used: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (name, uses) in &names.uses {
            // A re-export is an import only where the file itself uses the name.
            for one in uses.iter().filter(|one| !one.is_public || words.contains(name.as_str())) {
                let mut followed = Followed::from([(module, name.clone())]);
                let files = self.resolve(module, &one.path, &mut followed);
                add(&one.path, one.line, &files);
                used.entry(name).or_default().extend(files);
            }
        }
        for mention in &names.mentions {
            let mut files = self.files_of(module, mention);
            // What a `use` has brought in is imported there.
            if let Some(used) = used.get(mention.path[0].as_str()) {
                files.retain(|file| !used.contains(file));
            }
            add(&mention.path, mention.line, &files);
        }
    }

    fn files_of(&self, module: usize, mention: &Mention) -> BTreeSet<usize> {
        let names = &self.modules[module];
        match &mention.path[..] {
            // One word may be a variable; it is never a module.
            [name] if names.children.contains_key(name) && !mention.is_glob => BTreeSet::new(),
            [name] if mention.is_macro && !names.uses.contains_key(name) => {
                self.macros.get(name).map(|&defined| self.modules[defined].file).into_iter().collect()
            }
            path => self.resolve(module, path, &mut Followed::new()),
        }
    }

    /// Returns the files that define what a path means in a module; none if it leads to another crate.
    fn resolve(&self, module: usize, path: &[String], followed: &mut Followed) -> BTreeSet<usize> {
        let (mut at, mut rest) = (module, path);
        let mut is_inside = false;
        while let Some((first, after)) = rest.split_first() {
            at = match first.as_str() {
                "crate" => 0,
                "self" => at,
                "super" => self.modules[at].parent,
                _ => break,
            };
            (rest, is_inside) = (after, true);
        }
        let files = self.look_up(at, rest, followed);
        if files.is_empty() && is_inside {
            // A name that a macro defines.
            return BTreeSet::from([self.modules[at].file]);
        }
        files
    }

    /// Returns the files that define what a path means that begins with a name of the module.
    fn look_up(&self, module: usize, path: &[String], followed: &mut Followed) -> BTreeSet<usize> {
        let names = &self.modules[module];
        let Some((first, rest)) = path.split_first() else {
            return BTreeSet::from([names.file]);
        };
        if let Some(&child) = names.children.get(first) {
            let files = self.look_up(child, rest, followed);
            // A name that a macro defines.
            return if files.is_empty() { BTreeSet::from([self.modules[child].file]) } else { files };
        }
        if names.defined.contains(first) {
            return BTreeSet::from([names.file]);
        }
        let mut files = BTreeSet::new();
        if let Some(uses) = names.uses.get(first) {
            if followed.insert((module, first.clone())) {
                for one in uses {
                    let path: Vec<_> = one.path.iter().chain(rest).cloned().collect();
                    files.extend(self.resolve(module, &path, followed));
                }
            }
            return files;
        }
        for (index, glob) in names.globs.iter().enumerate() {
            if followed.insert((module, format!("* {index} {first}"))) {
                files.extend(self.look_up_in_glob(module, glob, path, followed));
            }
        }
        files
    }

    /// Returns the files that define a path that a glob brings in, if it does.
    fn look_up_in_glob(
        &self,
        module: usize,
        glob: &[String],
        path: &[String],
        followed: &mut Followed,
    ) -> BTreeSet<usize> {
        self.module_of(module, glob, followed)
            .map_or_else(BTreeSet::new, |of| self.look_up(of, path, followed))
    }

    /// Returns the module that a path means.
    fn module_of(&self, module: usize, path: &[String], followed: &mut Followed) -> Option<usize> {
        let mut at = module;
        for (index, name) in path.iter().enumerate() {
            at = match name.as_str() {
                "crate" => 0,
                "self" => at,
                "super" => self.modules[at].parent,
                name => match self.modules[at].children.get(name) {
                    Some(&child) => child,
                    None => {
                        let one = self.modules[at].uses.get(name)?.first()?;
                        if !followed.insert((at, name.to_owned())) {
                            return None;
                        }
                        let path: Vec<_> = one.path.iter().chain(&path[index + 1..]).cloned().collect();
                        return self.module_of(at, &path, followed);
                    }
                },
            };
        }
        Some(at)
    }
}

/// Reads the names of a file.
struct Reader<'n> {
    names: &'n mut Names,
    module: usize,
    file: usize,
}

impl Reader<'_> {
    fn module(&mut self) -> &mut Module {
        &mut self.names.modules[self.module]
    }

    fn mention(&mut self, path: Vec<String>, span: Span, is_macro: bool) {
        let line = span.start().line;
        self.module().mentions.push(Mention { path, line, is_macro, is_glob: false });
    }

    fn define(&mut self, name: &syn::Ident) {
        self.module().defined.insert(name.to_string());
    }

    fn read_use(&mut self, tree: &syn::UseTree, before: &[String], is_public: bool) {
        let follow = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>();
        match tree {
            syn::UseTree::Path(path) => self.read_use(&path.tree, &follow(&path.ident), is_public),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.read_use(tree, before, is_public));
            }
            syn::UseTree::Glob(glob) => {
                let line = glob.star_token.spans[0].start().line;
                let path = before.to_vec();
                self.module().globs.push(path.clone());
                if !is_public {
                    let mention = Mention { path, line, is_macro: false, is_glob: true };
                    self.module().mentions.push(mention);
                }
            }
            syn::UseTree::Name(name) if name.ident == "self" => {
                if let Some(alias) = before.last() {
                    self.bring_in(alias.clone(), before.to_vec(), name.ident.span(), is_public);
                }
            }
            syn::UseTree::Name(name) => {
                self.bring_in(name.ident.to_string(), follow(&name.ident), name.ident.span(), is_public);
            }
            syn::UseTree::Rename(rename) => {
                let is_self = rename.ident == "self";
                let path = if is_self { before.to_vec() } else { follow(&rename.ident) };
                self.bring_in(rename.rename.to_string(), path, rename.ident.span(), is_public);
            }
        }
    }

    fn bring_in(&mut self, name: String, path: Vec<String>, span: Span, is_public: bool) {
        let line = span.start().line;
        self.module().uses.entry(name).or_default().push(Use { path, line, is_public });
    }

    /// Reads the paths of what a macro is given or consists of, which is not parsed.
    fn read_tokens(&mut self, tokens: TokenStream, before: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => {
                    self.read_tokens(group.stream(), &[]);
                    at += 1;
                }
                TokenTree::Ident(name) if !is_member(&tokens[..at]) && name != "mod" => {
                    at = self.read_path(&tokens, at, before);
                }
                TokenTree::Ident(name) if name == "mod" => at += 2,
                _ => at += 1,
            }
        }
    }

    /// Reads the path that begins at a token, and returns the index after it.
    fn read_path(&mut self, tokens: &[TokenTree], start: usize, before: &[String]) -> usize {
        let mut path = before.to_vec();
        let mut at = start;
        while let Some(TokenTree::Ident(name)) = tokens.get(at) {
            path.push(name.to_string());
            at += 1;
            if !is_path_separator(tokens, at) {
                break;
            }
            match tokens.get(at + 2) {
                Some(TokenTree::Ident(_)) => at += 2,
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    self.read_tokens(group.stream(), &path);
                    return at + 3;
                }
                _ => break,
            }
        }
        let is_macro = matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
        self.mention(path, tokens[start].span(), is_macro);
        at
    }

    /// Reads a text in an attribute that is a path, such as that of `#[serde(with = "crate::names")]`.
    fn read_texts(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.read_texts(group.stream()),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let path: Vec<String> = text.trim_matches('"').split("::").map(str::to_owned).collect();
                    if ["crate", "self", "super"].contains(&path[0].as_str()) && path.len() > 1 {
                        self.mention(path, literal.span(), false);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns whether what follows these tokens is no path of its own: a field, a method, a variable of a macro.
fn is_member(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Punct(mark)] => match mark.as_char() {
            '.' => !matches!(before, [.., TokenTree::Punct(first), _] if first.as_char() == '.'),
            ':' => is_path_separator(before, before.len().saturating_sub(2)),
            '\'' => true,
            _ => false,
        },
        _ => false,
    }
}

fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    is_colon(at) && is_colon(at + 1)
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Const(item) => self.define(&item.ident),
            syn::Item::Enum(item) => self.define(&item.ident),
            syn::Item::Fn(item) => self.define(&item.sig.ident),
            syn::Item::Static(item) => self.define(&item.ident),
            syn::Item::Struct(item) => self.define(&item.ident),
            syn::Item::Trait(item) => self.define(&item.ident),
            syn::Item::Type(item) => self.define(&item.ident),
            syn::Item::Union(item) => self.define(&item.ident),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        item.attrs.iter().for_each(|attribute| self.visit_attribute(attribute));
        if let Some((_, items)) = &item.content {
            let parent = self.module;
            self.module = self.names.child(parent, &item.ident.to_string(), self.file);
            items.iter().for_each(|item| self.visit_item(item));
            self.module = parent;
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            let is_public = !matches!(item.vis, syn::Visibility::Inherited);
            self.read_use(&item.tree, &[], is_public);
        }
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if let Some(name) = &item.ident {
            self.define(name);
            let module = self.module;
            self.names.macros.insert(name.to_string(), module);
        }
        visit::visit_item_macro(self, item);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if !is_for_tests(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first()
        {
            let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.mention(names, first.ident.span(), false);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let names = called.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(first) = called.path.segments.first() {
            self.mention(names, first.ident.span(), true);
        }
        self.read_tokens(called.tokens.clone(), &[]);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if attribute.path().is_ident("doc") {
            return;
        }
        if let syn::Meta::List(list) = &attribute.meta {
            self.read_tokens(list.tokens.clone(), &[]);
            self.read_texts(list.tokens.clone());
        }
        visit::visit_attribute(self, attribute);
    }

    // Where an item is visible is no import: `pub(in crate::a)`.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn crate_of(files: &[(&str, &str)]) -> CrateSource {
        let read = |path: &Path| {
            let text = files.iter().find(|(name, _)| Path::new(name) == path);
            Ok(text.map(|(_, text)| (*text).to_owned()))
        };
        CrateSource::read("lib.rs", &read).expect("the files are valid Rust")
    }

    fn imports_of(files: &[(&str, &str)]) -> Vec<String> {
        let source = crate_of(files);
        let name = |file: usize| source.files[file].path.trim_end_matches(".rs").to_owned();
        let imports = Names::read(&source).imports();
        imports.keys().map(|&(from, to)| format!("{} > {}", name(from), name(to))).collect()
    }

    const LIB: (&str, &str) = ("lib.rs", "mod a; mod b;");

    #[test]
    fn a_use_and_a_path_are_imports() {
        let b = ("b.rs", "pub fn f() { crate::a::g() }");
        assert_eq!(imports_of(&[LIB, ("a.rs", "use crate::b::{self, f};"), b]), ["a > b", "b > a"]);
        for text in [
            "fn g() -> super::b::B { todo!() }",
            "fn g() { let _: Vec<crate::b::B>; }",
            "#[command(help = crate::b::HELP)] struct A;",
            "#[serde(with = \"crate::b\")] struct A;",
            "use crate::b as x; fn g() { x::f() }",
            "fn g() { println!(\"{}\", crate::b::f()) }",
            "mod inner { use super::super::b::f; }",
            "mod inner { fn g() { use crate::{b::f}; } }",
            "use crate::b::*;",
            "impl crate::b::T for u8 {}",
        ] {
            assert_eq!(imports_of(&[LIB, ("a.rs", text), ("b.rs", "")]), ["a > b"], "{text}");
        }
    }

    #[test]
    fn the_body_of_a_macro_counts_and_so_does_a_call_by_name() {
        let a = ("a.rs", "macro_rules! m { ($x:expr) => { $crate::b::f($x) } }");
        assert_eq!(imports_of(&[LIB, a, ("b.rs", "")]), ["a > b"]);
        let a = ("a.rs", "macro_rules! m { () => { use $crate::{a::y, b::{f, g}}; } }");
        assert_eq!(imports_of(&[LIB, a, ("b.rs", "")]), ["a > b"]);
        let lib = ("lib.rs", "#[macro_use] mod a; mod b;");
        let b = ("b.rs", "m!(1);");
        assert_eq!(imports_of(&[lib, ("a.rs", "macro_rules! m { ($x:expr) => {} }"), b]), ["b > a"]);
    }

    #[test]
    fn code_after_tests_counts_and_tests_do_not() {
        let tests = "#[cfg(test)] mod tests { use crate::b::f; }";
        let all = "#[cfg(all(test, feature = \"x\"))] use crate::b::f; #[cfg(test)] mod more;";
        assert!(imports_of(&[LIB, ("a.rs", tests), ("b.rs", "")]).is_empty());
        assert!(imports_of(&[LIB, ("a.rs", all), ("b.rs", "")]).is_empty());
        let after = format!("{tests} fn g() {{ crate::b::f() }}");
        assert_eq!(imports_of(&[LIB, ("a.rs", &after), ("b.rs", "")]), ["a > b"]);
    }

    #[test]
    fn a_re_export_is_followed_to_its_file() {
        let lib = ("lib.rs", "mod a;");
        let c = ("a/c.rs", "pub struct C;");
        // A parent that declares and re-exports imports nothing.
        assert!(imports_of(&[lib, ("a.rs", "mod c; pub(crate) use c::C;"), c]).is_empty());
        assert_eq!(
            imports_of(&[LIB, ("a.rs", "mod c; pub use c::C;"), c, ("b.rs", "use crate::a::C;")]),
            ["b > a/c"]
        );
        assert_eq!(
            imports_of(&[
                LIB,
                ("a.rs", "mod c; pub use c::*;"),
                c,
                ("b.rs", "use crate::a::*; fn f(_: C) {}")
            ]),
            ["b > a", "b > a/c"]
        );
        // A parent that uses what it re-exports imports it, and so does a child that names an item of its parent.
        let parent = ("a.rs", "mod c; pub use c::C; fn f(_: C) {}");
        assert_eq!(
            imports_of(&[lib, parent, ("a/c.rs", "use super::f; pub struct C;")]),
            ["a > a/c", "a/c > a"]
        );
        let parent = ("a.rs", "mod c; mod d;");
        let d = ("a/d.rs", "pub struct D;");
        assert_eq!(imports_of(&[lib, parent, ("a/c.rs", "use super::d::D;"), d]), ["a/c > a/d"]);
    }

    #[test]
    fn a_variable_with_the_name_of_a_module_is_no_import() {
        let a = ("a.rs", "mod c; fn g() { let c = 1; h(c); println!(\"{}\", c) }");
        assert!(imports_of(&[LIB, a, ("a/c.rs", ""), ("b.rs", "")]).is_empty());
    }

    #[test]
    fn comments_texts_other_crates_and_visibilities_are_no_imports() {
        for text in [
            "// crate::b::B\nconst A: &str = \"crate::b::B {\";",
            "pub(in crate::b) struct A<'b>(char);",
            "use ::b::f; fn g() { ::b::f(); other::b::f(); self.b.f() }",
            "/// `crate::b::B`\nstruct A;",
        ] {
            assert!(imports_of(&[LIB, ("a.rs", text), ("b.rs", "")]).is_empty(), "{text}");
        }
    }

    #[test]
    fn files_are_found_as_the_compiler_finds_them() {
        let lib = ("lib.rs", "mod a { mod c; } #[path = \"x.rs\"] mod b;");
        let files =
            [lib, ("a/c/mod.rs", "mod d;"), ("a/c/d.rs", "use crate::b::B;"), ("x.rs", "pub struct B;")];
        assert_eq!(imports_of(&files), ["a/c/d > x"]);
    }

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        circles(&crate_of(files)).into_iter().map(|violation| violation.message).collect()
    }

    #[test]
    fn a_circle_is_reported_with_the_import_to_change() {
        let a = ("a.rs", "use crate::b::{f, g};\npub struct A;");
        let b = ("b.rs", "\npub fn f(_: crate::a::A) {}\npub fn g() {}");
        let [files, modules] = &messages(&[LIB, a, b])[..] else {
            panic!("a circle of files, and of modules")
        };
        assert_eq!(
            files,
            "2 files import each other:\
             \n  a.rs imports b.rs\
             \n    a.rs:1: crate::b::f\
             \n  b.rs imports a.rs (change this import: it has the fewest names)\
             \n    b.rs:2: crate::a::A"
        );
        assert!(modules.starts_with("2 modules import each other:\n  a imports b\n"), "{modules}");
    }

    #[test]
    fn modules_beside_each_other_have_no_circle_although_their_files_have_none() {
        let files = [
            ("lib.rs", "mod p;"),
            ("p.rs", "mod a; mod b;"),
            ("p/a.rs", "mod c; pub struct A;"),
            ("p/a/c.rs", "use crate::p::b::B;"),
            ("p/b.rs", "mod d; pub struct B;"),
            ("p/b/d.rs", "use crate::p::a::A;"),
        ];
        let [message] = &messages(&files)[..] else { panic!("a circle") };
        assert!(message.starts_with("2 modules import each other:\n  p::a imports p::b"), "{message}");
        assert!(
            messages(&files[..5].iter().copied().chain([("p/b/d.rs", "")]).collect::<Vec<_>>()).is_empty()
        );
    }
}
