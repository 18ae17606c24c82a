//! Reviewed results: files in `tests/snapshots/`.

use insta::Settings;

/// Compares a text with the reviewed one, `tests/snapshots/<name>.snap`.
pub fn assert_reviewed(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
