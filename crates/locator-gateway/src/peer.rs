//! Whose program is at the other end of a connection: takes its two addresses, and looks them up in the
//! tables of Linux (`/proc/net/tcp`, proc_pid_net(5)). Other systems have none.

#[cfg(any(target_os = "linux", test))]
use std::net::IpAddr;
use std::net::SocketAddr;

/// Returns whether the program at the other end is one of another user of this machine. One of root is not:
/// root sees everything anyway. What is not known is not another user's.
#[cfg(target_os = "linux")]
pub(super) fn is_of_another_user(peer: SocketAddr, own: SocketAddr) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(std::fs::read_to_string);
    let mut owners = tables.iter().flatten().filter_map(|table| owner(table, peer, own));
    owners.any(|owner| owner != user && owner != 0)
}

/// Returns that nothing is known.
#[cfg(not(target_os = "linux"))]
pub(super) const fn is_of_another_user(_peer: SocketAddr, _own: SocketAddr) -> bool {
    false
}

/// Returns the user whose socket has these addresses: a line has a number, the local and the remote address,
/// the state, two pairs of counts, a count and the user.
#[cfg(any(target_os = "linux", test))]
fn owner(table: &str, local: SocketAddr, remote: SocketAddr) -> Option<u32> {
    table.lines().skip(1).find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let (one, other) = (address(words.next()?)?, address(words.next()?)?);
        let is_it = one == canonical(local) && other == canonical(remote);
        words.nth(4).filter(|_| is_it)?.parse().ok()
    })
}

/// Reads an address: its octets in hexadecimal, each 32 bits in the order of the machine, and the port.
#[cfg(any(target_os = "linux", test))]
fn address(word: &str) -> Option<(IpAddr, u16)> {
    let (octets, port) = word.split_once(':')?;
    let mut groups = [0_u8; 16];
    for (group, digits) in groups.chunks_mut(4).zip(octets.as_bytes().chunks(8)) {
        let number = u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
        group.copy_from_slice(&number.to_ne_bytes());
    }
    let [a, b, c, d, ..] = groups;
    let ip = if octets.len() == 8 { IpAddr::from([a, b, c, d]) } else { IpAddr::from(groups) };
    Some((ip.to_canonical(), u16::from_str_radix(port, 16).ok()?))
}

#[cfg(any(target_os = "linux", test))]
fn canonical(address: SocketAddr) -> (IpAddr, u16) {
    (address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_endian = "little")]
    #[test]
    fn owners_of_sockets() {
        let table = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:06CA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 9 1 0 100 0 0 10 0
   1: 0100007F:8AE2 0100007F:06CA 01 00000000:00000000 00:00000000 00000000  1000        0 9 1 0 20 4 30 10 -1
   2: 0000000000000000FFFF00000100007F:8AE3 0000000000000000FFFF00000100007F:06CA 01 0:0 0:0 0  1001 0 9
   3: 00000000000000000000000001000000:8AE4 00000000000000000000000001000000:06CA 01 0:0 0:0 0  1002 0 9
   4: nonsense
";
        let of = |peer: &str, own: &str| owner(table, peer.parse().unwrap(), own.parse().unwrap());
        assert_eq!(of("127.0.0.1:35554", "127.0.0.1:1738"), Some(1000));
        assert_eq!(of("127.0.0.1:35555", "127.0.0.1:1738"), Some(1001));
        assert_eq!(of("[::1]:35556", "[::1]:1738"), Some(1002));
        // The other end is that of the gateway itself.
        assert_eq!(of("127.0.0.1:1738", "127.0.0.1:35554"), None);
        assert_eq!(of("127.0.0.1:1", "127.0.0.1:1738"), None);
    }
}
