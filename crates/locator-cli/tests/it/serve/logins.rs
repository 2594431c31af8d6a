//! Logins by a form: in memory, for one user of one server, and in no URL.

use locator_dev::servers::ftp::{Command, FtpServer, Reply};

use crate::serve::gateway::{Gateway, encoded};

/// A server of ftp that knows joe with the password s3cret, and serves nothing but a refusal after it.
fn start() -> FtpServer {
    FtpServer::start(|_| {
        |command: &Command| {
            let line = match (&*command.name, &*command.argument) {
                ("", _) => return None,
                ("USER", b"joe") => "331 password",
                ("PASS", b"s3cret") => "230 in",
                ("USER", b"anonymous") | ("PASS", b"wrong") => "530 no",
                _ => "550 no such file",
            };
            Some(Reply::Line(line.into()))
        }
    })
}

#[test]
fn a_login_is_asked_for_by_a_form() {
    let server = start();
    let gateway = Gateway::start(&["--logins"]);
    let url = server.url_of("joe@", "a");
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
    assert!(server.log().all().iter().filter(|line| *line == "PASS s3cret").count() >= 1);
    // Without a user in the URL the form asks for one.
    let anonymous = gateway.get(&gateway.path("u", &server.url("a")));
    assert!(!anonymous.token().is_empty());
}

#[test]
fn a_url_with_a_password() {
    let server = start();
    let gateway = Gateway::start(&["--logins"]);
    for route in ["u", "raw"] {
        let leads = gateway.get(&gateway.path(route, &server.url_of("joe:s3cret@", "a")));
        let location = leads.header("location").unwrap();
        assert_eq!(leads.status, 303);
        assert!(
            location
                .ends_with(&format!("{route}/ftp%3A%2F%2Fjoe%40127.0.0.1%3A{}%2Fa", server.address().port())),
            "{location}"
        );
        assert!(gateway.get(location).text().contains("550 no such file"));
    }
    assert!(server.log().all().contains(&"PASS s3cret".to_owned()));
}

/// Without the option no password is kept: other users of the machine could use it.
#[test]
fn without_the_option() {
    let server = start();
    let gateway = Gateway::start(&[]);
    let leads = gateway.get(&gateway.path("u", &server.url_of("joe:s3cret@", "a")));
    assert_eq!(leads.status, 303);
    let refused = gateway.get(leads.header("location").unwrap());
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("--logins"), "{}", refused.text());
    let body = format!("url={}&user=joe&password=s3cret&token=0", encoded("ftp://h/"));
    assert_eq!(gateway.request("POST", "/login", &[], &body).status, 403);
    assert!(!server.log().all().iter().any(|line| line.starts_with("PASS s3")));
}
