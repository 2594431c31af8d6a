//! Tries addresses: the next one begins when one has failed, or when none has answered for a while, so
//! that an address that does not answer costs little time (RFC 8305, 4 and 5).

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// How long the next attempt waits for those that have begun. RFC 8305, 5: "One recommended value for a
/// default delay is 250 milliseconds."
const PAUSE: Duration = Duration::from_millis(250);

/// Returns the addresses in their order, but those of IPv6 and IPv4 by turns.
pub(super) fn by_turns(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let is_first =
        |address: &SocketAddr| addresses.first().is_some_and(|one| one.is_ipv6() == address.is_ipv6());
    let (one, other): (Vec<_>, Vec<_>) = addresses.iter().copied().partition(is_first);
    let mut other = other.into_iter();
    let mut turns: Vec<_> = one.into_iter().flat_map(|one| [Some(one), other.next()]).flatten().collect();
    turns.extend(other);
    turns
}

/// Returns the first result that is not an error, else the last error; `None` without attempts.
pub(super) async fn first<A, T, E, F: Future<Output = Result<T, E>>>(
    of: impl IntoIterator<Item = A>,
    mut attempt: impl FnMut(A) -> F,
) -> Option<Result<T, E>> {
    let (mut left, mut last) = (of.into_iter(), None);
    let mut begun: Vec<Pin<Box<F>>> = Vec::new();
    let mut timer = pin!(sleep(PAUSE));
    poll_fn(|cx| {
        loop {
            let (mut i, mut is_due) = (0, begun.is_empty());
            while let Some(one) = begun.get_mut(i) {
                match one.as_mut().poll(cx) {
                    Poll::Ready(Ok(value)) => return Poll::Ready(Some(Ok(value))),
                    Poll::Ready(Err(error)) => {
                        last = Some(Err(error));
                        begun.remove(i);
                        is_due = true;
                    }
                    Poll::Pending => i += 1,
                }
            }
            if !is_due && timer.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            match left.next() {
                Some(next) => {
                    begun.push(Box::pin(attempt(next)));
                    timer.as_mut().reset(Instant::now() + PAUSE);
                }
                None if begun.is_empty() => return Poll::Ready(last.take()),
                None => return Poll::Pending,
            }
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits, and fails or returns its number; `None` waits for ever.
    async fn attempt((number, after, is_right): (u8, Option<u64>, bool)) -> Result<u8, u8> {
        match after {
            Some(after) => sleep(Duration::from_millis(after)).await,
            None => std::future::pending().await,
        }
        if is_right { Ok(number) } else { Err(number) }
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_that_answers() {
        for (attempts, expected, time) in [
            (vec![], None, 0),
            (vec![(1, Some(0), true)], Some(Ok(1)), 0),
            // A failure begins the next at once, silence after 250 ms.
            (vec![(1, Some(10), false), (2, Some(10), true)], Some(Ok(2)), 20),
            (vec![(1, None, true), (2, Some(10), true)], Some(Ok(2)), 260),
            (vec![(1, None, true), (2, None, true), (3, Some(1), true)], Some(Ok(3)), 501),
            // An earlier attempt goes on.
            (vec![(1, Some(300), true), (2, None, true)], Some(Ok(1)), 300),
            (vec![(1, Some(300), true), (2, Some(20), false)], Some(Ok(1)), 300),
            (vec![(1, Some(300), false), (2, Some(20), false)], Some(Err(1)), 300),
            (vec![(1, Some(1), false), (2, Some(2), false)], Some(Err(2)), 3),
        ] {
            let begin = Instant::now();
            assert_eq!(first(attempts.clone(), attempt).await, expected, "{attempts:?}");
            assert_eq!(begin.elapsed().as_millis(), time, "{attempts:?}");
        }
    }

    #[test]
    fn turns() {
        let address = |text: &str| format!("{text}:1").parse().unwrap();
        let all = |texts: &[&str]| texts.iter().map(|text| address(text)).collect::<Vec<_>>();
        for (given, expected) in [
            (&["[::1]", "[::2]", "1.1.1.1", "2.2.2.2"][..], &["[::1]", "1.1.1.1", "[::2]", "2.2.2.2"][..]),
            (&["1.1.1.1", "2.2.2.2", "[::1]"], &["1.1.1.1", "[::1]", "2.2.2.2"]),
            (&["1.1.1.1", "[::1]", "[::2]", "[::3]"], &["1.1.1.1", "[::1]", "[::2]", "[::3]"]),
            (&["1.1.1.1", "2.2.2.2"], &["1.1.1.1", "2.2.2.2"]),
            (&[], &[]),
        ] {
            assert_eq!(by_turns(all(given)), all(expected));
        }
    }
}
