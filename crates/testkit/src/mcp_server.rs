//! An MCP server for tests: tools that do one thing each, over stdio and streamable HTTP.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, ServiceExt};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value as Json, json};

/// How a server behaves.
#[derive(Clone, Debug, Default)]
pub struct McpServer {
    /// What its tools `note` and `wait` do is appended here, a line each.
    pub log: Option<PathBuf>,
    /// Whether it has two tools, `a-b` and `a_b`.
    pub clashes: bool,
    /// Whether it has a tool whose schema is none.
    pub broken: bool,
}

impl McpServer {
    /// Reads `--log FILE`, `--clashes`, `--broken`, `--dies` and `--silent`: the last two are no server at all.
    ///
    /// # Panics
    /// On anything else.
    pub fn of_arguments(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut server = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--log" => server.log = arguments.next().map(PathBuf::from),
                "--clashes" => server.clashes = true,
                "--broken" => server.broken = true,
                "--dies" => die("no licence"),
                "--silent" => loop {
                    std::thread::park();
                },
                other => panic!("no such option: {other}"),
            }
        }
        server
    }

    /// Serves on the standard input and output until that is closed.
    ///
    /// # Errors
    /// When there is nobody to serve.
    pub async fn serve_stdio(self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let log = self.clone();
        let service = self.serve((tokio::io::stdin(), tokio::io::stdout())).await?;
        service.waiting().await?;
        log.note("closed");
        Ok(())
    }

    /// Serves streamable HTTP on a free port of the loopback, at `/mcp`, as long as the runtime lives.
    ///
    /// # Errors
    /// When there is no port.
    pub async fn serve_http(self) -> std::io::Result<SocketAddr> {
        let service = StreamableHttpService::new(
            move || Ok(self.clone()),
            Arc::new(LocalSessionManager::default()),
            StreamableHttpServerConfig::default(),
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let router = axum::Router::new().nest_service("/mcp", service);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(address)
    }

    fn note(&self, line: &str) {
        let Some(log) = &self.log else { return };
        let file = OpenOptions::new().create(true).append(true).open(log);
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.expect("the log of a test can be written");
    }

    fn tools(&self) -> Vec<Json> {
        let nothing = json!({ "type": "object" });
        let text = |key: &str| json!({ "type": "object", "properties": { key: { "type": "string" } }, "required": [key] });
        let mut tools = vec![
            json!({
                "name": "add",
                "description": "The sum of two numbers.",
                "inputSchema": { "type": "object", "properties": { "a": { "type": "number" }, "b": { "type": "number" } }, "required": ["a", "b"] },
                "outputSchema": { "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] },
                "annotations": { "readOnlyHint": true },
            }),
            json!({ "name": "write-note", "description": "Keeps a note.", "inputSchema": text("text"), "annotations": { "idempotentHint": true } }),
            json!({ "name": "hello", "title": "Says hello", "inputSchema": nothing }),
            json!({ "name": "fail", "inputSchema": text("message") }),
            json!({ "name": "refuse", "inputSchema": nothing }),
            json!({ "name": "die", "inputSchema": nothing }),
            json!({ "name": "wait", "inputSchema": nothing }),
            json!({ "name": "picture", "inputSchema": nothing }),
            json!({ "name": "big", "inputSchema": { "type": "object", "properties": { "bytes": { "type": "integer" } } } }),
            json!({ "name": "tell", "description": "Fails with what it knows of a variable or header.", "inputSchema": text("name") }),
            json!({
                "name": "wrong",
                "inputSchema": nothing,
                "outputSchema": { "type": "object", "properties": { "n": { "type": "number" } }, "required": ["n"] },
            }),
        ];
        if self.clashes {
            tools.extend(["a-b", "a_b"].map(|name| json!({ "name": name, "inputSchema": nothing })));
        }
        if self.broken {
            tools.push(json!({ "name": "broken", "inputSchema": { "type": "object", "properties": { "a": { "type": 5 } } } }));
        }
        tools
    }
}

/// How many tools are told at once.
const PAGE: usize = 4;

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let start =
            request.and_then(|request| request.cursor).map_or(0, |cursor| cursor.parse().unwrap_or(0));
        let all = self.tools();
        let tools = all.iter().skip(start).take(PAGE).cloned().map(serde_json::from_value::<Tool>);
        let tools = tools.collect::<Result<_, _>>();
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let mut page = ListToolsResult::with_all_items(tools);
        page.next_cursor = (start + PAGE < all.len()).then(|| (start + PAGE).to_string());
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Json::Object(request.arguments.unwrap_or_default());
        let text = |key: &str| arguments[key].as_str().unwrap_or_default().to_owned();
        let said = |text: String| CallToolResult::success(vec![ContentBlock::text(text)]);
        let failed = |text: String| CallToolResult::error(vec![ContentBlock::text(text)]);
        Ok(match request.name.as_ref() {
            "add" => {
                let number = |key: &str| arguments[key].as_f64().unwrap_or_default();
                CallToolResult::structured(json!({ "sum": number("a") + number("b") }))
            }
            "write-note" => {
                self.note(&text("text"));
                said(format!("noted: {}", text("text")))
            }
            "hello" => said("hello".to_owned()),
            "fail" => failed(text("message")),
            "refuse" => return Err(ErrorData::invalid_params("not today", None)),
            "die" => die("out of luck"),
            "wait" => {
                self.note("waits");
                context.ct.cancelled().await;
                self.note("is cancelled");
                return Err(ErrorData::internal_error("cancelled", None));
            }
            "picture" => CallToolResult::success(vec![ContentBlock::image("AA==", "image/png")]),
            "big" => said("x".repeat(arguments["bytes"].as_u64().unwrap_or_default() as usize)),
            "tell" => failed(format!("{} is {}", text("name"), known(&context, &text("name")))),
            "wrong" => CallToolResult::structured(json!({ "n": "no number" })),
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        }
        .into())
    }
}

/// A header of the request, else a variable of the environment.
#[expect(clippy::disallowed_methods, reason = "a test asks which variables a server gets")]
fn known(context: &RequestContext<RoleServer>, name: &str) -> String {
    let header =
        context.extensions.get::<axum::http::request::Parts>().and_then(|parts| parts.headers.get(name));
    match header {
        Some(value) => String::from_utf8_lossy(value.as_bytes()).into_owned(),
        None => std::env::var(name).unwrap_or_else(|_| "nothing".to_owned()),
    }
}

#[expect(clippy::exit, clippy::print_stderr, reason = "a server that dies does so in the middle of things")]
fn die(why: &str) -> ! {
    eprintln!("the server ends: {why}");
    std::process::exit(3)
}
