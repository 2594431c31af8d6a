//! Runs the racers and returns the outcome of each. All racers take turns in one run, so other load
//! on the computer affects all of them equally.

use std::hint::black_box;
use std::time::{Duration, Instant};

use locator::SimdBackend;

/// A program that applies a verb to every row of a corpus, which it may prepare beforehand.
pub struct Racer {
    pub name: String,
    /// Runs before each round, and is not measured.
    prepare: Box<dyn Fn()>,
    run: Box<dyn Fn(&mut Judge)>,
    /// How often a round repeats the corpus.
    times: usize,
}

impl Racer {
    pub fn new(name: impl Into<String>, run: impl Fn(&mut Judge) + 'static) -> Self {
        Self { name: name.into(), prepare: Box::new(on_the_best_backend), run: Box::new(run), times: 1 }
    }

    pub fn on(mut self, backend: SimdBackend) -> Self {
        self.prepare = Box::new(move || assert!(backend.force()));
        self
    }

    pub fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }
}

/// Returns the SIMD backends that this processor supports, the best first.
pub fn backends() -> Vec<SimdBackend> {
    SimdBackend::ALL.into_iter().rev().filter(|backend| backend.is_available()).collect()
}

fn on_the_best_backend() {
    assert!(backends()[0].force());
}

/// Checks the answers in the first round, which is not measured, so no racer wins by doing less.
#[derive(Default)]
pub struct Judge {
    judging: bool,
    /// The number of right answers, or of accepted texts.
    pub count: usize,
    /// The number of bytes of all answers.
    octets: usize,
}

impl Judge {
    /// Takes an answer, and checks it in rounds that are not measured.
    #[inline(always)]
    pub fn take(&mut self, answer: &[u8], is_right: impl FnOnce(&[u8]) -> bool) {
        if self.judging {
            self.count += usize::from(is_right(answer));
            self.octets += answer.len();
        } else {
            // Pointer and length separately: a copy of a pair that was just written in two pieces
            // waits for both stores.
            black_box(answer.as_ptr());
            black_box(answer.len());
        }
    }
}

/// The outcome of a racer on a corpus.
pub struct Outcome {
    pub name: String,
    pub count: usize,
    /// The mean length of an answer in bytes.
    pub octets: f64,
    /// The least time for a row, in nanoseconds.
    pub minimum: f64,
    pub median: f64,
}

/// The least duration of a measurement. A processor takes some 20 µs to power up its units for
/// 512-bit operands, and a corpus of 336 URLs is parsed in less.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// Runs all racers in turn on a corpus of `rows` rows, which is repeated if it is small.
pub fn race(rows: usize, racers: &[Racer], rounds: usize) -> Vec<Outcome> {
    let judged = racers.iter().map(judge).collect::<Vec<_>>();
    let mut times = vec![Vec::with_capacity(rounds); racers.len()];
    for _ in 0..rounds {
        for (racer, times) in racers.iter().zip(&mut times) {
            (racer.prepare)();
            let mut judge = Judge::default();
            // A first run loads the texts into the cache; otherwise the first racer pays for all.
            let first = time(|| (racer.run)(&mut judge));
            let repeats = LEAST_TIME.div_duration_f64(first.max(Duration::from_micros(1))).ceil() as usize;
            let all = time(|| (0..repeats).for_each(|_| (racer.run)(&mut judge)));
            times.push(all.as_nanos() as f64 / (rows * racer.times * repeats) as f64);
            black_box(judge.count);
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let outcome = |((racer, judge), times): ((&Racer, Judge), Vec<f64>)| Outcome {
        name: racer.name.clone(),
        count: judge.count / racer.times,
        octets: judge.octets as f64 / (rows * racer.times) as f64,
        minimum: times[0],
        median: times[times.len() / 2],
    };
    racers.iter().zip(judged).zip(times).map(outcome).collect()
}

fn time(run: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    run();
    begin.elapsed()
}

/// Runs the first round, which checks the answers.
fn judge(racer: &Racer) -> Judge {
    (racer.prepare)();
    let mut judge = Judge { judging: true, ..Judge::default() };
    (racer.run)(&mut judge);
    judge
}
