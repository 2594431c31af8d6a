//! Logins by a form: in memory, for one user of one server, and in no URL.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::serve::gateway::{Gateway, encoded};

/// A server of ftp that knows joe with the password s3cret, and serves nothing but a refusal after it.
fn start() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let noted = asked.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, noted) = (stream.unwrap(), noted.clone());
            thread::spawn(move || serve(stream, &noted));
        }
    });
    (port, asked)
}

fn serve(mut stream: TcpStream, noted: &Mutex<Vec<String>>) {
    let lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let _ = stream.write_all(b"220 ready\r\n");
    for line in lines.map_while(Result::ok) {
        let reply = match &*line {
            "USER joe" => "331 password",
            "PASS s3cret" => "230 in",
            "USER anonymous" | "PASS wrong" => "530 no",
            _ => "550 no such file",
        };
        noted.lock().unwrap().push(line);
        let _ = stream.write_all(format!("{reply}\r\n").as_bytes());
    }
}

#[test]
fn a_login_is_asked_for_by_a_form() {
    let (port, asked) = start();
    let gateway = Gateway::start(&["--logins"]);
    let url = format!("ftp://joe@127.0.0.1:{port}/a");
    let path = gateway.path("u", &url);
    let form = gateway.get(&path);
    assert_eq!(form.status, 200);
    let token = form.token();
    // The form of another page is not accepted.
    let fields = [("url", &*url), ("user", "joe"), ("password", "s3cret")];
    assert_eq!(gateway.post("login", &fields).status, 403);
    let log_in = |password: &str| {
        let fields = [("url", &*url), ("user", "joe"), ("password", password), ("token", &*token)];
        let leads = gateway.post("login", &fields);
        assert_eq!(leads.status, 303);
        let location = leads.header("location").unwrap().to_owned();
        assert!(location.contains("joe") && !location.contains(password), "{location}");
        gateway.get(&location)
    };
    let again = log_in("wrong");
    assert_eq!(again.status, 200);
    assert!(!again.token().is_empty(), "it asks again");
    let missing = log_in("s3cret");
    assert_eq!(missing.status, 404, "{}", missing.text());
    assert!(missing.text().contains("550 no such file"), "{}", missing.text());
    // It is kept, for this user of this server.
    assert_eq!(gateway.get(&path).status, 404);
    assert_eq!(gateway.get(&gateway.path("raw", &url)).status, 404);
    let other = gateway.get(&gateway.path("u", &url.replace("joe", "ann")));
    assert!(!other.text().contains("230"));
    assert!(asked.lock().unwrap().iter().filter(|line| *line == "PASS s3cret").count() >= 1);
    // Without a user in the URL the form asks for one.
    let anonymous = gateway.get(&gateway.path("u", &format!("ftp://127.0.0.1:{port}/a")));
    assert!(!anonymous.token().is_empty());
}

#[test]
fn a_url_with_a_password() {
    let (port, asked) = start();
    let gateway = Gateway::start(&["--logins"]);
    for route in ["u", "raw"] {
        let leads = gateway.get(&gateway.path(route, &format!("ftp://joe:s3cret@127.0.0.1:{port}/a")));
        let location = leads.header("location").unwrap();
        assert_eq!(leads.status, 303);
        assert!(
            location.ends_with(&format!("{route}/ftp%3A%2F%2Fjoe%40127.0.0.1%3A{port}%2Fa")),
            "{location}"
        );
        assert!(gateway.get(location).text().contains("550 no such file"));
    }
    assert!(asked.lock().unwrap().contains(&"PASS s3cret".to_owned()));
}

/// Without the option no password is kept: other users of the machine could use it.
#[test]
fn without_the_option() {
    let (port, asked) = start();
    let gateway = Gateway::start(&[]);
    let leads = gateway.get(&gateway.path("u", &format!("ftp://joe:s3cret@127.0.0.1:{port}/a")));
    assert_eq!(leads.status, 303);
    let refused = gateway.get(leads.header("location").unwrap());
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("--logins"), "{}", refused.text());
    let body = format!("url={}&user=joe&password=s3cret&token=0", encoded("ftp://h/"));
    assert_eq!(gateway.request("POST", "/login", &[], &body).status, 403);
    assert!(!asked.lock().unwrap().iter().any(|line| line.starts_with("PASS s3")));
}
