//! The public API of a crate as sorted lines, each a path and what is there.

use std::collections::{BTreeMap, BTreeSet};
use std::slice::from_ref;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, Fields, GenericArgument, Generics, ImplItem, Item, PathArguments, TraitItem, parse_quote,
};

use crate::modules::{Crate, Definition, ModulePath, attributes, is_public, name_of};
use crate::print;

pub(crate) fn of(source: &Crate) -> Vec<String> {
    let mut listing = Listing { source, lines: BTreeSet::new(), public: BTreeMap::new() };
    listing.module(&[], &source.name);
    listing.exported_macros();
    listing.implementations();
    listing.lines.into_iter().map(|(path, line)| format!("{path}: {line}")).collect()
}

struct Listing<'s> {
    source: &'s Crate,
    lines: BTreeSet<(String, String)>,
    /// The items that are public, and the path that users write.
    public: BTreeMap<Definition, String>,
}

impl Listing<'_> {
    fn line(&mut self, path: &str, attributes: &[Attribute], text: &str) {
        self.lines.insert((path.to_owned(), print::attributes(attributes) + text));
    }

    /// What a public module has.
    fn module(&mut self, module: &[String], path: &str) {
        let source = self.source;
        let found = &source.modules[module];
        for (name, is_public, attributes) in &found.modules {
            if *is_public {
                self.line(&format!("{path}::{name}"), attributes, "mod");
                self.module(&[module, from_ref(name)].concat(), &format!("{path}::{name}"));
            }
        }
        for item in &found.items {
            if let Some(name) = name_of(item).filter(|_| is_seen(item)) {
                self.item((module.to_vec(), name.to_string()), item, &format!("{path}::{name}"), &[]);
            }
        }
        for import in found.imports.iter().filter(|import| import.is_public) {
            let path = format!("{path}::{}", import.name);
            let Some((defined_in, name)) = source.resolve(module, &import.path) else {
                self.line(&path, &import.attributes, &format!("use {}", import.path.join("::")));
                continue;
            };
            let own = [&defined_in[..], from_ref(&name)].concat();
            if source.modules.contains_key(&own) {
                self.line(&path, &import.attributes, "mod");
                self.module(&own, &path);
            }
            for item in source.modules[&defined_in].items.iter().filter(|item| is_named(item, &name)) {
                self.item((defined_in.clone(), name.clone()), item, &path, &import.attributes);
            }
        }
    }

    fn item(&mut self, definition: Definition, item: &Item, path: &str, of_use: &[Attribute]) {
        let shorter = |known: &String| known.matches("::").count() <= path.matches("::").count();
        if self.public.get(&definition).is_some_and(shorter) {
            return self.line(path, of_use, &format!("use {}", self.public[&definition].clone()));
        }
        self.public.insert(definition, path.to_owned());
        let all: Vec<_> = of_use.iter().chain(attributes(item)).cloned().collect();
        match item {
            Item::Const(one) => self.line(path, &all, &print::constant(&one.ident, &one.ty)),
            Item::Static(one) => self.line(path, &all, &print::fixed(&one.ident, &one.ty)),
            Item::Fn(one) => self.line(path, &all, &print::function(one.sig.clone())),
            Item::Type(one) => {
                let (ident, generics, ty) = (&one.ident, &one.generics, &one.ty);
                self.line(path, &all, &print::item(parse_quote!(type #ident #generics = #ty;)));
            }
            Item::Struct(one) => {
                self.line(path, &all, &format!("struct{}", with_generics(&one.generics)));
                self.fields(path, &one.fields, false);
                self.derives(path, &one.attrs);
            }
            Item::Enum(one) => {
                self.line(path, &all, &format!("enum{}", with_generics(&one.generics)));
                for variant in &one.variants {
                    let path = format!("{path}::{}", variant.ident);
                    self.line(&path, &variant.attrs, "variant");
                    self.fields(&path, &variant.fields, true);
                }
                self.derives(path, &one.attrs);
            }
            Item::Trait(one) => self.a_trait(path, &all, one),
            _ => {}
        }
    }

    fn fields(&mut self, path: &str, fields: &Fields, all: bool) {
        for (number, field) in fields.iter().enumerate() {
            if all || is_public(&field.vis) {
                let name = field.ident.as_ref().map_or_else(|| number.to_string(), ToString::to_string);
                self.line(&format!("{path}.{name}"), &field.attrs, &print::ty(&field.ty));
            }
        }
    }

    fn derives(&mut self, path: &str, attributes: &[Attribute]) {
        let mut names = BTreeSet::new();
        for one in attributes.iter().filter(|one| one.path().is_ident("derive")) {
            one.parse_nested_meta(|meta| {
                names.insert(meta.path.segments.last().unwrap().ident.to_string());
                Ok(())
            })
            .unwrap();
        }
        if !names.is_empty() {
            self.line(path, &[], &format!("derive {}", names.into_iter().collect::<Vec<_>>().join(", ")));
        }
    }

    fn a_trait(&mut self, path: &str, attributes: &[Attribute], one: &syn::ItemTrait) {
        let head =
            syn::ItemTrait { items: Vec::new(), attrs: Vec::new(), vis: parse_quote!(), ..one.clone() };
        self.line(path, attributes, &print::item(Item::Trait(head)));
        for item in &one.items {
            match item {
                TraitItem::Fn(one) => {
                    let provided = if one.default.is_some() { " (provided)" } else { "" };
                    let text = print::function(one.sig.clone()) + provided;
                    self.line(&format!("{path}::{}", one.sig.ident), &one.attrs, &text);
                }
                TraitItem::Const(one) => {
                    let text = print::constant(&one.ident, &one.ty);
                    self.line(&format!("{path}::{}", one.ident), &one.attrs, &text);
                }
                TraitItem::Type(one) => self.line(&format!("{path}::{}", one.ident), &one.attrs, "type"),
                _ => {}
            }
        }
    }

    fn exported_macros(&mut self) {
        let source = self.source;
        for item in source.modules.values().flat_map(|module| &module.items) {
            let Item::Macro(one) = item else { continue };
            if one.attrs.iter().any(|one| one.path().is_ident("macro_export")) {
                let name = one.ident.as_ref().unwrap().to_string();
                for pattern in source.macros[&name].patterns() {
                    self.line(
                        &format!("{}::{name}!", source.name),
                        &one.attrs,
                        &format!("macro ({pattern})"),
                    );
                }
            }
        }
    }

    fn implementations(&mut self) {
        let source = self.source;
        for (path, module) in &source.modules {
            for item in &module.items {
                if let Item::Impl(block) = item {
                    let conditions = block.attrs.iter().filter(|one| one.path().is_ident("cfg"));
                    let conditions: Vec<_> = module.conditions.iter().chain(conditions).cloned().collect();
                    match &block.trait_ {
                        Some((_, of, _)) => self.implementation(path, block, of, &conditions),
                        None => self.inherent(path, block, &conditions),
                    }
                }
            }
        }
    }

    fn inherent(&mut self, module: &ModulePath, block: &syn::ItemImpl, conditions: &[Attribute]) {
        let Some(owner) = self.owner(module, block.self_ty.to_token_stream()) else { return };
        // A method of some instances only shows of which.
        let specific = match is_generic(block) {
            true => String::new(),
            false => format!(" (of {})", print::ty(&block.self_ty)),
        };
        for item in &block.items {
            let (name, attributes, text) = match item {
                ImplItem::Fn(one) if is_public(&one.vis) => {
                    (&one.sig.ident, &one.attrs, print::function(one.sig.clone()))
                }
                ImplItem::Const(one) if is_public(&one.vis) => {
                    (&one.ident, &one.attrs, print::constant(&one.ident, &one.ty))
                }
                _ => continue,
            };
            let all: Vec<_> = conditions.iter().chain(attributes).cloned().collect();
            self.line(&format!("{owner}::{name}"), &all, &(text + &specific));
        }
    }

    fn implementation(
        &mut self,
        module: &ModulePath,
        block: &syn::ItemImpl,
        of: &syn::Path,
        conditions: &[Attribute],
    ) {
        // A trait of this crate that users do not see is not shown.
        let segments: Vec<_> = of.segments.iter().map(|one| one.ident.to_string()).collect();
        if self.source.resolve(module, &segments).is_some_and(|defined| !self.public.contains_key(&defined)) {
            return;
        }
        // A type of this crate that users do not see is not shown either.
        if self.is_private(module, &block.self_ty) {
            return;
        }
        let owner = self.owner(module, block.self_ty.to_token_stream());
        let Some(owner) = owner.or_else(|| self.owner(module, of.to_token_stream())) else { return };
        let types = block.items.iter().filter(|item| matches!(item, ImplItem::Type(_))).cloned().collect();
        let head = syn::ItemImpl { items: types, attrs: Vec::new(), ..block.clone() };
        self.line(&owner, conditions, &print::item(Item::Impl(head)));
    }

    /// Whether a type is one of this crate that is not public.
    fn is_private(&self, module: &ModulePath, ty: &syn::Type) -> bool {
        let syn::Type::Path(ty) = ty else { return false };
        let segments: Vec<_> = ty.path.segments.iter().map(|one| one.ident.to_string()).collect();
        let defined = self.source.resolve(module, &segments);
        defined.is_some_and(|defined| !self.public.contains_key(&defined))
    }

    /// The path of the first public type that is named.
    fn owner(&self, module: &ModulePath, tokens: TokenStream) -> Option<String> {
        let mut path: Vec<String> = Vec::new();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(name) => path.push(name.to_string()),
                TokenTree::Group(group) => {
                    if let Some(owner) = self.owner(module, group.stream()) {
                        return Some(owner);
                    }
                }
                // A colon of a path.
                TokenTree::Punct(punct) if punct.as_char() == ':' => continue,
                _ => {}
            }
            let goes_on = matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
            if !goes_on && !path.is_empty() {
                let defined = self.source.resolve(module, &path);
                if let Some(owner) = defined.and_then(|defined| self.public.get(&defined)) {
                    return Some(owner.clone());
                }
                path.clear();
            }
        }
        None
    }
}

/// Whether a block is for all instances of its type: each argument is a parameter of the block or a
/// lifetime.
fn is_generic(block: &syn::ItemImpl) -> bool {
    let syn::Type::Path(ty) = &*block.self_ty else { return true };
    let parameters: Vec<_> = block.generics.type_params().map(|one| &one.ident).collect();
    match &ty.path.segments.last().unwrap().arguments {
        PathArguments::AngleBracketed(list) => list.args.iter().all(|one| match one {
            GenericArgument::Type(syn::Type::Path(ty)) => {
                ty.path.get_ident().is_some_and(|name| parameters.contains(&name))
            }
            other => matches!(other, GenericArgument::Lifetime(_)),
        }),
        _ => true,
    }
}

fn is_named(item: &Item, name: &str) -> bool {
    name_of(item).is_some_and(|one| one == name) && !matches!(item, Item::Macro(_))
}

fn is_seen(item: &Item) -> bool {
    match item {
        Item::Const(one) => is_public(&one.vis),
        Item::Enum(one) => is_public(&one.vis),
        Item::Fn(one) => is_public(&one.vis),
        Item::Static(one) => is_public(&one.vis),
        Item::Struct(one) => is_public(&one.vis),
        Item::Trait(one) => is_public(&one.vis),
        Item::Type(one) => is_public(&one.vis),
        _ => false,
    }
}

fn with_generics(generics: &Generics) -> String {
    if generics.params.is_empty() {
        return String::new();
    }
    let text = print::item(parse_quote!(struct X #generics;));
    text.trim_start_matches("struct X").to_owned()
}
