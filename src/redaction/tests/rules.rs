//! What is found, what is not, and what stays as it is.

use proptest::prelude::*;

use crate::{Kind, Options, Redacted, Redactor};

/// The result of one text.
pub(super) fn redacted(text: &str) -> Redacted {
    let mut redactor = Redactor::new(&Options::default());
    redactor.search(text.as_bytes());
    redactor.rewrite(text.as_bytes(), &[]).unwrap()
}

fn text_of(text: &str) -> String {
    String::from_utf8(redacted(text).bytes).unwrap()
}

/// A token that no tool for finding tokens in source code takes for one: it is put together here.
fn token(prefix: &str, tail: &str) -> String {
    [prefix, tail].concat()
}

const TAIL: &str = "q7Rk2Zp9Lx4Vb8Nw3Tc6Ym1Hd5Jf0GsAeUi9";

#[test]
fn a_token_is_replaced_wherever_it_occurs() {
    let github = token("ghp_", TAIL);
    let text = format!("{{\"env\":\"GH={github}\",\"out\":\"x{github}y\"}}\n");
    assert_eq!(
        text_of(&text),
        "{\"env\":\"GH=[redacted:github-token#1]\",\"out\":\"x[redacted:github-token#1]y\"}\n"
    );
}

#[test]
fn a_token_in_json_in_json_is_replaced_where_it_is() {
    let key = token("sk-ant-api03-", TAIL);
    let inner = serde_json::json!({ "headers": { "x-api-key": key }, "n": 1 }).to_string();
    let middle = serde_json::json!({ "body": inner }).to_string();
    let outer = serde_json::json!({ "arguments": middle }).to_string();
    let result = redacted(&outer);
    assert_eq!(result.hits.len(), 1);
    assert_eq!(result.hits[0].kind, Kind::Token);
    let result = String::from_utf8(result.bytes).unwrap();
    assert!(!result.contains(&key), "{result}");
    let read = |text: &str, key: &str| -> String {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        value[key].as_str().unwrap().to_owned()
    };
    let inner = read(&read(&result, "arguments"), "body");
    let inner: serde_json::Value = serde_json::from_str(&inner).unwrap();
    assert_eq!(inner["headers"]["x-api-key"], "[redacted:anthropic-key#1]");
}

#[test]
fn values_of_keys_are_replaced_if_the_key_says_so() {
    for (text, result) in [
        (r#"{"password":"tulip bulb"}"#, r#"{"password":"[redacted:password#1]"}"#),
        (r#"{"DB_PASSWORD": "o3k#pw"}"#, r#"{"DB_PASSWORD": "[redacted:password#1]"}"#),
        (
            r#"{"name":"Cookie","value":"sid=31ab; theme=dark"}"#,
            r#"{"name":"Cookie","value":"[redacted:cookie#1]"}"#,
        ),
        (
            r#"{"key":"http.request.header.authorization","value":{"stringValue":"Bearer q7Rk2Zp9Lx4Vb8Nw"}}"#,
            r#"{"key":"http.request.header.authorization","value":{"stringValue":"Bearer [redacted:authorization#1]"}}"#,
        ),
        (
            "postgres://anna:t0pf-Rand@db.internal/x",
            "postgres://anna:[redacted:url-password#1]@db.internal/x",
        ),
        ("mysql --password=t0pf-Rand", "mysql --password=[redacted:password#1]"),
        ("<apiKey>q7Rk2Zp9Lx4Vb8Nw</apiKey>", "<apiKey>[redacted:secret#1]</apiKey>"),
        ("curl -u anna:t0pf-Rand https://x", "curl -u anna:[redacted:password#1] https://x"),
    ] {
        assert_eq!(text_of(text), result);
        assert_eq!(text_of(result), result);
    }
}

#[test]
fn people_are_replaced() {
    for (text, result) in [
        (
            r#"{"cwd":"/Users/grete.holm/work","by":"grete.holm"}"#,
            r#"{"cwd":"/Users/[redacted:user#1]/work","by":"[redacted:user#1]"}"#,
        ),
        (r#"{"cwd":"C:\\Users\\Grete\\x"}"#, r#"{"cwd":"C:\\Users\\[redacted:user#1]\\x"}"#),
        ("mail to grete.holm@kontor.dk now", "mail to [redacted:email#1] now"),
        (r#"{"host.name":"grete-laptop"}"#, r#"{"host.name":"[redacted:host#1]"}"#),
    ] {
        assert_eq!(text_of(text), result);
    }
}

#[test]
fn what_is_no_secret_stays() {
    let texts = [
        r#"{"usage":{"input_tokens":1200,"output_tokens":"12","max_tokens":4096}}"#,
        r#"{"token_count":17,"total_tokens":"991","tokens":["a","b"]}"#,
        r#"{"sessionId":"0b5e6f0a-8c1d-4f3e-9a7b-2c4d6e8f0a1b","uuid":"1b5e6f0a-8c1d-4f3e-9a7b-2c4d6e8f0a1b"}"#,
        r#"{"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"00f067aa0ba902b7"}"#,
        r#"{"commit":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}"#,
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "api_key = os.environ[\"OPENAI_API_KEY\"]",
        "const token = await getToken(request);",
        "password: string;",
        r#"{"type":"password","placeholder":"Password"}"#,
        "def login(user, password=None):",
        r#"{"token":" the","logprob":-0.3}"#,
        "Authorization: Bearer $TOKEN",
        "git clone git@github.com:owner/repo.git",
        "Co-Authored-By: Claude <noreply@anthropic.com>",
        r#"{"cwd":"/Users/runner/work","file":"x/home/page.html"}"#,
        "sk-learn-estimator-container-div-with-style",
        r#"{"cache_key":"a81f3c99d2e04b7781f3c99d2e04b778","tool_call_id":"call_q7Rk2Zp9Lx4Vb8Nw3Tc6Ym1H"}"#,
        r#"{"signature":"EqoBCkgIARABGAIiQL2UoU0b1OHYi+yCHpBY7U6FQW8/FcoLewocJQPa2HnmLM"}"#,
        r#"{"model":"claude-sonnet-4-5-20250929","request_id":"req_011CTx9q7Rk2Zp9Lx4Vb8Nw3"}"#,
    ];
    for text in texts {
        assert_eq!(text_of(text), text);
    }
}

/// A number that looks random, from a seed.
fn mixed(seed: u64) -> u64 {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (seed ^ (seed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[test]
fn ids_hashes_and_counts_are_never_found() {
    for seed in 1..=1000_u64 {
        let (a, b, c) = (mixed(seed), mixed(seed + 7919), mixed(seed + 104_729));
        let uuid = format!(
            "{:08x}-{:04x}-4{:03x}-9{:03x}-{:012x}",
            a as u32,
            (a >> 32) as u16,
            b & 0xfff,
            c & 0xfff,
            b >> 16
        );
        let text = format!(
            "{{\"uuid\":\"{uuid}\",\"parentUuid\":\"{uuid}\",\"trace_id\":\"{a:016x}{b:016x}\",\
             \"span_id\":\"{c:016x}\",\"sha1\":\"{a:016x}{b:016x}{:08x}\",\
             \"digest\":\"sha256:{a:016x}{b:016x}{c:016x}{a:016x}\",\"commit {a:016x}{b:016x}{:08x}\":0,\
             \"input_tokens\":{},\"max_tokens\":\"{}\",\"id\":\"toolu_01{a:016x}\"}}",
            c as u32,
            b as u32,
            a % 100_000,
            b % 100_000,
        );
        assert_eq!(text_of(&text), text);
    }
}

#[test]
fn a_kept_value_stays_and_others_go() {
    let (kept, gone) = (token("ghp_", TAIL), token("ghp_", &TAIL.to_ascii_uppercase()));
    let text = format!("{kept} {gone} {kept}");
    let mut redactor = Redactor::new(&Options::default());
    redactor.search(text.as_bytes());
    let first = redactor.rewrite(text.as_bytes(), &[]).unwrap();
    redactor.keep(first.hits[0].secret);
    let second = redactor.rewrite(text.as_bytes(), &[]).unwrap();
    let second = String::from_utf8(second.bytes).unwrap();
    assert_eq!(second, format!("{kept} [redacted:github-token#2] {kept}"));
}

#[test]
fn the_words_of_the_user_are_replaced_where_the_caller_says() {
    let text = r#"{"role":"user","content":"plan my \"trip\""}"#;
    let start = text.find("plan").unwrap();
    let range = start..text.len() - 2;
    let mut redactor = Redactor::new(&Options::default());
    let result = redactor.rewrite(text.as_bytes(), &[range]).unwrap();
    assert_eq!(result.bytes, br#"{"role":"user","content":"[redacted:user-text#1]"}"#);
}

#[test]
fn images_go_if_asked() {
    let text = format!(r#"{{"type":"image","data":"iVBORw0KGgo{}"}}"#, "Qk3x".repeat(40));
    assert_eq!(text_of(&text), text);
    let mut redactor = Redactor::new(&Options { kinds: [true; Kind::ALL.len()] });
    redactor.search(text.as_bytes());
    let result = redactor.rewrite(text.as_bytes(), &[]).unwrap();
    assert_eq!(result.bytes, br#"{"type":"image","data":"[redacted:image#1]"}"#);
}

proptest! {
    #[test]
    fn any_bytes_are_read_and_the_result_is_stable(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut redactor = Redactor::new(&Options::default());
        redactor.search(&bytes);
        if let Ok(first) = redactor.rewrite(&bytes, &[]) {
            let mut again = Redactor::new(&Options::default());
            again.search(&first.bytes);
            // With fewer other bytes, the zeros may make it look like UTF-16.
            if let Ok(second) = again.rewrite(&first.bytes, &[]) {
                prop_assert_eq!(second.bytes, first.bytes);
            }
        }
    }

    #[test]
    fn ordinary_json_is_not_changed(text in "[a-z ]{0,40}", number in any::<i32>()) {
        let json = serde_json::json!({ "text": text, "n": number, "list": [text, number] }).to_string();
        prop_assert_eq!(text_of(&json), json);
    }

    #[test]
    fn texts_full_of_marks_end_in_time(text in r#"(password|=|:|"|\\|%41|eyJ|@|-----BEGIN |/Users/|,|--|\n| ){0,300}"#) {
        let mut redactor = Redactor::new(&Options::default());
        redactor.search(text.as_bytes());
        let _ = redactor.rewrite(text.as_bytes(), &[]);
    }
}

#[test]
fn the_letter_of_an_escape_is_no_part_of_a_value() {
    let text = r#"{"text":"a\nnina@kontor.dk\tbo@kontor.dk"}"#;
    assert_eq!(text_of(text), r#"{"text":"a\n[redacted:email#1]\t[redacted:email#2]"}"#);
}

#[test]
fn what_cannot_be_searched_is_refused_and_media_stay() {
    let mut redactor = Redactor::new(&Options::default());
    let wide: Vec<u8> = "password=t0pf-Rand".bytes().flat_map(|byte| [byte, 0]).collect();
    for packed in [b"\x1f\x8b\x08 tail".as_slice(), b"PK\x03\x04 tail", &wide] {
        assert_eq!(redactor.rewrite(packed, &[]), Err(crate::Refusal::NotText));
    }
    let image = b"\x89PNG\r\n grete.holm@kontor.dk";
    assert_eq!(redactor.rewrite(image, &[]).unwrap().bytes, image);
}
