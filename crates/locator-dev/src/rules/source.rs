//! Reads the source of a crate as syntax trees: each file with its place among the modules.
//!
//! A file is found by its `mod` declaration, as the compiler finds it. What is compiled for tests only
//! (`#[cfg(test)]`, `#[cfg(all(test, …))]`, `#[test]`) is left out: tests may name anything.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use syn::{Attribute, ImplItem, Item, Meta, Token, parse::Parser, punctuated::Punctuated};

/// Where a rule is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The file, from the root of the repository.
    pub path: String,
    /// The line, from one.
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// A file of a crate.
pub(super) struct SourceFile {
    /// Where it is, from the root of the workspace.
    pub(super) path: String,
    /// Its module, from the root of the crate, which has none.
    pub(super) module: Vec<String>,
    pub(super) syntax: syn::File,
}

impl SourceFile {
    /// Returns the module as it is written, such as `scheme::ftp`.
    pub(super) fn module_name(&self) -> String {
        self.module.join("::")
    }

    /// Returns whether the file belongs to a module, such as `scheme::ftp` to `scheme`.
    pub(super) fn is_within(&self, module: &str) -> bool {
        let name = self.module_name();
        name.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }
}

/// What a compiler builds from one root file.
pub(super) struct CrateSource {
    /// The files, parents before children.
    pub(super) files: Vec<SourceFile>,
}

impl CrateSource {
    /// Reads the crate whose root is a file, such as `crates/locator/src/lib.rs`.
    ///
    /// `read` returns the text of a path, or `None` if there is no such file.
    pub(super) fn read(root: &str, read: &dyn Fn(&Path) -> io::Result<Option<String>>) -> io::Result<Self> {
        let mut files = Vec::new();
        let root = Path::new(root);
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        let mut todo = vec![(root.to_owned(), folder, Vec::new())];
        while let Some((path, folder, module)) = todo.pop() {
            let Some(text) = read(&path)? else {
                let missing = format!("{}: there is no such file", path.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, missing));
            };
            let mut syntax = syn::parse_file(&text).map_err(|error| {
                let line = error.span().start().line;
                let message = format!("{}:{line}: {error}", path.display());
                io::Error::new(io::ErrorKind::InvalidData, message)
            })?;
            remove_tests(&mut syntax.items);
            let first = todo.len();
            for declared in declared_files(&syntax.items, &[]) {
                let child = declared.find(&path, &folder, read)?;
                let module = module.iter().cloned().chain(declared.module).collect();
                todo.push((child.path, child.folder, module));
            }
            todo[first..].reverse();
            let path = path.to_string_lossy().into_owned();
            files.push(SourceFile { path, module, syntax });
        }
        Ok(Self { files })
    }
}

/// A declaration `mod name;`, in the modules of its file that are written around it.
struct DeclaredFile {
    module: Vec<String>,
    /// The argument of `#[path]`.
    path: Option<String>,
}

/// A file, and the folder of the files that it declares.
struct FoundFile {
    path: PathBuf,
    folder: PathBuf,
}

impl DeclaredFile {
    fn find(
        &self,
        parent: &Path,
        folder: &Path,
        read: &dyn Fn(&Path) -> io::Result<Option<String>>,
    ) -> io::Result<FoundFile> {
        if let Some(path) = &self.path {
            let beside = parent.parent().unwrap_or(Path::new("")).to_owned();
            let path = beside.join(path);
            return Ok(FoundFile { folder: path.with_extension(""), path });
        }
        let inside = self.module.iter().fold(folder.to_owned(), |path, name| path.join(name));
        let in_folder = inside.join("mod.rs");
        let has_folder = read(&in_folder)?.is_some();
        let path = if has_folder { in_folder } else { inside.with_extension("rs") };
        Ok(FoundFile { path, folder: inside })
    }
}

/// Returns the files that items declare.
fn declared_files(items: &[Item], around: &[String]) -> Vec<DeclaredFile> {
    let mut declared = Vec::new();
    for item in items {
        let Item::Mod(item) = item else { continue };
        let module: Vec<_> = around.iter().cloned().chain([item.ident.to_string()]).collect();
        match &item.content {
            Some((_, items)) => declared.extend(declared_files(items, &module)),
            None => declared.push(DeclaredFile { path: path_attribute(&item.attrs), module }),
        }
    }
    declared
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}

/// Removes the items that only tests have.
fn remove_tests(items: &mut Vec<Item>) {
    items.retain(|item| !is_for_tests(attributes_of(item)));
    for item in items {
        match item {
            Item::Mod(item) => {
                if let Some((_, items)) = &mut item.content {
                    remove_tests(items);
                }
            }
            Item::Impl(item) => item.items.retain(|item| match item {
                ImplItem::Const(item) => !is_for_tests(&item.attrs),
                ImplItem::Fn(item) => !is_for_tests(&item.attrs),
                ImplItem::Type(item) => !is_for_tests(&item.attrs),
                _ => true,
            }),
            _ => {}
        }
    }
}

/// Returns whether an item with these attributes is compiled for tests only.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            syn::parse2::<Meta>(list.tokens.clone()).is_ok_and(|condition| requires_test(&condition))
        }
        _ => false,
    })
}

fn requires_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("doctest"),
        Meta::List(list) if list.path.is_ident("all") => Punctuated::<Meta, Token![,]>::parse_terminated
            .parse2(list.tokens.clone())
            .is_ok_and(|all| all.iter().any(requires_test)),
        _ => false,
    }
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
