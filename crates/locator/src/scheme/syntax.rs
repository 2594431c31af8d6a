//! What the grammars of schemes share: the cursor over a URL, the terminals, logins and hosts, and
//! every error of a text.

pub(super) mod cursor;
pub(super) mod errors;
pub(super) mod login;
