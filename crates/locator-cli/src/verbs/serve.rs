//! The verb `serve`: a gateway that shows in a browser what URLs of any scheme identify.

#![allow(dead_code)]

mod pages;
mod running;
