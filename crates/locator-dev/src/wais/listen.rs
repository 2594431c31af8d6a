//! The server on a network: a thread for each connection.

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use super::message::read_packet;
use super::server::Server;

impl Server {
    /// Answers connections to a port of 127.0.0.1 until the program ends; returns the port, which is a
    /// free one if 0 is asked for.
    ///
    /// # Errors
    ///
    /// The port is taken.
    pub fn start(self, port: u16) -> io::Result<u16> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let server = Arc::new(self);
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let server = Arc::clone(&server);
                thread::spawn(move || server.serve(&connection));
            }
        });
        Ok(port)
    }

    /// Answers the requests of a connection.
    fn serve(&self, mut connection: &TcpStream) {
        let _ = connection.set_nodelay(true);
        while let Ok(Some(apdu)) = read_packet(&mut connection) {
            let Some(answer) = self.answer(&apdu) else { return };
            if connection.write_all(&answer).is_err() {
                return;
            }
        }
    }
}
