//! Expands `macro_rules!` of our crates: the tokens of an invocation in, the tokens of the
//! matching rule out.
//!
//! Repetitions are greedy and are not backtracked, which is enough for macros that declare items.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};

/// What a rule's variable is bound to.
#[derive(Clone, Debug)]
enum Bound {
    One(TokenStream),
    Many(Vec<Bindings>),
}

type Bindings = HashMap<String, Bound>;

/// The rules of a macro: pattern and transcriber.
#[derive(Clone, Debug)]
pub(crate) struct Macro(Vec<(Vec<TokenTree>, TokenStream)>);

impl Macro {
    pub(crate) fn new(body: TokenStream) -> Self {
        let mut rules = Vec::new();
        let mut groups = body.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        while let (Some(pattern), Some(transcriber)) = (groups.next(), groups.next()) {
            rules.push((pattern.into_iter().collect(), transcriber));
        }
        Self(rules)
    }

    /// The patterns that it accepts.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(pattern, _)| pattern.iter().cloned().collect::<TokenStream>().to_string())
    }

    pub(crate) fn expand(&self, input: &TokenStream) -> Option<TokenStream> {
        self.0.iter().find_map(|(pattern, transcriber)| {
            let (bindings, rest) = matched(pattern, input.clone())?;
            rest.is_empty().then(|| transcribed(transcriber.clone(), &bindings))
        })
    }
}

fn is_punct(token: Option<&TokenTree>, expected: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == expected)
}

/// A repetition after "$": what is repeated, the separator, and how many tokens it takes with the
/// "$".
fn repetition(tokens: &[TokenTree]) -> Option<(Vec<TokenTree>, Option<TokenTree>, usize)> {
    let TokenTree::Group(group) = tokens.get(1)? else { return None };
    let inner = group.stream().into_iter().collect();
    let is_operator = |at: usize| ['*', '+', '?'].iter().any(|&one| is_punct(tokens.get(at), one));
    match is_operator(2) {
        true => Some((inner, None, 3)),
        false => Some((inner, tokens.get(2).cloned(), 4)),
    }
}

/// What the variables are bound to, and what of the input is left.
fn matched(pattern: &[TokenTree], mut input: TokenStream) -> Option<(Bindings, TokenStream)> {
    let mut bindings = Bindings::new();
    let mut at = 0;
    while at < pattern.len() {
        if is_punct(Some(&pattern[at]), '$') {
            if let Some((inner, separator, taken)) = repetition(&pattern[at..]) {
                let (all, rest) = repeated(&inner, separator.as_ref(), input);
                let mut names = Vec::new();
                variables(&inner, &mut names);
                for name in names {
                    bindings.insert(name, Bound::Many(all.clone()));
                }
                input = rest;
                at += taken;
                continue;
            }
            let (name, kind) = (pattern[at + 1].to_string(), pattern[at + 3].to_string());
            let (found, rest) = fragment(&kind, input)?;
            bindings.insert(name, Bound::One(found));
            input = rest;
            at += 4;
            continue;
        }
        let mut tokens = input.into_iter();
        match (&pattern[at], tokens.next()?) {
            (TokenTree::Group(expected), TokenTree::Group(found))
                if expected.delimiter() == found.delimiter() =>
            {
                let inner: Vec<_> = expected.stream().into_iter().collect();
                let (more, rest) = matched(&inner, found.stream())?;
                if !rest.is_empty() {
                    return None;
                }
                bindings.extend(more);
            }
            (expected, found) if expected.to_string() == found.to_string() => {}
            _ => return None,
        }
        input = tokens.collect();
        at += 1;
    }
    Some((bindings, input))
}

fn repeated(
    inner: &[TokenTree],
    separator: Option<&TokenTree>,
    mut input: TokenStream,
) -> (Vec<Bindings>, TokenStream) {
    let mut all = Vec::new();
    loop {
        let mut attempt = input.clone();
        if let (Some(separator), false) = (separator, all.is_empty()) {
            let mut tokens = attempt.into_iter();
            if tokens.next().is_none_or(|token| token.to_string() != separator.to_string()) {
                return (all, input);
            }
            attempt = tokens.collect();
        }
        let before = attempt.to_string().len();
        match matched(inner, attempt) {
            Some((bindings, rest)) if rest.to_string().len() < before => {
                all.push(bindings);
                input = rest;
            }
            _ => return (all, input),
        }
    }
}

/// The names of all variables in a pattern.
fn variables(pattern: &[TokenTree], names: &mut Vec<String>) {
    for (at, token) in pattern.iter().enumerate() {
        match token {
            TokenTree::Group(group) => variables(&group.stream().into_iter().collect::<Vec<_>>(), names),
            token if is_punct(Some(token), '$') => {
                if let Some(TokenTree::Ident(name)) = pattern.get(at + 1) {
                    names.push(name.to_string());
                }
            }
            _ => {}
        }
    }
}

/// A fragment of a kind at the beginning of the input, and the rest.
fn fragment(kind: &str, input: TokenStream) -> Option<(TokenStream, TokenStream)> {
    fn split<T: Parse + ToTokens>(input: ParseStream<'_>) -> syn::Result<(TokenStream, TokenStream)> {
        let found: T = input.parse()?;
        Ok((found.into_token_stream(), input.parse()?))
    }
    match kind {
        "ty" => split::<syn::Type>.parse2(input),
        "path" => split::<syn::Path>.parse2(input),
        "expr" => split::<syn::Expr>.parse2(input),
        "ident" => split::<Ident>.parse2(input),
        "lifetime" => split::<syn::Lifetime>.parse2(input),
        "literal" => split::<syn::Lit>.parse2(input),
        "meta" => split::<syn::Meta>.parse2(input),
        "vis" => split::<syn::Visibility>.parse2(input),
        "item" => split::<syn::Item>.parse2(input),
        "block" => split::<syn::Block>.parse2(input),
        "tt" => split::<TokenTree>.parse2(input),
        _ => return None,
    }
    .ok()
}

fn transcribed(transcriber: TokenStream, bindings: &Bindings) -> TokenStream {
    let tokens: Vec<_> = transcriber.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    while at < tokens.len() {
        match (&tokens[at], tokens.get(at + 1)) {
            (dollar, Some(TokenTree::Group(_))) if is_punct(Some(dollar), '$') => {
                let (inner, separator, taken) = repetition(&tokens[at..]).expect("a repetition is whole");
                let inner: TokenStream = inner.into_iter().collect();
                for (number, one) in rounds(&inner, bindings).iter().enumerate() {
                    out.extend(separator.clone().filter(|_| number > 0));
                    out.extend(transcribed(inner.clone(), one));
                }
                at += taken;
                continue;
            }
            (dollar, Some(TokenTree::Ident(name))) if is_punct(Some(dollar), '$') => {
                match bindings.get(&name.to_string()) {
                    Some(Bound::One(tokens)) => out.extend(tokens.clone()),
                    _ if name == "crate" => {
                        out.extend([TokenTree::Ident(Ident::new("crate", Span::call_site()))]);
                    }
                    _ => out.extend([tokens[at].clone(), tokens[at + 1].clone()]),
                }
                at += 2;
                continue;
            }
            (TokenTree::Group(group), _) => {
                let inner = transcribed(group.stream(), bindings);
                let delimiter: Delimiter = group.delimiter();
                out.extend([TokenTree::Group(Group::new(delimiter, inner))]);
            }
            (token, _) => out.extend([token.clone()]),
        }
        at += 1;
    }
    out
}

/// The bindings of each round of a repetition: those outside it, and its own.
fn rounds(inner: &TokenStream, bindings: &Bindings) -> Vec<Bindings> {
    let mut names = Vec::new();
    variables(&inner.clone().into_iter().collect::<Vec<_>>(), &mut names);
    let many = names.iter().find_map(|name| match bindings.get(name) {
        Some(Bound::Many(all)) => Some(all),
        _ => None,
    });
    let with_outer = |own: &Bindings| {
        let mut all = bindings.clone();
        all.extend(own.clone());
        all
    };
    many.map(|all| all.iter().map(with_outer).collect()).unwrap_or_default()
}
