//! A service that answers calls: JSON in, JSON out.

use std::time::Duration;

use intermission::HostCall;
use serde::Deserialize;
use ureq::Agent;
use ureq::http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Uri};

use super::answer::{AnswerError, Said, argument, start_of};
use super::context;
use crate::secret_text::{SecretText, Secrets, Template};

/// With a status of 202 it says `1` where the service asks.
const ASKS: &str = "intermission-interrupt";

/// How the service is called. Those with a body carry the argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Method {
    #[default]
    Post,
    Put,
    Patch,
    /// Without a body.
    Get,
    /// Without a body.
    Delete,
}

impl Method {
    const fn name(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Get => "GET",
            Self::Delete => "DELETE",
        }
    }

    const fn has_body(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch)
    }
}

/// A service, as it is written.
#[derive(Clone, Debug)]
pub(crate) struct HttpConfig {
    pub(crate) method: Method,
    pub(crate) url: Uri,
    pub(crate) headers: Headers,
}

/// Names of headers and what they say.
pub(crate) type Headers = Vec<(HeaderName, Template)>;

/// A URL of a service.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read_url(url: &str) -> Result<Uri, String> {
    let url: Uri = url.parse().map_err(|error| format!("`{url}` is no URL: {error}"))?;
    if !matches!(url.scheme_str(), Some("http" | "https")) || url.host().is_none() {
        return Err(format!(
            "`{url}` is no URL of a service: it begins with `http://` or `https://` and a host"
        ));
    }
    Ok(url)
}

/// What a header says, marked as nobody's business.
///
/// # Errors
/// What no header can say.
pub(crate) fn header_value(name: &HeaderName, text: &SecretText) -> Result<HeaderValue, String> {
    let mut value = HeaderValue::try_from(&text.text)
        .map_err(|_| format!("the header `{name}` has characters that no header can have"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// A service.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    method: Method,
    url: Uri,
    headers: HeaderMap,
    secrets: Secrets,
    agent: Agent,
}

impl Http {
    /// A service that is called with these headers, and with a content type of JSON where there is none among them.
    pub(crate) fn new(method: Method, url: Uri, headers: &HeaderMap, secrets: Secrets) -> Self {
        let mut all = HeaderMap::new();
        all.insert("content-type", HeaderValue::from_static("application/json"));
        for (name, value) in headers {
            all.insert(name, value.clone());
        }
        let agent = Agent::config_builder()
            // A redirection would take the headers to another place than the configuration says.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .user_agent("intermission")
            .accept("application/json")
            .build()
            .new_agent();
        Self { method, url, headers: all, secrets, agent }
    }

    /// The answer to a call. A request that is no longer wanted is left to itself.
    pub(super) async fn answer(
        &self,
        call: &HostCall,
        timeout: Option<Duration>,
        most_output: usize,
    ) -> Result<Said, AnswerError> {
        let (mut http, body) = (self.clone(), argument(call)?);
        http.add_context(call)?;
        let request = tokio::task::spawn_blocking(move || http.request(body, timeout, most_output));
        request.await.unwrap_or_else(|error| Err(AnswerError::NotReached(error.to_string())))
    }

    fn add_context(&mut self, call: &HostCall) -> Result<(), AnswerError> {
        for (name, text) in context::of(call)? {
            let header = (HeaderName::try_from(context::header(name)), HeaderValue::try_from(text));
            // All of it is ASCII without control characters.
            if let (Ok(name), Ok(text)) = header {
                self.headers.insert(name, text);
            }
        }
        Ok(())
    }

    fn request(&self, body: Vec<u8>, timeout: Option<Duration>, most: usize) -> Result<Said, AnswerError> {
        let explain = |error| match (error, timeout) {
            (ureq::Error::Timeout(_), Some(timeout)) => AnswerError::TimedOut(timeout),
            (ureq::Error::BodyExceedsLimit(_), _) => AnswerError::TooMuch(most),
            (error, _) => AnswerError::NotReached(self.secrets.hide_in(error.to_string())),
        };
        let mut response = self.send(body, timeout).map_err(explain)?;
        let status = response.status();
        // One byte more than allowed is enough to know.
        let bytes = response.body_mut().with_config().limit(most as u64).read_to_vec();
        if !status.is_success() {
            // Hidden first: what is cut may leave half of a secret.
            let text = start_of(self.secrets.hide_in_bytes(&bytes.unwrap_or_default()).as_bytes());
            return Err(AnswerError::Status { status: status.to_string(), text });
        }
        let asks =
            status == StatusCode::ACCEPTED && response.headers().get(ASKS).is_some_and(|value| value == "1");
        let said = if asks { Said::Interrupt } else { Said::Answer };
        // What the script is told is in the ledger for ever.
        bytes.map(|bytes| said(self.secrets.hide_in_answer(bytes))).map_err(explain)
    }

    fn send(&self, body: Vec<u8>, timeout: Option<Duration>) -> Result<Response<ureq::Body>, ureq::Error> {
        let mut request = Request::builder().method(self.method.name()).uri(&self.url).body(())?;
        *request.headers_mut() = self.headers.clone();
        if self.method.has_body() {
            let request = request.map(|()| body);
            self.agent.run(self.agent.configure_request(request).timeout_global(timeout).build())
        } else {
            request.headers_mut().remove("content-type");
            self.agent.run(self.agent.configure_request(request).timeout_global(timeout).build())
        }
    }
}
