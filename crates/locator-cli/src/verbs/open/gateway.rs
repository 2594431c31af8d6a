//! The gateway: finds one that runs, or starts one in the background. Returns its address, with the key if
//! it has one.

use std::env;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use locator_fetch::blocking::Fetcher;

use super::running;

/// How long a gateway may take until it answers.
const START: Duration = Duration::from_secs(10);

/// Finds a gateway, or starts one.
///
/// # Errors
///
/// None could be started.
pub(super) fn find_or_start() -> Result<String, String> {
    if let Some(address) = find() {
        return Ok(address);
    }
    // Another program may have the usual port, or another `locator open` has started a gateway there.
    start(&[]).or_else(|why| find().ok_or(why)).or_else(|_| start(&["--listen", "127.0.0.1:0"]))
}

/// Returns whether the address of a gateway has a key.
pub(super) fn has_key(address: &str) -> bool {
    root(address).len() + 1 < address.len()
}

/// Returns an address that leads to the page of a URL once, without the key.
///
/// # Errors
///
/// The gateway does not answer.
pub(super) fn once(address: &str, url: &str) -> Result<String, String> {
    let fetcher = Fetcher::for_user_input().timeout(Duration::from_secs(10)).max_size(1024);
    let request = fetcher.request(&*format!("{address}once")).form(&[("url", url)]);
    let answer = request.send().and_then(|response| response.text());
    // The error of a request names its URL, which has the key.
    let path = answer.ok().filter(|path| path.starts_with("/once/"));
    let path = path.ok_or("the gateway did not answer; end it, and try again")?;
    Ok([root(address), path.trim_end()].concat())
}

/// Returns the part of an address before the path.
fn root(address: &str) -> &str {
    let start = address.find("://").map_or(0, |at| at + 3);
    let end = address[start..].find('/').map_or(address.len(), |at| start + at);
    &address[..end]
}

fn find() -> Option<String> {
    running::address().filter(|address| answers(address))
}

/// Returns whether a gateway answers at an address. The file with the address is from us, but the gateway
/// may have ended, and another program may have its port.
fn answers(address: &str) -> bool {
    let fetcher = Fetcher::for_user_input().timeout(Duration::from_secs(2)).max_size(64);
    let answer = fetcher.fetch(&*format!("{address}ping")).and_then(|response| response.text());
    answer.is_ok_and(|text| text.trim_end() == "locator serve")
}

fn start(options: &[&str]) -> Result<String, String> {
    let cannot = |why: String| format!("the gateway cannot be started: {why}");
    let before = running::address();
    let program = env::current_exe().map_err(|error| cannot(error.to_string()))?;
    let mut command = Command::new(program);
    command.arg("serve").args(options);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C at the terminal is for the browser.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| cannot(error.to_string()))?;
    wait(&mut child, before.as_deref()).map_err(cannot)
}

/// Waits until the gateway answers. `before` is the address of one that has ended; the new one may have the
/// same.
fn wait(child: &mut Child, before: Option<&str>) -> Result<String, String> {
    let begin = Instant::now();
    while begin.elapsed() < START {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Err(status.to_string());
        }
        let address = running::address();
        let is_new = address.as_deref() != before || begin.elapsed() > Duration::from_millis(200);
        if let Some(address) = address.filter(|address| is_new && answers(address)) {
            return Ok(address);
        }
        thread::sleep(Duration::from_millis(10));
    }
    Err("it does not answer".into())
}
