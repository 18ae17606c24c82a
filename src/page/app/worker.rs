//! The worker that holds the open trace, and what it is asked.

use std::cell::RefCell;

use js_sys::Uint8Array;

use crate::client::Client;
use traceloupe::view::wire::protocol::Request;

thread_local! {
    /// There is one page with one trace, so there is one worker.
    static WORKER: RefCell<Option<Client>> = const { RefCell::new(None) };
}

/// Replaces the worker; the old one ends, whatever it is doing.
pub fn set(client: Option<Client>) {
    WORKER.set(client);
}

/// Sends a request to the worker. Without a worker nothing happens.
pub fn send(request: &Request) {
    WORKER.with_borrow(|worker| {
        if let Some(worker) = worker {
            worker.send(request, &[]);
        }
    });
}

/// Sends the next bytes of a growing file, by its index among the opened files. The bytes are moved.
pub fn push(index: u32, piece: &Uint8Array) {
    WORKER.with_borrow(|worker| {
        if let Some(worker) = worker {
            worker.push(index, piece);
        }
    });
}
