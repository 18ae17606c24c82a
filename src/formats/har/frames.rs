//! Streams of Amazon's services: binary frames (`application/vnd.amazon.eventstream`), each with an event.
//!
//! Read from <https://smithy.io/2.0/aws/amazon-eventstream.html>: the length of the frame and of its headers, a checksum,
//! the headers, a payload in JSON, a checksum. Bedrock's ConverseStream has the type of an event in a header. Its
//! InvokeModelWithResponseStream has the events of the model's own API in `bytes`, as base64.

use traceloupe_core::json::{Json, base64};

/// The bytes before the headers of a frame, and those after its payload.
const PRELUDE_BYTES: usize = 12;
const CHECKSUM_BYTES: usize = 4;

/// The events in the bytes of a stream, as server-sent events. `None` if the bytes are not such a stream. A frame that
/// was cut off ends it.
#[must_use]
pub fn events(bytes: &[u8]) -> Option<String> {
    let mut events = String::new();
    let mut rest = bytes;
    while let Some((headers, payload, after)) = frame(rest) {
        rest = after;
        let Ok(payload) = std::str::from_utf8(payload) else { continue };
        let payload = payload.replace(['\n', '\r'], " ");
        let event = match kind_of(headers)? {
            (true, _) => format!(r#"{{"type":"error","error":{payload}}}"#),
            (false, "chunk") => {
                let packed = Json::new(&payload).get("bytes");
                let packed = packed.text().unwrap_or_default();
                let bytes = base64::decode(packed.as_bytes(), &mut Vec::new(), true);
                String::from_utf8(bytes).unwrap_or_default().replace(['\n', '\r'], " ")
            }
            (false, kind) => format!(r#"{{"{kind}":{payload}}}"#),
        };
        events.push_str("data: ");
        events.push_str(&event);
        events.push('\n');
    }
    Some(events).filter(|events| !events.is_empty())
}

/// The headers and the payload of the first frame, and the bytes after it.
fn frame(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (len, headers) = (usize_at(bytes, 0, 4)?, usize_at(bytes, 4, 4)?);
    let (frame, after) = bytes.split_at_checked(len)?;
    let (inner, _) = frame.split_at_checked(len.checked_sub(CHECKSUM_BYTES)?)?;
    let (headers, payload) = inner.get(PRELUDE_BYTES..)?.split_at_checked(headers)?;
    Some((headers, payload, after))
}

/// A number of some bytes, the most significant first.
fn usize_at(bytes: &[u8], at: usize, n: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(n)?)?;
    Some(bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// Whether the event of a frame with some headers is an error, and its type.
fn kind_of(mut headers: &[u8]) -> Option<(bool, &str)> {
    while !headers.is_empty() {
        let (name, rest) = headers.get(1..)?.split_at_checked(usize_at(headers, 0, 1)?)?;
        let (kind, rest) = rest.split_first()?;
        // The lengths of values by their type. Bytes and texts have theirs before them.
        let (len, rest) = match kind {
            0 | 1 => (0, rest),
            2 => (1, rest),
            3 => (2, rest),
            4 => (4, rest),
            5 | 8 => (8, rest),
            6 | 7 => (usize_at(rest, 0, 2)?, rest.get(2..)?),
            9 => (16, rest),
            _ => return None,
        };
        let (value, rest) = rest.split_at_checked(len)?;
        headers = rest;
        let is_error = match name {
            b":event-type" => false,
            b":exception-type" | b":error-code" => true,
            _ => continue,
        };
        let kind = std::str::from_utf8(value).ok()?;
        let is_word = kind.bytes().all(|byte| byte.is_ascii_alphanumeric());
        return is_word.then_some((is_error, kind));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame_of(header: (&str, &str), payload: &str) -> Vec<u8> {
        let mut headers = Vec::new();
        // A header of another type before it.
        headers.extend([5, b':', b'd', b'a', b't', b'e', 8, 0, 0, 0, 0, 0, 0, 0, 1]);
        for (name, value) in [header, (":content-type", "application/json")] {
            headers.push(u8::try_from(name.len()).unwrap());
            headers.extend(name.bytes());
            headers.push(7);
            headers.extend(u16::try_from(value.len()).unwrap().to_be_bytes());
            headers.extend(value.bytes());
        }
        let len = u32::try_from(PRELUDE_BYTES + headers.len() + payload.len() + CHECKSUM_BYTES);
        let mut frame = len.unwrap().to_be_bytes().to_vec();
        frame.extend(u32::try_from(headers.len()).unwrap().to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(headers);
        frame.extend(payload.bytes());
        frame.extend([0; 4]);
        frame
    }

    #[test]
    fn frames_are_events_and_chunks_are_what_they_hold() {
        let start = frame_of((":event-type", "messageStart"), r#"{"role":"assistant"}"#);
        // `{"type":"ping"}`
        let chunk = frame_of((":event-type", "chunk"), r#"{"bytes":"eyJ0eXBlIjoicGluZyJ9"}"#);
        let error = frame_of((":exception-type", "throttlingException"), r#"{"message":"slow"}"#);
        let stream = [start, chunk, error].concat();
        let expect = [
            r#"data: {"messageStart":{"role":"assistant"}}"#,
            r#"data: {"type":"ping"}"#,
            r#"data: {"type":"error","error":{"message":"slow"}}"#,
            "",
        ];
        assert_eq!(events(&stream).unwrap(), expect.join("\n"));
        let cut = stream.get(..stream.len() - 9).unwrap();
        assert_eq!(events(cut).unwrap(), [expect[0], expect[1], ""].join("\n"));
    }

    #[test]
    fn other_bytes_are_no_stream() {
        for bytes in [&b""[..], b"{}", &[0; 40], &[255; 40], &[0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0]]
        {
            assert_eq!(events(bytes), None, "{bytes:?}");
        }
    }
}
