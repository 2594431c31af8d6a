//! The functions for tables: their table, their laws, and the pages that show them.

mod functions;
mod guides;
mod pages;
mod parts;
mod properties;
