//! Words of the dialog that makes links to pass on.

use crate::{bytes, count};

pub const THIS_PLACE: &str = "A link to this place";
pub const PLACE_WITH_ADDRESS: &str = "It opens the trace from its address and shows this place. The link has nothing of the trace's content.";
pub const PLACE_OF_FILE: &str = "The file is not on the web. Whoever opens the link is asked for the same file and then sees this \
     place. The link has the file's name, nothing of its content.";
pub const PLACE_OF_FILES: &str =
    "The trace has several files on disk, so there is no link that asks for them.";
pub const LINK: &str = "Link";
pub const COPY_LINK: &str = "Copy link";
pub const LINK_COPIED: &str = "Link copied";
pub const WHOLE_TRACE: &str = "The whole trace in a link";
pub const WHOLE_TRACE_IS: &str =
    "The link has the trace itself, compressed: everyone who has the link can read all of it.";
pub const REDACTED: &str = " Secrets and personal data are redacted in it.";
pub const MAKE_LINK: &str = "Make the link";
pub const MAKING_LINK: &str = "Compressing…";
pub const NOT_MADE: &str = "The file cannot be read any more";
pub const EMBED: &str = "In a page";
pub const EMBED_IS: &str = "The code shows the trace in a frame of another page.";
pub const EMBED_CODE: &str = "Code for a page";
pub const COPY_CODE: &str = "Copy code";
pub const CODE_COPIED: &str = "Code copied";

/// Links beyond this length are cut by chat programs and issue trackers.
const CUT_BY_CHATS: usize = 2_000;

/// The longest link that Firefox shows and that Safari opens.
const CUT_BY_BROWSERS: usize = 64_000;

/// HTML that frames this page: the address of the framed page.
#[must_use]
pub fn embed_code(address: &str) -> String {
    let address = address.replace('&', "&amp;").replace('"', "%22");
    format!(
        "<iframe src=\"{address}\" title=\"Agent trace\" width=\"100%\" height=\"600\" style=\"border:0\" loading=\"lazy\" \
         sandbox=\"allow-scripts allow-same-origin allow-downloads allow-popups\" allow=\"clipboard-write\" \
         referrerpolicy=\"no-referrer\"></iframe>"
    )
}

/// What to expect of a link with this many characters.
#[must_use]
pub fn link_length(len: usize) -> String {
    let characters = format!("{} characters", count(len as u64));
    if len > CUT_BY_BROWSERS {
        format!(
            "{characters}: many programs cut such links, and Firefox and Safari may not open it"
        )
    } else if len > CUT_BY_CHATS {
        format!("{characters}: chat programs and mail may cut it")
    } else {
        characters
    }
}

/// That a trace is too long for a link: the size of its compressed form, and the limit.
#[must_use]
pub fn too_long(len_bytes: u64, limit_bytes: u64) -> String {
    format!(
        "Compressed, the trace has {}; a link can have {}. Send the file, or save it as HTML",
        bytes(len_bytes),
        bytes(limit_bytes)
    )
}
