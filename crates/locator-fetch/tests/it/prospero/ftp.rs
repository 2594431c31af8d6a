//! A server of FTP that has one file, under any name.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

/// Starts a server in a thread, and returns its port.
pub(crate) fn start(octets: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for client in listener.incoming() {
            let _ = serve(client.unwrap(), octets);
        }
    });
    port
}

fn serve(mut client: TcpStream, octets: &[u8]) -> std::io::Result<()> {
    let mut data = None;
    client.write_all(b"220 ready\r\n")?;
    for line in BufReader::new(client.try_clone()?).lines() {
        let line = line?;
        let reply = match line.get(..4) {
            Some("USER") => "331 password\r\n".into(),
            Some("PASS") => "230 in\r\n".into(),
            Some("TYPE") => "200 done\r\n".into(),
            Some("CWD ") => "250 done\r\n".into(),
            Some("EPSV") => {
                let listener = TcpListener::bind("127.0.0.1:0")?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                format!("229 (|||{port}|)\r\n")
            }
            Some("RETR") => {
                let (mut stream, _) = data.take().unwrap().accept()?;
                client.write_all(b"150 here\r\n")?;
                stream.write_all(octets)?;
                "226 sent\r\n".into()
            }
            _ => format!("500 {line}?\r\n"),
        };
        client.write_all(reply.as_bytes())?;
    }
    Ok(())
}
