//! Any text as YAML and as Markdown: the result of the conversion is JSON, and a whole session reads it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use traceloupe_converters::yaml_to_json;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut made = 0;
    yaml_to_json(&text, &mut |json| {
        made += json.len();
        serde_json::from_str::<IgnoredAny>(json).expect("YAML is made JSON");
    });
    assert!(made < (64 << 20) + bytes.len() * 16, "{made} bytes of {}", bytes.len());
    traceloupe_fuzz::open("a.yaml", bytes, None);
    traceloupe_fuzz::open("a.md", bytes, None);
});
