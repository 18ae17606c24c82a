//! Why an address in the link could not be read.

use traceloupe_protocol::problem::AddressProblem;

/// What happened and what to do about it, by what went wrong.
#[must_use]
pub fn problem(problem: AddressProblem, host: &str) -> (String, String) {
    let host = if host.is_empty() { "the address" } else { host };
    let download = "Download it and drop it here";
    match problem {
        AddressProblem::Cors => (
            format!(
                "{host} answered, but does not let other sites read this file (no CORS header)"
            ),
            format!(
                "{download}, or host it where CORS is on (GitHub raw, gist, Hugging Face, S3 with CORS)"
            ),
        ),
        AddressProblem::Unreachable => (
            format!("Could not reach {host}"),
            "Check the address or your connection; a content blocker can also cause this"
                .to_owned(),
        ),
        AddressProblem::Offline => (
            "You are offline".to_owned(),
            "Connect, then reload the page; files from disk open without a network".to_owned(),
        ),
        AddressProblem::MixedContent => (
            format!("This page is https and cannot read the http address of {host}"),
            download.to_owned(),
        ),
        AddressProblem::Csp => (
            format!("The security policy of the page that hosts this viewer blocks {host}"),
            download.to_owned(),
        ),
        AddressProblem::Cut => (
            format!("The connection to {host} broke off in the middle"),
            "What has arrived is shown; reload the page to try again".to_owned(),
        ),
        AddressProblem::Cancelled => {
            ("Stopped".to_owned(), "Reload the page to try again".to_owned())
        }
        AddressProblem::UserInfo => (
            "The address holds a user name or password, which browsers refuse to send".to_owned(),
            format!("{download}, or leave that part out"),
        ),
        AddressProblem::Data => (
            "A data: address is not opened".to_owned(),
            "Paste the trace itself, or drop it as a file".to_owned(),
        ),
        AddressProblem::PrivateHost => (
            format!(
                "{host} is on your own computer or network, and this page is in a frame of another site"
            ),
            "Open this page in a tab of its own to read from there".to_owned(),
        ),
        AddressProblem::Scheme | AddressProblem::Blob | AddressProblem::Malformed => (
            "The link names an address that cannot be opened".to_owned(),
            "Addresses begin with http:// or https://, or are relative to this page".to_owned(),
        ),
        AddressProblem::Http(status @ (401 | 403)) => (
            format!("{host} refuses to hand out this file (http {status})"),
            format!("The link may have expired, or needs a login. {download}"),
        ),
        AddressProblem::Http(404 | 410) => (
            format!("{host} says that there is no such file (http 404)"),
            "Check the address".to_owned(),
        ),
        AddressProblem::Http(status) => {
            (format!("{host} answered with status {status}"), "Try again later".to_owned())
        }
        AddressProblem::Other => (format!("{host} could not be read"), download.to_owned()),
    }
}
