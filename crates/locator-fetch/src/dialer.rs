//! The dialer: the only file that opens a socket. It looks names up, asks the policy about each
//! address, and connects to one after the other.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use locator::audit::{Policy, RefusalReason, Target};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use crate::run::FailureKind;

/// The versions of IP that are used.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// Both.
    #[default]
    Any,
    /// IPv4 only.
    Ipv4,
    /// IPv6 only.
    Ipv6,
}

impl Family {
    const fn has(self, address: IpAddr) -> bool {
        match self {
            Self::Any => true,
            Self::Ipv4 => address.is_ipv4(),
            Self::Ipv6 => address.is_ipv6(),
        }
    }
}

/// Connects to one of the addresses of a target; all of them together have `limit` milliseconds.
pub(crate) async fn dial(
    target: &Target,
    family: Family,
    limit: u64,
) -> Result<(TcpStream, SocketAddr), FailureKind> {
    let found = look_up(target, family).await?;
    let addresses = target.addresses(found).map_err(|refusal| FailureKind::Forbidden(refusal.to_string()))?;
    let share = Duration::from_millis(limit) / u32::try_from(addresses.len()).unwrap_or(u32::MAX).max(1);
    let mut last = FailureKind::NameNotFound;
    for address in addresses {
        match timeout(share, connect(address)).await {
            Ok(Ok(stream)) => return Ok((stream, address)),
            Ok(Err(failure)) => last = failure,
            Err(_) => last = FailureKind::TimedOut(share.as_millis() as u64),
        }
    }
    Err(last)
}

/// Connects to a port of a server that a connection was made to. What the server says about
/// addresses is not asked.
pub(crate) async fn dial_peer(
    policy: &Policy,
    target: &Target,
    peer: IpAddr,
    port: u16,
) -> Result<(TcpStream, SocketAddr), FailureKind> {
    let allowed = target.peer(peer).and_then(|peer_of| policy.data_address(&peer_of, peer, port));
    let address = allowed.map_err(|refusal| match refusal.reason() {
        // The server may name a better port in another way.
        RefusalReason::AnswerPort => FailureKind::NotConnected(format!("port {port}: {refusal}")),
        _ => FailureKind::Forbidden(refusal.to_string()),
    })?;
    connect(address).await.map(|stream| (stream, address))
}

async fn connect(address: SocketAddr) -> Result<TcpStream, FailureKind> {
    match TcpStream::connect(address).await {
        Ok(stream) => {
            // Commands are short, and each is answered before the next one.
            let _ = stream.set_nodelay(true);
            Ok(stream)
        }
        Err(error) => Err(FailureKind::NotConnected(format!("{address}: {}", text_of(&error)))),
    }
}

/// Returns the addresses of a target. The name has a dot at its end, so that no domain of a search
/// list is added; a list of hosts of this machine may know it only without.
async fn look_up(target: &Target, family: Family) -> Result<Vec<IpAddr>, FailureKind> {
    let found = match target.address() {
        Some(address) => vec![address],
        None => {
            let name = target.name_to_look_up();
            match resolve(&name).await {
                Ok(found) if !found.is_empty() => found,
                _ => resolve(name.trim_end_matches('.')).await.unwrap_or_default(),
            }
        }
    };
    if found.is_empty() {
        return Err(FailureKind::NameNotFound);
    }
    let found: Vec<_> = found.into_iter().filter(|address| family.has(*address)).collect();
    if found.is_empty() {
        return Err(FailureKind::NotConnected("the host has no address of this version of IP".into()));
    }
    Ok(found)
}

async fn resolve(name: &str) -> io::Result<Vec<IpAddr>> {
    let mut found: Vec<IpAddr> = Vec::new();
    for address in lookup_host((name, 0)).await? {
        if !found.contains(&address.ip()) {
            found.push(address.ip());
        }
    }
    Ok(found)
}

/// Returns the text of an error of the system, without its number.
pub(crate) fn text_of(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
