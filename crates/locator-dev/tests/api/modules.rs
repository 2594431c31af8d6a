//! A crate as its modules: files are read, macros expanded and names resolved.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::slice::from_ref;

use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token, UseTree, Visibility};

use crate::macros::Macro;

/// The path of a module from the root; empty for the root.
pub(crate) type ModulePath = Vec<String>;

/// An item by the module that defines it and its name there.
pub(crate) type Definition = (ModulePath, String);

/// A name that a `use` brings into a module.
pub(crate) struct Import {
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    pub(crate) is_public: bool,
    pub(crate) attributes: Vec<Attribute>,
}

#[derive(Default)]
pub(crate) struct Module {
    pub(crate) items: Vec<Item>,
    pub(crate) imports: Vec<Import>,
    /// Its submodules: name, whether it is public, attributes.
    pub(crate) modules: Vec<(String, bool, Vec<Attribute>)>,
    /// The conditions of the module itself and of those that it is in.
    pub(crate) conditions: Vec<Attribute>,
}

pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) modules: BTreeMap<ModulePath, Module>,
    pub(crate) macros: HashMap<String, Macro>,
    /// The macros that other crates can call.
    pub(crate) exported: HashMap<String, Macro>,
    /// Calls of macros that are defined in a module that comes later: call, directory and path of
    /// the module.
    waiting: Vec<(syn::ItemMacro, PathBuf, ModulePath)>,
}

impl Crate {
    /// Reads a crate that can call these macros of other crates.
    pub(crate) fn read(name: &str, root: &Path, macros: HashMap<String, Macro>) -> Self {
        let mut found = Self {
            name: name.to_owned(),
            modules: BTreeMap::new(),
            macros,
            exported: HashMap::new(),
            waiting: Vec::new(),
        };
        found.read_file(root, &root.with_file_name(""), &[], Vec::new());
        // What is not known now is another crate's.
        for (called, directory, path) in std::mem::take(&mut found.waiting) {
            found.add(vec![Item::Macro(called)], &directory, &path);
        }
        found
    }

    /// Reads a module's file; `directory` has the files of its submodules.
    fn read_file(&mut self, file: &Path, directory: &Path, path: &[String], conditions: Vec<Attribute>) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.modules.insert(path.to_vec(), Module { conditions, ..Module::default() });
        self.add(parsed.items, directory, path);
    }

    fn module(&mut self, path: &[String]) -> &mut Module {
        self.modules.get_mut(path).expect("a module is entered before its items")
    }

    fn add(&mut self, items: Vec<Item>, directory: &Path, path: &[String]) {
        for item in items {
            match item {
                item if is_for_tests(attributes(&item)) => {}
                Item::Mod(module) => self.add_module(module, directory, path),
                Item::Use(used) => {
                    let is_public = is_public(&used.vis);
                    let mut imports = Vec::new();
                    flatten(&used.tree, &mut Vec::new(), &mut |name, path| {
                        imports.push(Import { name, path, is_public, attributes: used.attrs.clone() });
                    });
                    self.module(path).imports.extend(imports);
                }
                Item::Macro(defined) if defined.ident.is_some() => {
                    let name = defined.ident.as_ref().unwrap().to_string();
                    let own = Macro::new(defined.mac.tokens.clone());
                    if defined.attrs.iter().any(|one| one.path().is_ident("macro_export")) {
                        self.exported.insert(name.clone(), own.clone());
                    }
                    self.macros.insert(name, own);
                    self.module(path).items.push(Item::Macro(defined));
                }
                Item::Macro(called) => {
                    if let Some(tokens) = self.expanded(&called.mac) {
                        let parsed: syn::File = syn::parse2(tokens)
                            .unwrap_or_else(|error| panic!("a macro called in {path:?}: {error}"));
                        self.add(parsed.items, directory, path);
                    } else {
                        self.waiting.push((called, directory.to_owned(), path.to_vec()));
                    }
                }
                Item::Impl(mut block) => {
                    block.items = self.expanded_in_impl(block.items);
                    self.module(path).items.push(Item::Impl(block));
                }
                item => self.module(path).items.push(item),
            }
        }
    }

    fn add_module(&mut self, module: syn::ItemMod, directory: &Path, path: &[String]) {
        let name = module.ident.to_string();
        let parent = self.module(path);
        // A module that is public by one feature only is declared twice. It is the same module,
        // there by either condition, and the public declaration is the one that users see.
        if let Some(declared) = parent.modules.iter_mut().find(|declared| declared.0 == name) {
            if is_public(&module.vis) {
                *declared = (name.clone(), true, module.attrs);
            }
            self.module(&[path, from_ref(&name)].concat()).conditions.clear();
            return;
        }
        parent.modules.push((name.clone(), is_public(&module.vis), module.attrs.clone()));
        let mut conditions = parent.conditions.clone();
        conditions.extend(module.attrs.iter().filter(|one| one.path().is_ident("cfg")).cloned());
        let own = [path, from_ref(&name)].concat();
        let directory_of_own = directory.join(&name);
        if let Some((_, items)) = module.content {
            self.modules.insert(own.clone(), Module { conditions, ..Module::default() });
            return self.add(items, &directory_of_own, &own);
        }
        let candidates: [PathBuf; 2] =
            [directory.join(format!("{name}.rs")), directory_of_own.join("mod.rs")];
        let file = candidates.iter().find(|file| file.exists());
        let file = file.unwrap_or_else(|| panic!("no file for the module {own:?}"));
        self.read_file(file, &directory_of_own, &own, conditions);
    }

    /// What a call of one of the crate's own macros becomes.
    fn expanded(&self, called: &syn::Macro) -> Option<TokenStream> {
        let name = called.path.segments.last()?.ident.to_string();
        let tokens = self.macros.get(&name)?.expand(&called.tokens);
        Some(tokens.unwrap_or_else(|| panic!("{name}! matches no rule: {}", called.tokens)))
    }

    fn expanded_in_impl(&self, items: Vec<syn::ImplItem>) -> Vec<syn::ImplItem> {
        let mut all = Vec::new();
        for item in items {
            let syn::ImplItem::Macro(called) = &item else {
                all.push(item);
                continue;
            };
            if let Some(tokens) = self.expanded(&called.mac) {
                let block: syn::ItemImpl = syn::parse2(quote::quote!(impl Own { #tokens })).unwrap();
                all.extend(self.expanded_in_impl(block.items));
            }
        }
        all
    }

    /// What a path means in a module: an item of this crate, or nothing if it is another crate's.
    pub(crate) fn resolve(&self, module: &[String], path: &[String]) -> Option<Definition> {
        self.resolve_within(module, path, 0)
    }

    fn resolve_within(&self, module: &[String], path: &[String], depth: usize) -> Option<Definition> {
        // A name may be imported under itself: `use x::x`.
        if depth > 16 {
            return None;
        }
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => return self.resolve_rest(&[], rest, depth),
            "self" => return self.resolve_rest(module, rest, depth),
            "super" => return self.resolve_rest(module.split_last()?.1, rest, depth),
            _ => {}
        }
        if self.defines(module, first) {
            return match self.modules.contains_key(&[module, from_ref(first)].concat()) && !rest.is_empty() {
                true => self.resolve_rest(&[module, from_ref(first)].concat(), rest, depth),
                false => Some((module.to_vec(), first.clone())),
            };
        }
        let import = self.modules.get(module)?.imports.iter().find(|import| import.name == *first)?;
        let (defined_in, name) = self.resolve_within(module, &import.path, depth + 1)?;
        match rest {
            [] => Some((defined_in, name)),
            rest => self.resolve_rest(&[defined_in, vec![name]].concat(), rest, depth),
        }
    }

    fn resolve_rest(&self, module: &[String], path: &[String], depth: usize) -> Option<Definition> {
        match path {
            [] => module.split_last().map(|(name, parent)| (parent.to_vec(), name.clone())),
            path if self.modules.contains_key(module) => self.resolve_within(module, path, depth + 1),
            _ => None,
        }
    }

    fn defines(&self, module: &[String], name: &str) -> bool {
        self.modules.get(module).is_some_and(|found| {
            found.items.iter().any(|item| name_of(item).is_some_and(|one| one == name))
                || found.modules.iter().any(|(module, ..)| module == name)
        })
    }
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|one| one.path().is_ident("cfg") && one.parse_args().is_ok_and(|of| needs_tests(&of)))
}

/// Whether a condition is met in tests only: `test`, `doctest`, or `all(…)` with one of them.
fn needs_tests(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("doctest"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|all| all.iter().any(needs_tests)),
        _ => false,
    }
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, each: &mut dyn FnMut(String, Vec<String>)) {
    let with = |path: &[String], name: &syn::Ident| match name == "self" {
        true => path.to_vec(),
        false => [path, &[name.to_string()]].concat(),
    };
    match tree {
        UseTree::Path(one) => {
            path.push(one.ident.to_string());
            flatten(&one.tree, path, each);
            path.pop();
        }
        UseTree::Name(one) => {
            let path = with(path, &one.ident);
            each(path.last().cloned().unwrap_or_default(), path);
        }
        UseTree::Rename(one) => each(one.rename.to_string(), with(path, &one.ident)),
        UseTree::Group(group) => group.items.iter().for_each(|one| flatten(one, path, each)),
        UseTree::Glob(_) => {}
    }
}

pub(crate) fn name_of(item: &Item) -> Option<&syn::Ident> {
    Some(match item {
        Item::Const(one) => &one.ident,
        Item::Enum(one) => &one.ident,
        Item::Fn(one) => &one.sig.ident,
        Item::Static(one) => &one.ident,
        Item::Struct(one) => &one.ident,
        Item::Trait(one) => &one.ident,
        Item::Type(one) => &one.ident,
        Item::Union(one) => &one.ident,
        Item::Macro(one) => one.ident.as_ref()?,
        _ => return None,
    })
}

pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(one) => &one.attrs,
        Item::Enum(one) => &one.attrs,
        Item::Fn(one) => &one.attrs,
        Item::Impl(one) => &one.attrs,
        Item::Macro(one) => &one.attrs,
        Item::Mod(one) => &one.attrs,
        Item::Static(one) => &one.attrs,
        Item::Struct(one) => &one.attrs,
        Item::Trait(one) => &one.attrs,
        Item::Type(one) => &one.attrs,
        Item::Use(one) => &one.attrs,
        _ => &[],
    }
}
