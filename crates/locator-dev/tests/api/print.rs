//! Items as one line of Rust, without bodies, private fields and documentation.

use syn::{Attribute, FnArg, Item, Meta, Pat, parse_quote};

/// An item on one line.
pub(crate) fn item(item: Item) -> String {
    let file = syn::File { shebang: None, attrs: Vec::new(), items: vec![item] };
    let text = prettyplease::unparse(&file);
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let line = line.replace("( ", "(").replace(", )", ")").replace("< ", "<").replace(", >", ">");
    line.trim_end_matches(" {}").trim_end_matches(';').trim_end_matches(" = _").to_owned()
}

/// A function's head. Whether it changes its own arguments is no part of it.
pub(crate) fn function(mut signature: syn::Signature) -> String {
    for argument in &mut signature.inputs {
        match argument {
            FnArg::Receiver(receiver) if receiver.reference.is_none() => receiver.mutability = None,
            FnArg::Receiver(_) => {}
            FnArg::Typed(typed) => {
                if let Pat::Ident(name) = &mut *typed.pat {
                    name.mutability = None;
                }
            }
        }
    }
    item(Item::Fn(syn::ItemFn {
        attrs: Vec::new(),
        vis: syn::Visibility::Inherited,
        sig: signature,
        block: parse_quote!({}),
    }))
}

pub(crate) fn constant(name: &syn::Ident, ty: &syn::Type) -> String {
    item(parse_quote!(const #name: #ty = _;))
}

pub(crate) fn fixed(name: &syn::Ident, ty: &syn::Type) -> String {
    item(parse_quote!(static #name: #ty = _;))
}

pub(crate) fn ty(ty: &syn::Type) -> String {
    item(parse_quote!(type X = #ty;)).trim_start_matches("type X = ").to_owned()
}

/// The attributes that users see, each with a space after it.
pub(crate) fn attributes(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for one in attributes {
        let is_hidden = one.path().is_ident("doc")
            && matches!(&one.meta, Meta::List(list) if list.tokens.to_string() == "hidden");
        let is_seen =
            ["must_use", "non_exhaustive", "deprecated", "cfg"].iter().any(|name| one.path().is_ident(name));
        if is_hidden {
            text += "#[doc(hidden)] ";
        } else if one.path().is_ident("must_use") {
            text += "#[must_use] ";
        } else if is_seen {
            let one = Attribute { style: syn::AttrStyle::Outer, ..one.clone() };
            let printed = item(parse_quote!(#one const X: X = _;));
            let printed = printed.trim_end_matches("const X: X");
            // A module and an item in it may have the same condition.
            if !text.contains(printed) {
                text += printed;
            }
        }
    }
    text
}
