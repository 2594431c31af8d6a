//! The connections of a run: does what the run wants, and returns what happened.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use locator::plan::{Connection, Message, Prompt, ReplyFraming, Transport};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[cfg(feature = "http")]
use super::upload::{Upload, UploadError};
use crate::error::failure::{ConnectCause, Detail, FailureKind, RefusedMethod, TlsCause};
use crate::net::dialer::{self, ConnectedServer, Datagrams, Endpoint, text_of};
use crate::net::tls::{DialledStream, Stream, TlsSession};
#[cfg(feature = "ardp")]
use crate::protocols::ardp::Packet;
use crate::run::{Channel, Destination, Ending, Event, Want, Way};
use crate::settings::Settings;
use crate::settings::prompter::Watcher;
use crate::time::timings::TimingStep;

/// How much is read at once: of the control connection, and of a data connection.
const LINES: usize = 64 << 10;
const PIECE: usize = 256 << 10;

/// A control connection without a run.
pub(super) struct KeptConnection {
    stream: Stream,
    session: Option<TlsSession>,
    peer: Arc<ConnectedServer>,
    watcher: Option<Arc<dyn Watcher>>,
}

impl KeptConnection {
    /// Closes it after a last message.
    pub(super) fn close_with(&mut self, message: &Message) {
        if let Some(watcher) = &self.watcher {
            watcher.sent(&message.shown());
        }
        self.stream.close_with(&message.to_bytes());
    }
}

/// The connections of a run.
pub(super) struct Connections {
    settings: Settings,
    /// The scheme of the URL, for the policy.
    scheme: String,
    /// The server that named the URL, if one did.
    named_by: Option<Arc<ConnectedServer>>,
    control: Option<Stream>,
    data: Option<Stream>,
    /// The control connection, if it is one of datagrams.
    datagrams: Option<Datagrams>,
    session: Option<TlsSession>,
    /// The peer of the control connection.
    pub(super) peer: Option<Arc<ConnectedServer>>,
    buffer: Box<[u8]>,
    /// What is read from the data connection; empty between two readings.
    piece: Vec<u8>,
    answer: Vec<u8>,
    /// What is sent on the data connection.
    #[cfg(feature = "http")]
    pub(super) upload: Option<Upload>,
    /// Whether a server of this machine may name files of it.
    pub(super) reads_files: bool,
    /// The URL of a file that was chosen.
    pub(super) chosen_file: Option<String>,
    /// Whether the server writes an answer in pieces, each of which must be acknowledged.
    is_in_pieces: bool,
    /// How many octets were written and not yet flushed.
    unflushed: usize,
    /// Whether the message that is sent was reported.
    is_reported: bool,
}

impl Connections {
    /// Begins without a connection, for a URL of this scheme, which a server may have named.
    pub(super) fn new(scheme: &str, named_by: Option<Arc<ConnectedServer>>, settings: Settings) -> Self {
        Self {
            settings,
            scheme: scheme.to_ascii_lowercase(),
            named_by,
            control: None,
            data: None,
            datagrams: None,
            session: None,
            peer: None,
            buffer: vec![0; LINES].into(),
            piece: Vec::new(),
            answer: Vec::new(),
            #[cfg(feature = "http")]
            upload: None,
            reads_files: false,
            chosen_file: None,
            is_in_pieces: false,
            unflushed: 0,
            is_reported: false,
        }
    }

    /// Reports the message that is sent, if there is one, once.
    pub(super) fn report(&mut self, message: Option<&Message>) {
        let was_reported = std::mem::replace(&mut self.is_reported, message.is_some());
        if let (Some(message), Some(watcher), false) = (message, &self.settings.watcher, was_reported) {
            watcher.sent(&message.shown());
        }
    }

    /// Does what a run wants, and returns what happened.
    pub(super) async fn act(&mut self, want: Want<'_>) -> Event<'_> {
        match want {
            Want::Dial(to) => self.dial(to).await,
            Want::DialPeer(port) => self.dial_peer(port).await,
            Want::Secure(channel, host) => self.secure(channel, host).await,
            Want::Send(octets) => self.send(octets).await,
            Want::Read { control, data } => self.read(control, data).await,
            #[cfg(feature = "http")]
            Want::Upload { control, is_text } => self.send_object(control, is_text).await,
            Want::SendDatagram(datagram) => self.send_datagram(datagram).await,
            Want::ReadDatagram => self.read_datagram().await,
            Want::Choose(ways) => self.choose(ways),
            Want::Random(count) => self.random(count),
            Want::CloseData => {
                self.data = None;
                Event::Closed
            }
            _ => broken_event(Channel::Control, FailureKind::NotSupported("this step of the plan")),
        }
    }

    /// Notes that the first octets of the object are there.
    pub(super) fn starts_transfer(&self) {
        self.settings.times.mark(TimingStep::StartTransfer);
    }

    /// Gives the control connection away, for a later run.
    pub(super) fn release(&mut self) -> Option<KeptConnection> {
        let (stream, session) = (self.control.take()?, self.session.take());
        let watcher = self.settings.watcher.clone();
        Some(KeptConnection { stream, session, peer: self.peer.clone()?, watcher })
    }

    /// Takes the control connection of an earlier run; returns whether it can be used. The policy is asked
    /// about its address anew: it may be narrower for a URL that a server named.
    pub(super) fn adopt(&mut self, to: &Connection, mut kept: KeptConnection) -> bool {
        let address = kept.peer.address;
        let Ok(target) = self.settings.dialer().for_host(&to.host).target(self.place(to)) else {
            return false;
        };
        if target.permit(address.ip()).is_err() || !kept.stream.renew().unwrap_or(false) {
            return false;
        }
        self.close();
        (self.control, self.session, self.unflushed) = (Some(kept.stream), kept.session, 0);
        self.peer = Some(ConnectedServer { target, address, is_proxied: false }.into());
        if let Some(watcher) = &self.settings.watcher {
            watcher.reused(&to.host, address, to.protocol);
        }
        true
    }

    pub(super) const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Closes all connections.
    pub(super) fn close(&mut self) {
        self.control = None;
        self.data = None;
        self.datagrams = None;
    }

    async fn dial(&mut self, to: &Connection) -> Event<'_> {
        self.close();
        if to.transport == Transport::Udp {
            return match self.exchange_datagrams(to).await {
                Ok(address) => Event::Dialled(Channel::Control, address),
                Err(kind) => broken_event(Channel::Control, kind),
            };
        }
        match self.connect(to).await {
            Ok(DialledStream { stream, address }) => {
                self.control = Some(stream);
                Event::Dialled(Channel::Control, address)
            }
            Err(kind) => broken_event(Channel::Control, kind),
        }
    }

    async fn connect(&mut self, to: &Connection) -> Result<DialledStream, FailureKind> {
        let dialer = self.settings.dialer().for_host(&to.host);
        let (stream, server) = dialer.dial(dialer.target(self.place(to))?).await?;
        let address = server.address;
        self.peer = Some(server.into());
        self.session = None;
        self.is_in_pieces = to.protocol.replies == ReplyFraming::Packets;
        self.unflushed = 0;
        if let Some(watcher) = &self.settings.watcher {
            watcher.connected(&to.host, address, to.protocol);
        }
        let stream = Stream::Tcp(stream);
        match to.transport {
            Transport::Tls => {
                let stream = self.secured(stream, &to.host).await?;
                self.settings.times.mark(TimingStep::AppConnect);
                Ok(DialledStream { stream, address })
            }
            _ => Ok(DialledStream { stream, address }),
        }
    }

    fn place<'a>(&'a self, to: &'a Connection) -> Endpoint<'a> {
        Endpoint { scheme: &self.scheme, host: &to.host, port: to.port, named_by: self.named_by.as_deref() }
    }

    async fn exchange_datagrams(&mut self, to: &Connection) -> Result<SocketAddr, FailureKind> {
        let dialer = self.settings.dialer().for_host(&to.host);
        let datagrams = dialer.exchange(dialer.target(self.place(to))?).await?;
        let server = datagrams.server().clone();
        let address = server.address;
        self.peer = Some(server.into());
        if let Some(watcher) = &self.settings.watcher {
            watcher.connected(&to.host, address, to.protocol);
        }
        self.datagrams = Some(datagrams);
        Ok(address)
    }

    async fn send_datagram(&mut self, datagram: &[u8]) -> Event<'_> {
        let Some(datagrams) = &self.datagrams else { return no_connection() };
        match datagrams.send(datagram).await {
            Ok(()) => Event::Sent(datagram.len()),
            Err(error) => self.refused(error).await,
        }
    }

    async fn read_datagram(&mut self) -> Event<'_> {
        let Some(datagrams) = &mut self.datagrams else { return no_connection() };
        match datagrams.receive(&mut self.buffer).await {
            Ok(count) => {
                let datagram = self.buffer.get(..count).unwrap_or_default();
                #[cfg(feature = "ardp")]
                if let (Some(watcher), Some(packet)) = (&self.settings.watcher, Packet::parse(datagram)) {
                    watcher.received(packet.data);
                }
                Event::Datagram(datagram)
            }
            Err(error) => self.refused(error).await,
        }
    }

    /// The server does not take datagrams at this address: another one may.
    async fn refused(&mut self, error: io::Error) -> Event<'_> {
        let Some(datagrams) = &mut self.datagrams else { return no_connection() };
        match datagrams.move_on().await {
            Ok(true) => {
                let server = datagrams.server().clone();
                let address = server.address;
                self.peer = Some(server.into());
                Event::Dialled(Channel::Control, address)
            }
            Ok(false) => {
                broken_event(Channel::Control, dialer::not_connected(datagrams.server().address, error))
            }
            Err(kind) => broken_event(Channel::Control, kind),
        }
    }

    /// Chooses the first way that the policy allows.
    fn choose(&mut self, ways: &[Way]) -> Event<'_> {
        let mut refusals = Vec::new();
        for (index, way) in ways.iter().enumerate() {
            match self.judge(&way.to) {
                Ok(()) => {
                    if let Destination::File(url) = &way.to {
                        self.chosen_file = Some(url.clone());
                    }
                    return Event::Chosen(index);
                }
                Err(why) => refusals.push(RefusedMethod { method: way.method.clone(), why }),
            }
        }
        broken_event(Channel::Control, FailureKind::NoMethod(refusals))
    }

    fn judge(&self, to: &Destination) -> Result<(), String> {
        let Some(server) = &self.peer else { return Err("no server".into()) };
        match to {
            Destination::Server => Ok(()),
            Destination::Url(url) => {
                let followed = server.peer().and_then(|peer| self.settings.policy.follow(&peer, url));
                followed.map(drop).map_err(|refusal| format!("{url}: {refusal}"))
            }
            Destination::File(_) if self.reads_files && server.address.ip().is_loopback() => Ok(()),
            Destination::File(url) => {
                Err(format!("{url}: only a URL given by the user leads to local files"))
            }
            Destination::Nowhere(why) => Err(why.clone()),
        }
    }

    async fn dial_peer(&mut self, port: u16) -> Event<'_> {
        self.data = None;
        #[cfg(feature = "http")]
        self.upload.iter_mut().for_each(Upload::start_over);
        self.settings.times.mark(TimingStep::PreTransfer);
        let Some(server) = self.peer.clone() else {
            return broken_event(Channel::Data, not_open("no server yet"));
        };
        match self.settings.dialer().dial_peer(&server, port).await {
            Ok((stream, address)) => {
                if let Some(watcher) = &self.settings.watcher {
                    watcher.connected_data(address);
                }
                self.data = Some(Stream::Tcp(stream));
                Event::Dialled(Channel::Data, address)
            }
            Err(kind) => broken_event(Channel::Data, kind),
        }
    }

    async fn secure(&mut self, channel: Channel, host: &str) -> Event<'_> {
        let stream = match channel {
            Channel::Control => self.control.take(),
            Channel::Data => self.data.take(),
        };
        let Some(stream) = stream else {
            return broken_event(channel, FailureKind::NotSecured("no connection".into()));
        };
        match self.secured(stream, host).await {
            Ok(stream) => {
                match channel {
                    Channel::Control => {
                        self.settings.times.mark(TimingStep::AppConnect);
                        self.control = Some(stream);
                    }
                    Channel::Data => self.data = Some(stream),
                }
                Event::Secured(channel)
            }
            Err(kind) => broken_event(channel, kind),
        }
    }

    async fn secured(&mut self, stream: Stream, host: &str) -> Result<Stream, FailureKind> {
        let session = match self.session.take() {
            Some(session) => session,
            None => self.settings.tls.session()?,
        };
        let stream = session.secure(stream, host).await;
        self.session = Some(session);
        if let (Ok(stream), Some(watcher)) = (&stream, &self.settings.watcher) {
            watcher.secured(host);
            stream.details().iter().for_each(|tls| watcher.agreed(tls));
        }
        stream
    }

    async fn send(&mut self, octets: &[u8]) -> Event<'_> {
        let Some(stream) = &mut self.control else {
            return Event::Ended(Channel::Control, Ending::Fin);
        };
        if self.unflushed == 0 {
            match stream.write(octets).await {
                Ok(count) => self.unflushed = count,
                Err(error) => return self.failed(Channel::Control, error),
            }
        }
        if let Err(error) = stream.flush().await {
            return self.failed(Channel::Control, error);
        }
        let count = std::mem::take(&mut self.unflushed);
        self.is_reported = count < octets.len();
        Event::Sent(count)
    }

    /// Sends octets of the object, unless the server says something.
    #[cfg(feature = "http")]
    async fn send_object(&mut self, control: bool, is_text: bool) -> Event<'_> {
        let Self { control: control_stream, data, buffer, upload, .. } = self;
        let (Some(stream), Some(upload)) = (data.as_mut(), upload.as_mut()) else {
            return broken_event(Channel::Data, FailureKind::NotSupported("an upload without data"));
        };
        let sent = poll_fn(|cx| {
            if let Some(stream) = control_stream.as_mut().filter(|_| control)
                && let Poll::Ready(count) = pin!(stream.read(buffer)).poll(cx)
            {
                return Poll::Ready(Err(count));
            }
            upload.poll(stream, is_text, cx).map(Ok)
        })
        .await;
        match sent {
            Ok(Ok(count)) => Event::Uploaded(count),
            Ok(Err(UploadError::Connection(error))) => self.failed(Channel::Data, error),
            Ok(Err(UploadError::File(kind))) => {
                self.data = None;
                broken_event(Channel::Data, kind)
            }
            Err(Ok(0)) => self.ended(Channel::Control),
            Err(Ok(count)) => self.heard(count),
            Err(Err(error)) => self.failed(Channel::Control, error),
        }
    }

    /// Returns what was read of the control connection.
    fn heard(&self, count: usize) -> Event<'_> {
        let octets = self.buffer.get(..count).unwrap_or_default();
        if let Some(watcher) = &self.settings.watcher {
            watcher.received(octets);
        }
        Event::Octets(Channel::Control, octets)
    }

    /// Reads from a connection that has octets: the data connection if both have, so that no octets of
    /// the object are lost when the control connection ends.
    async fn read(&mut self, control: bool, data: bool) -> Event<'_> {
        if !control && !data {
            return Event::Taken(0);
        }
        for (channel, is_wanted, stream) in
            [(Channel::Control, control, &self.control), (Channel::Data, data, &self.data)]
        {
            if is_wanted && stream.is_none() {
                return Event::Ended(channel, Ending::Fin);
            }
        }
        if let Some(stream) = self.control.as_ref().filter(|_| self.is_in_pieces) {
            stream.acknowledge_at_once();
        }
        let Self { control: control_stream, data: data_stream, buffer, piece, .. } = self;
        if data {
            piece.clear();
            piece.reserve_exact(PIECE);
        }
        let (channel, count) = poll_fn(|cx| {
            // A reading that is not ready leaves nothing, so each poll begins another one.
            if let Some(stream) = data_stream.as_mut().filter(|_| data)
                && let Poll::Ready(count) = pin!(stream.read_buf(piece)).poll(cx)
            {
                return Poll::Ready((Channel::Data, count));
            }
            if let Some(stream) = control_stream.as_mut().filter(|_| control)
                && let Poll::Ready(count) = pin!(stream.read(buffer)).poll(cx)
            {
                return Poll::Ready((Channel::Control, count));
            }
            Poll::Pending
        })
        .await;
        match count {
            Ok(0) => self.ended(channel),
            // A small piece is not worth its allocation.
            Ok(count) if channel == Channel::Data && count < PIECE / 8 => {
                Event::Octets(Channel::Data, &self.piece)
            }
            Ok(_) if channel == Channel::Data => Event::Piece(std::mem::take(&mut self.piece)),
            Ok(count) => self.heard(count),
            Err(error) => self.failed(channel, error),
        }
    }

    fn stream(&mut self, channel: Channel) -> &mut Option<Stream> {
        match channel {
            Channel::Control => &mut self.control,
            Channel::Data => &mut self.data,
        }
    }

    fn ended(&mut self, channel: Channel) -> Event<'_> {
        let stream = self.stream(channel).take();
        Event::Ended(channel, stream.map_or(Ending::Fin, |stream| stream.ending()))
    }

    /// Returns what an error of a connection means.
    fn failed(&mut self, channel: Channel, error: io::Error) -> Event<'_> {
        *self.stream(channel) = None;
        match error.kind() {
            io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
                Event::Ended(channel, Ending::Reset)
            }
            // TLS without close_notify.
            io::ErrorKind::UnexpectedEof => Event::Ended(channel, Ending::Fin),
            io::ErrorKind::InvalidData => {
                let why = Detail::new(TlsCause::Protocol, text_of(&error)).source(error);
                broken_event(channel, FailureKind::NotSecured(why))
            }
            kind => {
                let why = Detail::new(kind.into(), text_of(&error)).source(error);
                broken_event(channel, FailureKind::NotConnected(why))
            }
        }
    }

    fn random(&mut self, count: usize) -> Event<'_> {
        self.answer = vec![0; count];
        match getrandom::fill(&mut self.answer) {
            Ok(()) => Event::Answer(&self.answer),
            Err(_) => {
                broken_event(Channel::Control, FailureKind::NotSupported("random octets on this system"))
            }
        }
    }

    /// Asks the prompter, which may wait for a person, on a thread of its own.
    pub(super) async fn ask(&mut self, prompt: Prompt, form: Vec<u8>) -> Event<'_> {
        let name = prompt.name();
        let answer = match self.settings.prompter.clone() {
            Some(prompter) => {
                let asking = tokio::task::spawn_blocking(move || prompter.answer(&prompt, &form));
                asking.await.ok().flatten()
            }
            None if prompt == Prompt::Email => Some(b"anonymous@".into()),
            None => None,
        };
        match answer {
            Some(answer) => {
                self.answer = answer;
                Event::Answer(&self.answer)
            }
            None => broken_event(Channel::Control, FailureKind::NoAnswer(name)),
        }
    }
}

fn not_open(text: &str) -> FailureKind {
    FailureKind::NotConnected(Detail::new(ConnectCause::NotOpen, text))
}

fn no_connection<'e>() -> Event<'e> {
    broken_event(Channel::Control, not_open("no connection"))
}

fn broken_event<'e>(channel: Channel, kind: FailureKind) -> Event<'e> {
    Event::Broke(channel, kind)
}
