//! The servers, each with what is to be asked of it: says which request may be sent now.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::time::Duration;

use crate::network::asking::origin_of;
use crate::outcome::Code;
use crate::pace::{Host, Pace, Permission};

/// The number of a server.
pub(super) type HostId = usize;

/// The servers of a run.
pub(super) struct Hosts<J> {
    pace: Pace,
    hosts: Vec<Host>,
    names: Vec<String>,
    numbers: HashMap<String, HostId>,
    /// What is to be asked of each host.
    queues: Vec<VecDeque<J>>,
    /// The hosts that may be asked now, and those that may be later.
    ready: VecDeque<HostId>,
    sleeping: BinaryHeap<Reverse<(Duration, HostId)>>,
}

impl<J> Hosts<J> {
    pub(super) fn new(pace: Pace) -> Self {
        Self {
            pace,
            hosts: Vec::new(),
            names: Vec::new(),
            numbers: HashMap::new(),
            queues: Vec::new(),
            ready: VecDeque::new(),
            sleeping: BinaryHeap::new(),
        }
    }

    /// Returns the number of the server of a URL.
    pub(super) fn number(&mut self, url: &str) -> HostId {
        let Self { hosts, names, numbers, queues, pace, .. } = self;
        let origin = origin_of(url).unwrap_or_default();
        *numbers.entry(origin).or_insert_with_key(|origin| {
            hosts.push(Host::new(*pace));
            names.push(origin.clone());
            queues.push(VecDeque::new());
            hosts.len() - 1
        })
    }

    pub(super) fn get(&self, host: HostId) -> Option<&Host> {
        self.hosts.get(host)
    }

    pub(super) fn get_mut(&mut self, host: HostId) -> Option<&mut Host> {
        self.hosts.get_mut(host)
    }

    /// Queues a request.
    pub(super) fn push(&mut self, host: HostId, job: J) {
        if let Some(queue) = self.queues.get_mut(host) {
            queue.push_back(job);
        }
        self.ready.push_back(host);
    }

    /// Queues a request before all others of its host.
    pub(super) fn push_front(&mut self, host: HostId, job: J) {
        if let Some(queue) = self.queues.get_mut(host) {
            queue.push_front(job);
        }
        self.ready.push_back(host);
    }

    /// Notes that a request has ended, so that another one may be sent.
    pub(super) fn is_free(&mut self, host: HostId) {
        self.ready.push_back(host);
    }

    /// Returns whether nothing is queued.
    pub(super) fn is_idle(&self) -> bool {
        self.ready.is_empty() && self.sleeping.is_empty()
    }

    /// Returns when a host may be asked again, if all others have nothing to be asked now.
    pub(super) fn wakes(&self) -> Option<Duration> {
        self.sleeping.peek().map(|Reverse((time, _))| *time)
    }

    /// Takes the next request that may be sent now, or is not sent since its host has a fault.
    pub(super) fn next(&mut self, now: Duration) -> Option<(J, Result<(), Code>)> {
        while let Some(&Reverse((time, host))) = self.sleeping.peek() {
            if time > now {
                break;
            }
            self.sleeping.pop();
            self.ready.push_back(host);
        }
        while let Some(&host) = self.ready.front() {
            let queue = self.queues.get_mut(host).filter(|queue| !queue.is_empty());
            let (Some(queue), Some(of)) = (queue, self.hosts.get_mut(host)) else {
                self.ready.pop_front();
                continue;
            };
            match of.permission(now) {
                Permission::Now => {
                    of.begin(now);
                    return Some((queue.pop_front()?, Ok(())));
                }
                Permission::Never(code) => return Some((queue.pop_front()?, Err(code))),
                Permission::At(time) => self.sleeping.push(Reverse((time, host))),
                // It is ready again when that one has ended.
                Permission::AfterAnother => {}
            }
            self.ready.pop_front();
        }
        None
    }

    /// Begins the last tries of what failed.
    pub(super) fn begin_last_try(&mut self) {
        self.hosts.iter_mut().for_each(Host::begin_last_try);
    }

    /// Returns the hosts that are waited for: requests are on their way, or they ask to wait.
    pub(super) fn awaited(&self) -> Vec<String> {
        let hosts = self.hosts.iter().zip(&self.names).zip(&self.queues);
        let waits = hosts.filter(|((host, _), queue)| host.is_awaited() || !queue.is_empty());
        waits.map(|((_, name), _)| name.split("://").last().unwrap_or(name).to_owned()).collect()
    }
}
