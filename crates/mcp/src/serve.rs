//! How clients reach the server.

use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::service::{ServerInitializeError, ServiceExt};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::McpServer;

/// Why it serves nobody.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client does not speak the protocol.
    #[error("the client has not said hello: {0}")]
    Hello(#[source] Box<ServerInitializeError>),
    /// Whoever can reach it can do what its functions do.
    #[error("{0} can be reached from other machines: use an address of the loopback, such as 127.0.0.1")]
    NotLoopback(SocketAddr),
    /// The system says so.
    #[error("it cannot be served: {0}")]
    Io(#[from] std::io::Error),
}

impl ServeError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Hello(_) => "MCP_HELLO",
            Self::NotLoopback(_) => "MCP_NOT_LOOPBACK",
            Self::Io(_) => "MCP_IO",
        }
    }
}

/// Listens at an address of the loopback, for [`McpServer::serve_http`].
///
/// # Errors
/// [`ServeError`].
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    check_loopback(address)?;
    Ok(TcpListener::bind(address).await?)
}

fn check_loopback(address: SocketAddr) -> Result<(), ServeError> {
    if address.ip().is_loopback() { Ok(()) } else { Err(ServeError::NotLoopback(address)) }
}

impl McpServer {
    /// Serves the one client at the standard input and output, until it closes them.
    ///
    /// # Errors
    /// [`ServeError`].
    pub async fn serve_stdio(self) -> Result<(), ServeError> {
        let hello = Box::pin(self.serve(rmcp::transport::stdio())).await;
        let service = hello.map_err(|error| ServeError::Hello(Box::new(error)))?;
        // It ends when the client has gone, or its task failed: there is nobody left to tell.
        let _ = service.waiting().await;
        Ok(())
    }

    /// Serves clients by streamable HTTP at `/mcp`, until `end` comes. Only requests to a name of the loopback are taken, and none from a page of another origin.
    ///
    /// # Errors
    /// [`ServeError`].
    pub async fn serve_http(
        self,
        listener: TcpListener,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        check_loopback(listener.local_addr()?)?;
        let config = StreamableHttpServerConfig::default().enforce_origin_validation();
        let sessions = config.cancellation_token.clone();
        let service = StreamableHttpService::new(
            move || Ok(self.clone()),
            Arc::new(LocalSessionManager::default()),
            config,
        );
        let router = axum::Router::new().nest_service("/mcp", service);
        axum::serve(listener, router)
            .with_graceful_shutdown(async move {
                end.await;
                sessions.cancel();
            })
            .await?;
        Ok(())
    }
}
