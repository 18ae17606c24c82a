//! Every notice has its own code and sentence.

use std::collections::BTreeSet;

use traceloupe_core::warning_code::WarningCode;
use traceloupe_words::warning;

#[test]
fn no_two_codes_have_the_same_word_or_sentence() {
    let words: BTreeSet<_> = WarningCode::ALL.iter().map(|code| code.word()).collect();
    assert_eq!(words.len(), WarningCode::ALL.len());
    let sentences: BTreeSet<_> = WarningCode::ALL.iter().map(|code| warning(*code)).collect();
    assert_eq!(sentences.len(), WarningCode::ALL.len());
    assert!(sentences.iter().all(|it| it.len() > 10 && !it.ends_with('.')), "{sentences:?}");
}
