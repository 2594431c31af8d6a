//! The race itself: racers enter, what each did leaves. All run in one go, alternating, so that what
//! else the machine does meets all of them alike.

use std::hint::black_box;
use std::time::Instant;

use locator::Machine;

/// One that does a verb to every row of a corpus, which it has prepared as it likes to have it.
pub struct Racer {
    pub name: String,
    /// Done before each round, and not measured.
    prepare: Box<dyn Fn()>,
    run: Box<dyn Fn(&mut Judge)>,
    /// How often it goes through the corpus in a round.
    times: usize,
}

impl Racer {
    pub fn new(name: impl Into<String>, run: impl Fn(&mut Judge) + 'static) -> Self {
        Self { name: name.into(), prepare: Box::new(on_the_best_machine), run: Box::new(run), times: 1 }
    }

    pub fn on(mut self, machine: Machine) -> Self {
        self.prepare = Box::new(move || assert!(machine.force()));
        self
    }

    pub fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }
}

/// All that can be run here, the best first.
pub fn machines() -> Vec<Machine> {
    Machine::ALL.into_iter().rev().filter(|machine| machine.is_there()).collect()
}

fn on_the_best_machine() {
    assert!(machines()[0].force());
}

/// Who looks at the answers: in the first round, which is not measured, so that nobody wins by doing
/// less.
#[derive(Default)]
pub struct Judge {
    judging: bool,
    /// How many answers are right, or how many texts are accepted.
    pub count: usize,
    /// The octets of all answers.
    octets: usize,
}

impl Judge {
    /// Takes an answer; whether it is right is asked when that is not measured.
    #[inline(always)]
    pub fn take(&mut self, answer: &[u8], is_right: impl FnOnce(&[u8]) -> bool) {
        if self.judging {
            self.count += usize::from(is_right(answer));
            self.octets += answer.len();
        } else {
            // Not the two as one: a copy of a pair just written in two pieces waits for both, in every racer.
            black_box(answer.as_ptr());
            black_box(answer.len());
        }
    }
}

/// What a racer did on a corpus.
pub struct Outcome {
    pub name: String,
    pub count: usize,
    /// Octets an answer.
    pub octets: f64,
    /// Nanoseconds a row.
    pub minimum: f64,
    pub median: f64,
}

/// Runs all of them, alternating, on a corpus of so many rows.
pub fn race(rows: usize, racers: &[Racer], rounds: usize) -> Vec<Outcome> {
    let judged = racers.iter().map(judge).collect::<Vec<_>>();
    let mut times = vec![Vec::with_capacity(rounds); racers.len()];
    for _ in 0..rounds {
        for (racer, times) in racers.iter().zip(&mut times) {
            (racer.prepare)();
            let mut judge = Judge::default();
            // Once beforehand, or who comes first fetches the texts for all of them from memory.
            (racer.run)(&mut judge);
            let begin = Instant::now();
            (racer.run)(&mut judge);
            times.push(begin.elapsed().as_nanos() as f64 / (rows * racer.times) as f64);
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

/// The round that warms up.
fn judge(racer: &Racer) -> Judge {
    (racer.prepare)();
    let mut judge = Judge { judging: true, ..Judge::default() };
    (racer.run)(&mut judge);
    judge
}
