//! Servers for tests of clients: reads their arguments, and serves.

#![expect(clippy::disallowed_types, reason = "a server for tests")]

use std::error::Error;
use std::net::UdpSocket;
use std::path::Path;

use locator_dev::prospero::{Directory, Node, Options, serve};

/// How the Prospero server is started.
pub(crate) const PROSPERO: &str = "locator-dev serve-prospero PORT TREE [--ftp=HOST(PORT)] [--packet=OCTETS] \
    [--lose=N,…] [--double=N,…] [--delay=N,…] [--reverse] [--swap] [--wait=COUNT,SECONDS] \
    [--redirect=ADDRESS:PORT] [--forward=HOST(PORT)] [--refuse] [--contents]";

/// Serves the files of a directory by Prospero, as `AFTP/…`: the anonymous FTP server of `--ftp` has
/// them. The numbers are those of packets of each answer.
pub(crate) fn prospero(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let [port, tree, flags @ ..] = arguments else {
        return Err(format!("usage: {PROSPERO}").into());
    };
    let mut directory = Directory::new(&format!("127.0.0.1({port})"));
    directory.aftp = Node::read(Path::new(tree))?;
    let mut options = Options::default();
    for flag in flags {
        set(flag, &mut directory, &mut options).map_err(|why| format!("{flag}: {why}\nusage: {PROSPERO}"))?;
    }
    let socket = UdpSocket::bind(("127.0.0.1", port.parse()?))?;
    Ok(serve(&socket, directory, options)?)
}

fn set(flag: &str, directory: &mut Directory, options: &mut Options) -> Result<(), Box<dyn Error>> {
    let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
    let faults = &mut options.faults;
    match name {
        "--ftp" => directory.ftp = value.into(),
        "--forward" => directory.forward = Some(value.into()),
        "--contents" => directory.only_contents = true,
        "--packet" => options.packet = value.parse::<usize>()?.max(1),
        "--lose" => faults.lost = numbers(value)?,
        "--double" => faults.doubled = numbers(value)?,
        "--delay" => faults.late = numbers(value)?,
        "--reverse" => faults.are_reversed = true,
        "--swap" => options.swaps_numbers = true,
        "--refuse" => options.refuses = true,
        "--redirect" => options.redirect = Some(value.parse()?),
        "--wait" => {
            let (count, seconds) = value.split_once(',').ok_or("COUNT,SECONDS")?;
            options.waits = (count.parse()?, seconds.parse()?);
        }
        _ => return Err("there is no such option".into()),
    }
    Ok(())
}

fn numbers(text: &str) -> Result<Vec<usize>, Box<dyn Error>> {
    Ok(text.split(',').map(str::parse).collect::<Result<_, _>>()?)
}
