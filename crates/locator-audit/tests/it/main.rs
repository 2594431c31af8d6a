//! The audit and its policies: cases of `testdata`, and what programs were measured to contact.

mod audit;
mod policy;
mod readings;
