//! Mutations that keep JSON valid: most mutations of bytes only break it and never reach a format.

use libfuzzer_sys::fuzzer_mutate;
use serde_json::{Map, Value};

/// Longer inputs are mutated as bytes.
const MAX_VALUE_BYTES: usize = 20_000;

/// Random numbers, seeded from a part of the input.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }
}

/// Mutates the first `size` bytes of `data`: half of the time a value of one of the JSON records in it, otherwise
/// bytes. Returns the new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(u64::from(seed) | 1 << 40);
    if random.below(4) > 0
        && size < MAX_VALUE_BYTES
        && let Some(text) = mutated(&data[..size], &mut random)
        && text.len() <= max_size
        && text.len() <= data.len()
    {
        data[..text.len()].copy_from_slice(&text);
        return text.len();
    }
    fuzzer_mutate(data, size, max_size)
}

/// The bytes before the first bracket, which choose the format, and the records with a value changed.
fn mutated(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let head = bytes.iter().position(|byte| matches!(byte, b'{' | b'['))?;
    let stream = serde_json::Deserializer::from_slice(&bytes[head..]).into_iter::<Value>();
    let mut records = stream.collect::<Result<Vec<Value>, _>>().ok()?;
    for _ in 0..1 + random.below(3) {
        change_records(&mut records, random);
    }
    let mut text = bytes[..head].to_vec();
    for record in &records {
        text.extend(serde_json::to_vec(record).ok()?);
        text.push(b'\n');
    }
    Some(text)
}

fn change_records(records: &mut Vec<Value>, random: &mut Random) {
    if records.is_empty() {
        return;
    }
    let at = random.below(records.len());
    match random.below(8) {
        0 => records.insert(random.below(records.len()), records[at].clone()),
        1 => drop(records.remove(at)),
        2 => records.swap(at, 0),
        _ => {
            let donor = any_value(&records[random.below(records.len())], random).clone();
            change(&mut records[at], donor, random);
        }
    }
}

/// A value somewhere inside.
fn any_value<'v>(value: &'v Value, random: &mut Random) -> &'v Value {
    let mut at = value;
    loop {
        let inner = match at {
            Value::Array(items) => items.get(random.below(items.len())),
            Value::Object(members) => members.values().nth(random.below(members.len())),
            _ => None,
        };
        match inner {
            Some(inner) if random.below(4) > 0 => at = inner,
            _ => return at,
        }
    }
}

/// Changes a value somewhere inside.
fn change(value: &mut Value, donor: Value, random: &mut Random) {
    let mut at = value;
    loop {
        let n_inner = match &*at {
            Value::Array(items) => items.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        if n_inner == 0 {
            *at = other(at, donor, random);
            return;
        }
        let (nth, is_here) = (random.below(n_inner), random.below(4) == 0);
        at = match at {
            Value::Array(items) => {
                if is_here {
                    match random.below(3) {
                        0 => drop(items.remove(nth)),
                        1 => items.insert(nth, donor),
                        _ => items.swap(nth, 0),
                    }
                    return;
                }
                &mut items[nth]
            }
            Value::Object(members) => {
                if is_here {
                    return change_members(members, donor, random);
                }
                members.values_mut().nth(nth).expect("as many as were counted")
            }
            _ => return,
        };
    }
}

fn change_members(members: &mut Map<String, Value>, donor: Value, random: &mut Random) {
    let key = members.keys().nth(random.below(members.len())).cloned().unwrap_or_default();
    match random.below(3) {
        0 => drop(members.remove(&key)),
        1 => drop(members.insert(key, donor)),
        // Under the key of another member.
        _ => {
            let other = members.keys().nth(random.below(members.len())).cloned();
            let value = members.remove(&key);
            if let (Some(other), Some(value)) = (other, value) {
                members.insert(other, value);
            }
        }
    }
}

/// The new value of a leaf.
fn other(leaf: &Value, donor: Value, random: &mut Random) -> Value {
    const WORDS: &[&str] = &[
        "",
        "0",
        "-1",
        "1e999",
        "ok",
        "error",
        "user",
        "assistant",
        "tool",
        "system",
        "2026-02-30T25:61:61Z",
        "2026-01-01T00:00:00.123456789+14:00",
        "9999-12-31T23:59:59Z",
        "{\"a\":[1,{\"b\":null}]}",
        "[[]]",
        "\\",
        "data:image/png;base64,AAAA",
        "data: {}",
        "\u{0}",
        "\u{202e}x",
        "\u{1b}[31mred\u{1b}[0m",
        "```\n",
        "a\r\nb",
    ];
    const NUMBERS: &[&str] = &[
        "0",
        "-1",
        "1",
        "65536",
        "4294967295",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551616",
        "1e308",
        "-1e-308",
        "1795162325",
        "1795162325123",
        "1795162325123456789",
        "0.5",
    ];
    match random.below(8) {
        0 => Value::Null,
        1 => Value::Bool(random.below(2) == 0),
        2 => serde_json::from_str(NUMBERS[random.below(NUMBERS.len())]).unwrap_or_default(),
        3 => Value::String(WORDS[random.below(WORDS.len())].to_owned()),
        4 => Value::Array(vec![leaf.clone(); random.below(3)]),
        5 => Value::String(leaf.to_string()),
        6 => Value::String(format!("{leaf}").repeat(1 + random.below(20))),
        _ => donor,
    }
}
