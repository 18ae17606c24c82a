//! Links in trace text. They show their destination, and open only after confirmation.

use leptos::prelude::*;

use crate::app::app;
use crate::app::notice;
use crate::app::page::Dialog;
use crate::browser;
use crate::search::hits::text_pieces;
use crate::shared::Shared;
use traceloupe_search::Pattern;
use traceloupe_words::page::event as text;

/// The destination of a link or an image in a text.
pub struct Target<'a> {
    /// The address as written.
    pub address: &'a str,
    /// The accompanying title; may be empty.
    pub title: &'a str,
    /// Whether the address is that of an image.
    pub is_image: bool,
}

/// The schemes that a link may open.
const SCHEMES: [&str; 3] = ["https:", "http:", "mailto:"];

/// A link: its text, and its host unless the text shows it. An address that the page does not open is shown as text.
/// Images are not loaded; their description links to them instead.
pub fn link_view(
    target: &Target<'_>,
    content: AnyView,
    pattern: Option<&Shared<Pattern>>,
) -> AnyView {
    let title = match target.title {
        "" => target.address.to_owned(),
        title => format!("{title}\n{}", target.address),
    };
    // Addresses within the document have no destination here.
    let Some((address, host)) = parts(target.address) else {
        let address = text_pieces(target.address, pattern);
        return markup! {
            <span class="prose__link" title=title>{content}<span class="prose__host">" ("{address}")"</span></span>
        }
        .into_any();
    };
    let page = app().page;
    let class = if target.is_image { "prose__link prose__link--image" } else { "prose__link" };
    markup! {
        <button class=class title=title on:click=move |event| {
            event.stop_propagation();
            page.dialog.set(Some(Dialog::Link(address.clone())));
        }>{content}</button>
        <span class="prose__host">" ("{host}")"</span>
    }
    .into_any()
}

/// The full address as the browser parses it, and its host. `None` for an address that the page does not open.
fn parts(address: &str) -> Option<(String, String)> {
    let url = web_sys::Url::new(address).ok()?;
    let is_open = SCHEMES.contains(&url.protocol().as_str());
    // A user name or password before the host only serves to deceive.
    let is_plain = url.username().is_empty() && url.password().is_empty();
    let host = match url.host() {
        host if host.is_empty() => url.pathname(),
        host => host,
    };
    (is_open && is_plain).then(|| (url.href(), host))
}

/// The confirmation before an address is opened.
#[component]
pub fn OpenLink(
    /// The full address.
    address: String,
) -> impl IntoView {
    let page = app().page;
    let host = parts(&address).map(|it| it.1).unwrap_or_default();
    let (shown, copied) = (address.clone(), address.clone());
    markup! {
        <p>{text::LINK_LEADS_TO[0]}<b><bdi>{host}</bdi></b>{text::LINK_LEADS_TO[1]}</p>
        <pre class="text dialog__address">{shown}</pre>
        <p class="dialog__acts">
            <button class="primary" autofocus=true on:click=move |_| page.dialog.set(None)>{text::STAY_HERE}</button>
            <button on:click=move |_| {
                page.dialog.set(None);
                browser::open_outside(&address);
            }>{text::OPEN_IN_A_NEW_TAB}</button>
            <button class="quiet" on:click=move |_| {
                notice::copy(page, &copied, text::COPIED);
            }>{text::COPY_THE_ADDRESS}</button>
        </p>
    }
}
