//! Reads URLs of ftp and mailto by the parts that their schemes define, and builds one from parts.
//!
//!     cargo run -p locator-uri --example typed_urls
#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use locator::edition::RFC1738;
use locator::scheme::{FtpParts, FtpUrl, LoginParts, MailtoUrl};
use locator::uri;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ftp = FtpUrl::try_from(uri!("ftp://jan@ftp.example.org/pub/docs/a%2Fb.txt;type=a"))?;
    for directory in ftp.cwds() {
        println!("CWD {}", directory.as_pct_str().decode_utf8()?);
    }
    println!("RETR {}", ftp.name.as_pct_str().decode_utf8()?);

    let parts = FtpParts::new(LoginParts::new("ftp.example.org").user("jan")).cwd("pub").name("50%.txt");
    println!("{}", parts.build_with(&RFC1738)?);
    println!("{}", ftp.parts().name("c.txt").build_with(&RFC1738)?);

    let mail = MailtoUrl::try_from(uri!("mailto:jan@example.com,piet@example.com?subject=Hello%20there"))?;
    for address in mail.addresses() {
        println!("To: {}", address.as_pct_str().decode_utf8()?);
    }
    for (name, value) in mail.headers() {
        println!("{name}: {}", value.as_pct_str().decode_utf8()?);
    }
    Ok(())
}
