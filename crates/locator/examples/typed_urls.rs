//! Reads URLs of ftp and mailto by the parts that their schemes define, and builds one from parts.
//!
//!     cargo run --example typed_urls
#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use locator::edition::RFC1738;
use locator::scheme::{FtpParts, FtpUrl, LoginParts, MailtoUrl};
use locator::{uri, uri_ref};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ftp = FtpUrl::of(uri_ref!("ftp://jan@ftp.example.org/pub/docs/a%2Fb.txt;type=a"))?;
    for directory in ftp.cwds() {
        println!("CWD {}", directory.escaped().decode_utf8()?);
    }
    println!("RETR {}", ftp.name.escaped().decode_utf8()?);

    let login = LoginParts { user: Some(b"jan"), host: "ftp.example.org", ..LoginParts::default() };
    let parts = FtpParts { login, cwds: &[b"pub"], name: b"50%.txt", ..FtpParts::default() };
    println!("{}", parts.build(&RFC1738)?);

    let mail = MailtoUrl::of(*uri!("mailto:jan@example.com,piet@example.com?subject=Hello%20there"))?;
    for address in mail.addresses() {
        println!("To: {}", address.escaped().decode_utf8()?);
    }
    for (name, value) in mail.headers() {
        println!("{name}: {}", value.escaped().decode_utf8()?);
    }
    Ok(())
}
