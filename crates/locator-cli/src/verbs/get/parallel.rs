//! Parallel transfers (`-Z`; in a program [`Fetcher::save_all`](locator_fetch::Fetcher::save_all)): each thread
//! fetches one input after the other, on connections of its own. The first threads have several requests in flight
//! if the responses are saved to files: to wait for each of
//! them takes longer than the rest.
//! Standard output has the order of the inputs: a body that arrives before its turn is kept in memory,
//! and if that is full, its transfer waits.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, Scope};
use std::time::Duration;

use clap::Args;
use clap::value_parser;
use locator::UriRef;
use locator_fetch::FetchError;
use locator_fetch::blocking::{Fetcher, InFlight, Response};

use super::error::TransferError;
use super::getter::{Begun, Getter, Transferred};
use super::queue::{Host, Queue, Queued};
use super::urls::Urls;
use super::verdict::Verdict;
use crate::exit::{CliError, Status};
use crate::input::reading;
use crate::input::{Input, Origin};
use crate::output::Output;
use crate::output::progress::Progress;
use crate::report::Total;
use crate::run::{self, Answer};

/// The options of parallel transfers.
#[derive(Args, Debug)]
pub(super) struct ParallelArgs {
    /// Fetch URLs in parallel; the output is in the order of the URLs
    #[arg(short = 'Z', long, conflicts_with_all = ["verbose", "plan"])]
    parallel: bool,
    /// Run at most NUMBER transfers at the same time with -Z, up to 300
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = value_parser!(u16).range(1..=300))]
    parallel_max: u16,
    /// Run at most NUMBER of them with the same host; 0 is no limit. The default is 8 for ftp and
    /// news, and no limit for http
    #[arg(long, value_name = "NUMBER", value_parser = value_parser!(u16).range(..=300))]
    parallel_max_host: Option<u16>,
}

/// The number of transfers with one host of FTP or news, unless another one is given.
const PER_HOST: usize = 8;

impl ParallelArgs {
    /// Returns how many URLs are fetched at the same time, if several are.
    pub(super) fn at_once(&self) -> Option<usize> {
        self.parallel.then_some(self.parallel_max.into())
    }

    /// Returns how many URLs of one host are fetched at the same time.
    pub(super) fn per_host(&self) -> PerHost {
        let number = self.parallel_max_host.map_or(PER_HOST, usize::from);
        let number = if number == 0 { usize::MAX } else { number };
        PerHost { number, is_given: self.parallel_max_host.is_some() }
    }
}

/// How many URLs of one host are fetched at the same time.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerHost {
    pub(super) number: usize,
    /// Whether the number is for all schemes.
    is_given: bool,
}

impl PerHost {
    /// Returns the name of the host of a URL, if few of its URLs may be fetched at the same time.
    fn host(self, url: UriRef<'_>) -> Option<Host> {
        let name = url.scheme()?.as_str().to_ascii_lowercase();
        let is_few = self.is_given || ["ftp", "ftps", "news", "nntp", "snews"].contains(&&*name);
        let authority = url.authority().map(|authority| {
            let (host, port) = (authority.host(), authority.port());
            format!("{}:{}", host.as_str(), port.map_or("", |port| port.as_str()))
        });
        // The server of news: URLs without a host is the configured one.
        let host = format!("{name}:{}", authority.unwrap_or_default()).to_ascii_lowercase();
        is_few.then(|| host.into())
    }
}

/// The octets that are held for all inputs whose turn has not come.
const MEMORY: usize = 8 << 20;

/// How many inputs may begin before the first one whose turn it is has ended.
const AHEAD: u64 = 4096;

/// How many inputs may wait for a thread.
const PLENTY: usize = 128;

/// How many threads begin as soon as there are inputs for them. A near server is fastest with a few, and
/// a far one needs them all.
const FEW: usize = 4;

/// How many requests one of these threads has in flight at most, if responses are saved to files.
const IN_FLIGHT: usize = 16;

/// A response that is longer, or whose length is not known, is written by a thread of its own if other
/// requests are in flight: they would wait for it.
const SHORT: u64 = 64 << 10;

/// A further thread begins if no input is taken for this time.
const PATIENCE: Duration = Duration::from_millis(1);

/// How many threads have connections of their own. The others share theirs, because the waiting of a
/// thread takes three descriptors, of which a process has 256 on some systems.
const SEPARATE: usize = 16;

/// The memory for the calls of a thread.
const STACK: usize = 1 << 20;

/// The octets that an input passes on at once.
const BUFFER: usize = 4 << 10;

/// Fetches every input.
pub(super) fn run<'a>(
    getter: &'a Getter<'a>,
    verdict: Verdict<'a>,
    at_once: usize,
    per_host: PerHost,
    out: &mut Output,
) -> Result<Verdict<'a>, CliError> {
    let ended = Mutex::new(Ended { verdict, waiting: BTreeMap::new() });
    let crew = Crew { getter, turns: Arc::new(Turns::new(out.again())), ended };
    let jobs = Queue::new(per_host.number);
    let last = thread::scope(|scope| {
        let grower = Builder::new().spawn_scoped(scope, || crew.grow(scope, &jobs, at_once))?;
        let guard = ClosesInPanic(&jobs);
        let last = Feeder { crew: &crew, jobs: &jobs, per_host, count: 0, last: None }.feed(out);
        drop(guard);
        match grower.join() {
            Ok(grown) => grown.map_err(CliError::from).and(last),
            Err(panic) => panic::resume_unwind(panic),
        }
    })?;
    if let Some(error) = crew.turns.lock().failed.take() {
        return Err(error.into());
    }
    let verdict = crew.ended.into_inner().unwrap_or_else(PoisonError::into_inner).verdict;
    if let Some((number, origin)) = last
        && let Some(reports) = verdict.counted()
    {
        reports.end(number, origin, &Total::OF_ERRORS);
    }
    Ok(verdict)
}

/// An input that is to be fetched.
struct Job {
    /// Its place among the jobs, counted from 1.
    turn: u64,
    octets: Vec<u8>,
    /// Its place among the arguments, lines or items.
    number: u64,
    origin: Origin,
    alone: bool,
    list: Option<&'static str>,
    is_quiet: bool,
}

impl Job {
    fn input(&self) -> Input<'_> {
        let Self { ref octets, number, origin, alone, list, .. } = *self;
        Input { octets, number, origin, alone, list, column: None }
    }
}

/// Passes the inputs to the threads.
struct Feeder<'s, 'g> {
    crew: &'s Crew<'g>,
    jobs: &'s Queue<Job>,
    per_host: PerHost,
    /// How many jobs there were.
    count: u64,
    /// The last input.
    last: Option<(u64, Origin)>,
}

impl Feeder<'_, '_> {
    /// Passes every input on; returns the last one. The threads end when they have no more.
    fn feed(self, out: &mut Output) -> Result<Option<(u64, Origin)>, CliError> {
        let inputs = self.crew.getter.inputs;
        let (getter, jobs) = (self.crew.getter, self.jobs);
        let mut feeder = Urls { getter, inner: self };
        let result = run::run(inputs, &mut feeder, out);
        if result.is_err() {
            jobs.clear();
        }
        jobs.close();
        result.map(|_| feeder.inner.last)
    }

    /// Passes an input on, as soon as few enough wait.
    fn pass(&mut self, input: Input<'_>, is_quiet: bool) -> io::Result<()> {
        let Input { octets, number, origin, alone, list, .. } = input;
        self.last = Some((number, origin));
        self.count += 1;
        let octets = octets.to_vec();
        let job = Job { turn: self.count, octets, number, origin, alone, list, is_quiet };
        let url = reading::parse(&job.octets, self.crew.getter.edition).ok();
        let host = url.and_then(|url| self.per_host.host(url));
        self.jobs.push(job, host, PLENTY).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Answer for Feeder<'_, '_> {
    fn answer(&mut self, input: Input<'_>, _: &mut Output) -> io::Result<Status> {
        // The threads need the lock to take the input.
        let failed = self.crew.turns.lock().failed.take();
        match failed {
            Some(error) => Err(error),
            None => self.pass(input, false).map(|()| Status::Valid),
        }
    }

    /// The first input that fails ends the run.
    fn judge(&mut self, input: Input<'_>) -> Status {
        let passed = self.pass(input, true);
        let status = passed.map_or(Status::NotValid, |()| self.crew.lock().verdict.status());
        if status != Status::Valid {
            self.jobs.clear();
        }
        status
    }
}

/// What the threads share.
struct Crew<'s> {
    getter: &'s Getter<'s>,
    turns: Arc<Turns>,
    ended: Mutex<Ended<'s>>,
}

/// The inputs that were fetched, or were not.
struct Ended<'s> {
    verdict: Verdict<'s>,
    /// Those whose turn has not come.
    waiting: BTreeMap<u64, (Job, Transferred)>,
}

impl<'s> Crew<'s> {
    fn lock(&self) -> MutexGuard<'_, Ended<'s>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins as many threads as are needed.
    fn grow<'t>(&'t self, scope: &'t Scope<'t, '_>, jobs: &'t Queue<Job>, at_once: usize) -> io::Result<()> {
        // Half of the transfers are those of the first threads.
        let window = if self.getter.saves_all() { (at_once / (2 * FEW)).clamp(1, IN_FLIGHT) } else { 1 };
        let others = FEW * (window - 1);
        for threads in 0..at_once - others {
            let patience = if threads < FEW { Duration::ZERO } else { PATIENCE };
            if !jobs.needs_taker(patience) {
                break;
            }
            let own = Worker { crew: self, scope, jobs, has_own: threads < SEPARATE };
            let window = if threads < FEW { window } else { 1 };
            let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, move || own.work(window));
            if let Err(error) = thread {
                jobs.has_begun();
                // The others go on.
                if threads > 0 {
                    break;
                }
                jobs.close();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns an output for the inputs of one thread.
    fn output(&self) -> TurnOutput {
        let turn = Arc::new(AtomicU64::new(0));
        let own = Own { turns: self.turns.clone(), turn: turn.clone() };
        TurnOutput { out: self.turns.lock().out.to(Box::new(own), BUFFER), turn }
    }

    /// Writes the response for an input, whose first request may have been sent.
    fn write(
        &self,
        to: &mut TurnOutput,
        job: Job,
        begun: Begun<'_>,
        first: Option<Result<Response, FetchError>>,
    ) {
        to.turn.store(job.turn, Ordering::Relaxed);
        let Transferred { result, seen } = self.getter.end(begun, first, job.input(), &mut to.out);
        let flushed = to.out.flush();
        let result = result.and_then(|()| flushed.map_err(TransferError::from));
        self.end(job, Transferred { result, seen });
    }

    /// Notes the result of an input, and reports all whose turn has come.
    fn end(&self, job: Job, transferred: Transferred) {
        let Transferred { result, mut seen } = transferred;
        if let Some(progress) = &self.getter.progress {
            let counts = progress.counts();
            Progress::add(if result.is_ok() { &counts.files } else { &counts.failed }, 1);
        }
        let mut ended = self.lock();
        if !job.is_quiet {
            if ended.verdict.reports_at_once(&result) {
                let mut turns = self.turns.lock();
                let ended_line = turns.end_line();
                turns.note(ended_line);
            }
            ended.verdict.report_at_once(job.input(), &result, &mut seen);
        }
        let mut turns = self.turns.lock();
        turns.of_hosts.remove(&job.turn);
        ended.waiting.insert(job.turn, (job, Transferred { result, seen }));
        while let Some((job, Transferred { result, seen })) = ended.waiting.remove(&turns.next) {
            let reported = match job.is_quiet {
                true => Ok(ended.verdict.judge(&result)),
                false => ended.verdict.report(job.input(), result, seen, &mut turns.out),
            };
            let passed = reported.and_then(|_| turns.pass_on());
            turns.note(passed);
        }
        let flushed = turns.out.flush();
        turns.note(flushed);
        if turns.waiting > 0 {
            self.turns.changed.notify_all();
        }
    }
}

/// What a thread writes to, for the input whose turn this is.
struct TurnOutput {
    out: Output,
    turn: Arc<AtomicU64>,
}

/// An input, and the response to its first request.
struct Arrived<'g> {
    job: Job,
    begun: Begun<'g>,
    first: Result<Response, FetchError>,
}

/// The requests of a thread, each with its input.
type Requests<'g> = InFlight<'g, (Job, Begun<'g>)>;

/// A thread that fetches.
#[derive(Clone, Copy)]
struct Worker<'t, 'e, 's> {
    crew: &'t Crew<'s>,
    scope: &'t Scope<'t, 'e>,
    jobs: &'t Queue<Job>,
    /// Whether it has connections of its own.
    has_own: bool,
}

impl<'t> Worker<'t, '_, '_> {
    /// Fetches inputs until there are no more, so many of them at the same time.
    fn work(self, window: usize) {
        let Self { crew, jobs, .. } = self;
        let _guard = ClosesInPanic(jobs);
        jobs.has_begun();
        let fetcher = &crew.getter.fetcher;
        let fetcher = if self.has_own { fetcher.separate() } else { fetcher.clone() };
        let mut to = crew.output();
        let (mut requests, mut ended) = (InFlight::new(&fetcher), None);
        // The threads that write long responses.
        let writers = Arc::new(());
        loop {
            let room = window.saturating_sub(Arc::strong_count(&writers) - 1);
            self.fill(&mut requests, &fetcher, room, &mut to);
            if let Some(((job, begun), first)) = requests.next() {
                if requests.is_empty() || room < 2 || is_short(&first) {
                    crew.write(&mut to, job, begun, Some(first));
                } else if let Some(Arrived { job, begun, first }) =
                    self.write_apart(Arrived { job, begun, first }, writers.clone())
                {
                    crew.write(&mut to, job, begun, Some(first));
                }
                continue;
            }
            let Some(Queued { value: job, host }) = jobs.pop(ended.take()) else { break };
            crew.turns.begin(job.turn, host.clone());
            self.begin(&mut requests, &fetcher, job, room > 1 && host.is_none(), &mut to);
            ended = host;
        }
    }

    /// Begins further inputs, as long as there are some and there is room. It does not wait: others may wait
    /// for the inputs that are begun.
    fn fill(self, requests: &mut Requests<'t>, fetcher: &Fetcher, room: usize, to: &mut TurnOutput) {
        let Self { crew, jobs, .. } = self;
        while !requests.is_empty() && requests.len() < room {
            let Some(job) = jobs.pop_now(|job| crew.turns.may_begin(job.turn)) else { return };
            self.begin(requests, fetcher, job, true, to);
        }
    }

    /// Begins an input: adds its first request to those in flight, if it may, or fetches it.
    fn begin(
        self,
        requests: &mut Requests<'t>,
        fetcher: &Fetcher,
        job: Job,
        may_fly: bool,
        to: &mut TurnOutput,
    ) {
        let Self { crew, .. } = self;
        match crew.getter.begin(fetcher, job.input(), job.is_quiet) {
            Err(failed) => crew.end(job, *failed),
            Ok(begun) => match may_fly.then(|| crew.getter.first_request(&begun)).flatten() {
                Some(request) => requests.send(request, (job, begun)),
                None => crew.write(to, job, begun, None),
            },
        }
    }

    /// Writes a response in another thread; returns it if there can be none.
    fn write_apart(self, arrived: Arrived<'t>, writer: Arc<()>) -> Option<Arrived<'t>> {
        let Self { crew, jobs, .. } = self;
        let arrived = Arc::new(Mutex::new(Some(arrived)));
        let take = |kept: &Mutex<Option<_>>| kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let own = arrived.clone();
        let write = move || {
            let _guard = ClosesInPanic(jobs);
            if let Some(Arrived { job, begun, first }) = take(&own) {
                crew.write(&mut crew.output(), job, begun, Some(first));
            }
            drop(writer);
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(self.scope, write);
        if thread.is_ok() { None } else { take(&arrived) }
    }
}

/// Returns whether a response is written at once.
fn is_short(response: &Result<Response, FetchError>) -> bool {
    response.as_ref().map_or(true, |response| response.content_length().is_some_and(|length| length <= SHORT))
}

/// Ends the run if a thread panics: no other one may wait for it.
struct ClosesInPanic<'q>(&'q Queue<Job>);

impl Drop for ClosesInPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.clear();
            self.0.close();
        }
    }
}

/// Whose turn it is to write.
struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The input whose turn it is.
    next: u64,
    /// What others have written, and how many octets that is.
    held: BTreeMap<u64, Vec<u8>>,
    count: usize,
    out: Output,
    /// The hosts of the inputs that are being fetched, if few of a host are, and whether anything of an
    /// input was written.
    of_hosts: BTreeMap<u64, (Host, bool)>,
    /// Whether what was written ends with a line.
    ends_line: bool,
    failed: Option<io::Error>,
    is_over: bool,
    /// How many threads wait for a change.
    waiting: usize,
}

impl Turns {
    fn new(out: Output) -> Self {
        let held = BTreeMap::new();
        let (ends_line, failed, is_over) = (true, None, false);
        let of_hosts = BTreeMap::new();
        let state = State { next: 1, held, count: 0, out, of_hosts, ends_line, failed, is_over, waiting: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until an input is not too far ahead of the one whose turn it is.
    fn begin(&self, turn: u64, host: Option<Host>) {
        let mut state = self.wait(|state| turn < state.next + AHEAD);
        if let Some(host) = host {
            state.of_hosts.insert(turn, (host, false));
        }
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Returns whether an input is not too far ahead.
    fn may_begin(&self, turn: u64) -> bool {
        turn < self.lock().next + AHEAD
    }

    fn wait(&self, is_enough: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while !is_enough(&state) && !state.is_over {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state
    }
}

impl State {
    /// Returns whether an input may be held, because the one whose turn it is waits for its connection.
    fn is_waited_for(&self, turn: u64) -> bool {
        let (Some((host, is_begun)), Some((own, _))) =
            (self.of_hosts.get(&self.next), self.of_hosts.get(&turn))
        else {
            return false;
        };
        !is_begun && host == own
    }

    /// Passes the turn to the next input, and writes what is held of it.
    fn pass_on(&mut self) -> io::Result<()> {
        self.next += 1;
        let held = self.held.remove(&self.next).unwrap_or_default();
        self.count -= held.len();
        if !held.is_empty() {
            self.ends_line = held.ends_with(b"\n");
        }
        self.out.write_all(&held)
    }

    /// Ends the line that a body has begun at a terminal, so that an error does not continue it.
    fn end_line(&mut self) -> io::Result<()> {
        if self.ends_line || !self.out.is_terminal {
            return Ok(());
        }
        self.ends_line = true;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }

    /// Notes an error of standard output: nothing more is written.
    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.is_over = true;
            self.failed = Some(error);
        }
    }
}

/// What a thread writes, for one input after the other.
struct Own {
    turns: Arc<Turns>,
    /// The turn of the input that it writes for.
    turn: Arc<AtomicU64>,
}

impl Write for Own {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let turn = self.turn.load(Ordering::Relaxed);
        // A server may allow fewer connections than there are transfers: then one ends only if another does.
        let has_room = |state: &State| {
            state.next == turn || state.count + octets.len() <= MEMORY || state.is_waited_for(turn)
        };
        let mut state = self.turns.wait(has_room);
        if let Some((_, is_begun)) = state.of_hosts.get_mut(&turn) {
            *is_begun = true;
        }
        if state.is_over {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if state.next == turn {
            state.ends_line = octets.ends_with(b"\n");
            return state.out.write(octets);
        }
        state.count += octets.len();
        state.held.entry(turn).or_default().extend_from_slice(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut state = self.turns.lock();
        if state.next == self.turn.load(Ordering::Relaxed) { state.out.flush() } else { Ok(()) }
    }
}
