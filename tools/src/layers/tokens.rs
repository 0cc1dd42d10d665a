//! Paths in token streams.

use proc_macro2::{TokenStream, TokenTree};

/// A name in a path, and the line it stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Line, from 1.
    pub line: usize,
}

/// Calls `f` with the tokens of the stream and of every group in it, together with the number of
/// modules around them.
pub fn visit(tokens: &TokenStream, depth: usize, f: &mut impl FnMut(&[TokenTree], usize)) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    f(&tokens, depth);
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let is_module = at >= 2 && is_ident(&tokens[at - 2], "mod");
            visit(&group.stream(), depth + usize::from(is_module), f);
        }
    }
}

/// The names that follow `::` at the start of `tokens`: one, or the first names of a group.
pub fn names_after_separator(tokens: &[TokenTree]) -> Vec<Name> {
    match tokens {
        [first, second, TokenTree::Ident(name), ..] if is_separator(first, second) => vec![Name {
            text: name.to_string(),
            line: name.span().start().line,
        }],
        [first, second, TokenTree::Group(group), ..] if is_separator(first, second) => {
            first_names(&group.stream())
        }
        _ => Vec::new(),
    }
}

/// True if a token is a word.
pub fn is_ident(token: &TokenTree, text: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == text)
}

/// True if two tokens are `::`.
pub fn is_separator(first: &TokenTree, second: &TokenTree) -> bool {
    [first, second]
        .iter()
        .all(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ':'))
}

/// The first name of each item between commas.
fn first_names(group: &TokenStream) -> Vec<Name> {
    let mut names = Vec::new();
    let mut is_first = true;
    for token in group.clone() {
        match &token {
            TokenTree::Ident(name) if is_first => names.push(Name {
                text: name.to_string(),
                line: name.span().start().line,
            }),
            TokenTree::Punct(p) if p.as_char() == ',' => {
                is_first = true;
                continue;
            }
            _ => {}
        }
        is_first = false;
    }
    names
}
