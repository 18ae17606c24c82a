//! Answers to requests that few readers make.

use super::Session;
use super::store::Store;
use crate::model::RunId;
use crate::view::wire::protocol::{Request, Response, TraceSummary};

impl<S: Store> Session<S> {
    /// Answers what [`Session::handle`] does not know. Not inlined: it is the door to code that is
    /// seldom used (`.ci/split/`).
    #[inline(never)]
    pub(super) fn handle_seldom(&mut self, request: &Request) -> Vec<Response> {
        match request {
            Request::File(cut, ticket) => {
                let Some(mut maker) = self.begin_file(cut) else { return Vec::new() };
                loop {
                    if let Some(file) = self.make_some(&mut maker) {
                        return vec![Response::File(*ticket, file)];
                    }
                }
            }
            Request::Convert(wanted, ticket) => {
                let mut maker = self.begin_export(wanted);
                loop {
                    if let Some(file) = self.export_some(&mut maker) {
                        return vec![Response::File(*ticket, file)];
                    }
                }
            }
            Request::ConvertPreview(wanted, ticket) => {
                let (text, is_whole) = self.preview_export(wanted);
                vec![Response::ConvertPreview(*ticket, text, is_whole)]
            }
            Request::Check(run, text, ticket) => {
                let mut check = match self.begin_check(*run, text) {
                    Ok(check) => check,
                    Err(problem) => return vec![Response::Unchecked(*ticket, problem)],
                };
                loop {
                    if let Some(report) = self.check_some(&mut check) {
                        return vec![Response::Checked(*ticket, Box::new(report))];
                    }
                }
            }
            Request::Summary(run) => {
                let id = RunId::from_index(*run as usize);
                let summary = TraceSummary::of(self.trace(), id);
                vec![Response::Summary(*run, Box::new(summary))]
            }
            Request::Address(spot) => vec![Response::Address(self.address_of(spot))],
            Request::Export(own, form, ticket) => {
                vec![Response::File(*ticket, self.export_annotations(own, *form))]
            }
            Request::Statistics(run) => {
                let calls = crate::view::worker::statistics::calls(self.trace(), *run);
                vec![Response::Statistics(*run, calls)]
            }
            _ => Vec::new(),
        }
    }
}
