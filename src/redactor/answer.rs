//! Redacts the files of a request.

use std::ops::Range;

use traceloupe_protocol::redaction::{
    Kind, MAX_LISTED, RedactionFault, RedactionHit, RedactionRequest, RedactionResponse,
};
use traceloupe_redaction::{Hit, Options, Redactor, Refusal, SecretId};

/// The response to a request, and the redacted files.
pub fn answer(request: &RedactionRequest, files: &[Vec<u8>]) -> (RedactionResponse, Vec<Vec<u8>>) {
    match redacted(request, files) {
        Ok(both) => both,
        Err(refusal) => {
            let fault = match refusal {
                Refusal::StillFound => RedactionFault::StillFound,
                Refusal::Broken => RedactionFault::Broken,
                Refusal::NotText => RedactionFault::NotText,
            };
            (RedactionResponse::Refused(fault), Vec::new())
        }
    }
}

/// First finds everything, so that numbers do not depend on what stays, and then leaves out what stays.
fn redacted(
    request: &RedactionRequest,
    files: &[Vec<u8>],
) -> Result<(RedactionResponse, Vec<Vec<u8>>), Refusal> {
    let mut redactor = Redactor::new(&Options { kinds: [true; Kind::ALL.len()] });
    let names = request.names.iter().map(String::as_bytes);
    for text in files.iter().map(Vec::as_slice).chain(names) {
        redactor.search(text);
    }
    let mut results = Vec::new();
    let mut hits = Vec::new();
    let mut counts = Kind::ALL.map(|kind| (kind, 0));
    for (index, file) in files.iter().enumerate() {
        let result = redactor.rewrite(file, &[])?;
        let mut lines = Lines { text: file, at: 0, line: 1 };
        for hit in &result.hits {
            if let Some((_, count)) = counts.get_mut(hit.kind.index()) {
                *count += 1;
            }
            if hits.len() < MAX_LISTED {
                hits.push(hit_of(file, index, hit, &mut lines));
            }
            if request.kept_kinds.contains(&hit.kind) {
                redactor.keep(hit.secret);
            }
        }
        results.push(result.bytes);
    }
    for kept in &request.kept {
        redactor.keep(SecretId(*kept));
    }
    if !request.kept.is_empty() || !request.kept_kinds.is_empty() {
        results.clear();
        for file in files {
            results.push(redactor.rewrite(file, &[])?.bytes);
        }
    }
    let mut names = Vec::new();
    for name in &request.names {
        let name = redactor.rewrite(name.as_bytes(), &[])?.bytes;
        names.push(String::from_utf8_lossy(&name).into_owned());
    }
    let counts = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    Ok((RedactionResponse::Redacted { names, hits, counts }, results))
}

/// Counts lines up to offsets that grow.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, offset: usize) -> u32 {
        let between = self.text.get(self.at..offset).unwrap_or_default();
        let lines = between.iter().filter(|byte| **byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.at = self.at.max(offset);
        self.line
    }
}

/// So many bytes are shown beside a hit, and of it.
const BESIDE_BYTES: usize = 48;

fn hit_of(file: &[u8], index: usize, hit: &Hit, lines: &mut Lines) -> RedactionHit {
    let Range { start, end } = hit.range;
    let text = |range: Range<usize>| {
        String::from_utf8_lossy(file.get(range).unwrap_or_default()).into_owned()
    };
    RedactionHit {
        secret: hit.secret.0,
        kind: hit.kind,
        placeholder: hit.placeholder.clone(),
        file: u32::try_from(index).unwrap_or(u32::MAX),
        offset: start as u64,
        line: lines.of(start),
        before: text(start.saturating_sub(BESIDE_BYTES)..start),
        value: text(start..end.min(start + BESIDE_BYTES)),
        after: text(end..(end + BESIDE_BYTES).min(file.len())),
    }
}
