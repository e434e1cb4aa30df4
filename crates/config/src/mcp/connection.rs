//! One connection to a server, and the process behind it where there is one.

use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientConfig, Implementation};
use rmcp::service::{Peer, RunningService, serve_client};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Child;
use tokio::task::JoinHandle;
use ureq::http::{HeaderName, HeaderValue};

use super::diagnosis::of_hello;
use super::http_client::client;
use crate::functions::Command;
use crate::functions::answer::end_of;
use crate::functions::child::{Group, MOST_COMPLAINT};
use crate::secret_text::Secrets;

/// No message of a server is larger: 64 MiB.
const MOST_MESSAGE: usize = 64 << 20;
/// How long a server may take to end of itself, and then when it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// How a server is reached, with all that it takes.
#[derive(Clone, Debug)]
pub(super) enum Way {
    Stdio(Command),
    Http { url: String, headers: Vec<(HeaderName, HeaderValue)> },
}

/// A server that has said hello.
pub(super) struct Connection {
    peer: Peer<RoleClient>,
    service: tokio::sync::Mutex<Option<RunningService<RoleClient, ClientConfig>>>,
    process: Option<Process>,
}

/// The program that is a server.
struct Process {
    child: tokio::sync::Mutex<Child>,
    group: Group,
    complaint: Complaint,
    secrets: Secrets,
    /// Over when the program has said its last.
    listening: tokio::sync::Mutex<JoinHandle<()>>,
}

/// The end of what a program said on its standard error.
#[derive(Clone, Default)]
struct Complaint(Arc<Mutex<Vec<u8>>>);

impl Connection {
    /// Reaches a server.
    ///
    /// # Errors
    /// Why it cannot be reached, in words.
    pub(super) async fn open(way: &Way, secrets: &Secrets) -> Result<Self, String> {
        match way {
            Way::Stdio(command) => Self::of_program(command, secrets).await,
            Way::Http { url, headers } => Self::of_service(url, headers).await,
        }
    }

    async fn of_program(command: &Command, secrets: &Secrets) -> Result<Self, String> {
        let mut starting = command.to_start();
        starting
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let cannot = |error| format!("it cannot be started: {}: {error}", command.program.display());
        let mut child = starting.spawn().map_err(cannot)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err("it has no standard input and output".to_owned());
        };
        let complaint = Complaint::default();
        let listening = tokio::spawn(complaint.clone().listen(stderr));
        let process = Process {
            group: Group::of(&child),
            child: tokio::sync::Mutex::new(child),
            complaint,
            secrets: secrets.clone(),
            listening: tokio::sync::Mutex::new(listening),
        };
        let transport = AsyncRwTransport::new_client(stdout, stdin).with_max_line_length(MOST_MESSAGE);
        match serve_client(ourselves(), transport).await {
            Ok(service) => Ok(Self::new(service, Some(process))),
            Err(error) => {
                let how = process.how_it_ended().await;
                Err(secrets.hide_in(how.unwrap_or_else(|| of_hello(&error))))
            }
        }
    }

    async fn of_service(url: &str, headers: &[(HeaderName, HeaderValue)]) -> Result<Self, String> {
        let config = StreamableHttpClientTransportConfig::with_uri(url)
            .custom_headers(headers.iter().cloned().collect())
            .max_json_response_size(MOST_MESSAGE)
            .max_sse_event_size(MOST_MESSAGE);
        let transport = StreamableHttpClientTransport::with_client(client()?, config);
        let service = serve_client(ourselves(), transport).await.map_err(|error| of_hello(&error))?;
        Ok(Self::new(service, None))
    }

    fn new(service: RunningService<RoleClient, ClientConfig>, process: Option<Process>) -> Self {
        Self { peer: service.peer().clone(), service: tokio::sync::Mutex::new(Some(service)), process }
    }

    pub(super) fn peer(&self) -> &Peer<RoleClient> {
        &self.peer
    }

    pub(super) fn is_closed(&self) -> bool {
        self.peer.is_transport_closed()
    }

    /// How the program behind it ended, if it did.
    pub(super) async fn how_it_ended(&self) -> Option<String> {
        self.process.as_ref()?.how_it_ended().await
    }

    /// Ends it: a program finds its standard input closed, is then asked to end, and then killed.
    pub(super) async fn close(&self) {
        if let Some(mut service) = self.service.lock().await.take() {
            let _ = service.close_with_timeout(GRACE).await;
        }
        let Some(process) = &self.process else { return };
        let mut child = process.child.lock().await;
        if tokio::time::timeout(GRACE, child.wait()).await.is_err() {
            process.group.terminate();
            let _ = tokio::time::timeout(GRACE, child.wait()).await;
        }
        process.group.kill();
        let _ = child.wait().await;
    }
}

impl Process {
    /// A program that closes its output is about to end.
    async fn how_it_ended(&self) -> Option<String> {
        let mut child = self.child.lock().await;
        let status = tokio::time::timeout(GRACE, child.wait()).await.ok()?.ok()?;
        // What it leaves running may keep its standard error open.
        let _ = tokio::time::timeout(GRACE, &mut *self.listening.lock().await).await;
        let complaint = self.complaint.end(&self.secrets);
        let because = if complaint.is_empty() { String::new() } else { format!(": {complaint}") };
        Some(format!("it ended ({status}){because}"))
    }
}

impl Complaint {
    async fn listen(self, mut from: impl AsyncRead + Unpin) {
        let mut more = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut more).await {
            let mut end = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            end.extend_from_slice(&more[..count]);
            let surplus = end.len().saturating_sub(MOST_COMPLAINT);
            end.drain(..surplus);
        }
    }

    /// Hidden first: what is cut may leave half of a secret.
    fn end(&self, secrets: &Secrets) -> String {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        end_of(secrets.hide_in_bytes(&text).as_bytes())
    }
}

/// How we say hello. Nothing is offered that a server could ask of us.
fn ourselves() -> ClientConfig {
    let mut config = ClientConfig::default();
    config.client_info = Implementation::new("intermission", env!("CARGO_PKG_VERSION"));
    config
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("is_closed", &self.is_closed()).finish_non_exhaustive()
    }
}
