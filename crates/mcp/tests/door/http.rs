//! By streamable HTTP.

use intermission_mcp::ServeError;
use rmcp::service::serve_client;
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::client::{Client, House, Person};

#[tokio::test]
async fn clients_are_served_by_http_until_the_end() {
    // The client of the protocol's library brings no cryptography, and needs none here.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let house = House::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (end, ended) = oneshot::channel::<()>();
    let serving = tokio::spawn(house.server().await.serve_http(listener, async {
        let _ = ended.await;
    }));
    let (person, _) = Person::says(json!({ "decision": "approve" }));
    let client =
        Client(serve_client(person, StreamableHttpClientTransport::from_uri(url.as_str())).await.unwrap());
    let view = client.execute("return await mail.send({ to: 'ada' })").await;
    assert_eq!(view["value"], json!({ "to": "ada" }));
    drop(client);
    end.send(()).unwrap();
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn other_machines_are_not_served() {
    let house = House::new();
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let error = house.server().await.serve_http(listener, std::future::pending()).await.unwrap_err();
    assert!(matches!(error, ServeError::NotLoopback(_)));
    assert_eq!(error.code(), "MCP_NOT_LOOPBACK");
}
