//! FTP: the data connection goes to the server, whatever address it names, and to no port of another
//! protocol.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use crate::reach::network::{INSIDE, Trap};
use crate::reach::{get, refused, typed};

/// Serves one connection at 1.2.3.4: replies 500 to EPSV unless it is given, and so to PASV.
async fn serve(epsv: &'static str, pasv: String, data: Option<TcpListener>) -> tokio::task::JoinHandle<()> {
    let listener = TcpListener::bind("1.2.3.4:21").await.unwrap();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        drop(listener);
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read).lines();
        write.write_all(b"220 ready\r\n").await.unwrap();
        while let Ok(Some(line)) = lines.next_line().await {
            let reply = match line.split(' ').next().unwrap() {
                "USER" => "331 password",
                "PASS" => "230 in",
                "EPSV" => epsv,
                "PASV" => &pasv,
                "RETR" => match &data {
                    Some(data) => {
                        write.write_all(b"150 here\r\n").await.unwrap();
                        data.accept().await.unwrap().0.write_all(b"x").await.unwrap();
                        "226 sent"
                    }
                    None => "425 no connection",
                },
                _ => "200 ok",
            };
            if write.write_all(format!("{reply}\r\n").as_bytes()).await.is_err() {
                return;
            }
        }
    })
}

#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn the_address_of_227() {
    let trap = Trap::new();
    for address in INSIDE.iter().filter(|address| !address.contains(':')) {
        let data = TcpListener::bind("1.2.3.4:8080").await.unwrap();
        let named = address.replace('.', ",");
        let server =
            serve("500 what?", format!("227 ({named},{},{})", 8080 / 256, 8080 % 256), Some(data)).await;
        assert_eq!(get(&typed(), "ftp://1.2.3.4/a").await.unwrap().1, b"x", "{address}");
        server.await.unwrap();
    }
    assert_eq!(trap.sprung(), []);
}

#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn the_ports_of_229_and_227() {
    let trap = Trap::new();
    // A server that would be asked: another protocol's, on the same host.
    let mail = std::net::TcpListener::bind("1.2.3.4:25").unwrap();
    mail.set_nonblocking(true).unwrap();
    let server = serve("229 (|||25|)", "227 (1,2,3,4,0,25)".into(), None).await;
    assert!(refused(get(&typed(), "ftp://1.2.3.4/a").await).is_some());
    server.await.unwrap();
    assert!(mail.accept().is_err());
    assert_eq!(trap.sprung(), []);
}
