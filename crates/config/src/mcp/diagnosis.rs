//! What is wrong with a server, in words.

use std::error::Error;

use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpError;

/// Why a server has not said hello.
pub(super) fn of_hello(error: &ClientInitializeError) -> String {
    match error {
        // What stands around it names types of the transport.
        ClientInitializeError::TransportError { error, .. } => of_transport(error.error.as_ref()),
        error => with_causes(error),
    }
}

/// Why it has not answered.
pub(super) fn of_call(error: &ServiceError) -> String {
    match error {
        ServiceError::TransportSend(error) => of_transport(error.error.as_ref()),
        error => with_causes(error),
    }
}

/// An error of a transport. That of HTTP does not say what its cause is.
fn of_transport(error: &(dyn Error + Send + Sync + 'static)) -> String {
    match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(StreamableHttpError::Client(error)) => with_causes(error),
        _ => with_causes(error),
    }
}

/// An error with all its causes, each once.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let more = next.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = next.source();
    }
    text
}
