//! A server of ftp in a thread, with one file, and directories whose names begin with "d".

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What one connection finds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visit {
    pub(crate) octets: Vec<u8>,
    /// What `MDTM` replies; empty if the server does not know it.
    pub(crate) modified: &'static str,
    /// The server ends both connections after this many octets of the file.
    pub(crate) cut: Option<usize>,
    /// Whether it is a directory, and the octets are the names in it.
    pub(crate) is_directory: bool,
    /// A command that is refused, and the reply to it, before or after the data.
    pub(crate) refuses: Option<(&'static str, &'static str)>,
}

/// A server; its connections come one after the other.
pub(crate) struct Server {
    port: u16,
    commands: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(visits: Vec<Visit>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let commands = Arc::default();
        let noted = Arc::clone(&commands);
        thread::spawn(move || {
            for visit in visits {
                let (control, _) = listener.accept().expect("the command connects");
                // The client may end a connection at any time.
                let _ = visit.serve(&control, &noted);
            }
        });
        Self { port, commands }
    }

    pub(crate) fn url(&self, name: &str) -> String {
        format!("ftp://127.0.0.1:{}/{name}", self.port)
    }

    /// The commands since the last call.
    pub(crate) fn commands(&self) -> Vec<String> {
        std::mem::take(&mut self.commands.lock().expect("no thread has failed"))
    }
}

impl Visit {
    fn serve(&self, mut control: &TcpStream, noted: &Mutex<Vec<String>>) -> std::io::Result<()> {
        control.write_all(b"220 ready\r\n")?;
        let (mut data, mut start, mut made) = (None::<TcpListener>, 0, Vec::new());
        for line in BufReader::new(control).lines() {
            let line = line?;
            let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
            noted.lock().expect("no thread has failed").push(line.clone());
            let refused = self.refuses.filter(|(refused, _)| *refused == command);
            let reply = match command {
                "STOR" | "APPE" => {
                    if let Some((_, reply)) = refused.filter(|(_, reply)| !reply.starts_with("552")) {
                        control.write_all(format!("{reply}\r\n").as_bytes())?;
                        continue;
                    }
                    control.write_all(b"150 send\r\n")?;
                    let Some(listener) = data.take() else { return Ok(()) };
                    let mut octets = Vec::new();
                    listener.accept()?.0.read_to_end(&mut octets)?;
                    let text = String::from_utf8_lossy(&octets).into_owned();
                    noted.lock().expect("no thread has failed").push(text);
                    refused.map_or("226 stored", |(_, reply)| reply).into()
                }
                _ if refused.is_some() => refused.map(|(_, reply)| reply).unwrap_or_default().into(),
                "MKD" => {
                    made.push(argument.to_owned());
                    format!("257 \"{argument}\" made")
                }
                "CWD" if argument.starts_with('d') || made.iter().any(|one| one == argument) => {
                    "250 there".into()
                }
                "CWD" if !self.is_directory => "550 no such directory".into(),
                "USER" => "230 in".into(),
                "TYPE" => "200 ok".into(),
                "SIZE" => format!("213 {}", self.octets.len()),
                "MDTM" if self.modified.is_empty() => "502 no".into(),
                "MDTM" => format!("213 {}", self.modified),
                "REST" => {
                    start = argument.parse().unwrap_or_default();
                    "350 go on".into()
                }
                "EPSV" => {
                    let listener = TcpListener::bind("127.0.0.1:0")?;
                    let port = listener.local_addr()?.port();
                    data = Some(listener);
                    format!("229 (|||{port}|)")
                }
                "CWD" if self.is_directory => "250 there".into(),
                "RETR" if self.is_directory => "550 not a plain file".into(),
                "RETR" | "NLST" => {
                    control.write_all(b"150 here\r\n")?;
                    let Some(listener) = data.take() else { return Ok(()) };
                    let end = self.cut.unwrap_or(self.octets.len());
                    listener.accept()?.0.write_all(&self.octets[start..end])?;
                    if self.cut.is_some() {
                        return Ok(());
                    }
                    "226 sent".into()
                }
                _ => "500 what?".into(),
            };
            control.write_all(format!("{reply}\r\n").as_bytes())?;
        }
        Ok(())
    }
}
