//! Every notice has its own code and sentence.

use std::collections::BTreeSet;

use traceloupe_core::notice::NoticeCode;
use traceloupe_words::warning;

#[test]
fn no_two_codes_have_the_same_word_or_sentence() {
    let words: BTreeSet<_> = NoticeCode::ALL.iter().map(|code| code.word()).collect();
    assert_eq!(words.len(), NoticeCode::ALL.len());
    let sentences: BTreeSet<_> = NoticeCode::ALL.iter().map(|code| warning(*code)).collect();
    assert_eq!(sentences.len(), NoticeCode::ALL.len());
    assert!(sentences.iter().all(|it| it.len() > 10 && !it.ends_with('.')), "{sentences:?}");
}
