//! The client that speaks to servers over HTTP.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

/// With ring and the roots of Mozilla, as for the services of the configuration. Nothing of the process is asked or changed.
///
/// # Errors
/// When it cannot be made.
pub(super) fn client() -> Result<reqwest::Client, String> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        // A redirection would take the headers to another place than the configuration says.
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .user_agent("intermission")
        .build()
        .map_err(|error| error.to_string())
}
