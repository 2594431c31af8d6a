//! Builds a URI from data, then edits it: what is not touched stays byte for byte.
//!
//!     cargo run -p locator-uri --example build_and_edit
#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use locator::{BuildError, Builder, SpaceEncoding, UriBuf, Value};

fn main() -> Result<(), BuildError> {
    let mut uri: UriBuf = Builder::new()
        .scheme("https")
        .host("example.com")
        .segment("50% off")
        .pair("q", "bread & butter")
        .build()?;
    println!("{uri}");

    uri.set_port(Some(8443))?.set_fragment(Value::Text("top"))?;
    uri.change(|edit| {
        edit.append_segment("a/b")?;
        edit.set_pair("q", "tea")?.append_pair("page", "2")?;
        Ok(())
    })?;
    println!("{uri}");

    for pair in uri.pairs(SpaceEncoding::Percent20) {
        let (name, value) = pair.decode_utf8_lossy();
        println!("{name} is {value}");
    }
    Ok(())
}
