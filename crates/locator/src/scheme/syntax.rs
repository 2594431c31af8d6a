//! What the rules of schemes share: logins and hosts, and every error of a text.

pub(super) mod errors;
pub(super) mod login;
