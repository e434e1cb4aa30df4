//! `intermission mcp`, as a client starts it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};

use insta::assert_snapshot;
use serde_json::{Value as Json, json};

use crate::{ASKING, folder, log};

/// A client that speaks over the standard input and output of the command, a line a message.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<std::process::ChildStdout>,
    id: u64,
}

impl Client {
    fn of(mut command: std::process::Command) -> Self {
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Self { child, input, output, id: 0 };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let said = client.request("initialize", &hello);
        assert_eq!(said["serverInfo"]["name"], "intermission");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: &Json) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn request(&mut self, method: &str, params: &Json) -> Json {
        self.id += 1;
        let id = self.id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server has gone");
            let message: Json = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Json) -> Json {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))["structuredContent"]
            .clone()
    }

    /// Closes its input, as clients do, and waits for its end.
    fn end(self) -> Option<i32> {
        let Self { mut child, input, .. } = self;
        drop(input);
        child.wait().unwrap().code()
    }
}

pub(crate) fn a_run_that_asks_outlives_the_server() {
    let folder = folder(ASKING, &[]);
    let start = |options: &[&str]| {
        Client::of(folder.command(&[&["mcp", "-c", "intermission.toml"], options].concat()))
    };
    let mut client = start(&[]);
    let found = client.call("search", &json!({ "query": "keep a note" }));
    assert_eq!(found["functions"][0], json!({ "name": "notes.write_note", "does": "Keeps a note." }));
    let code =
        "await notes.write_note({ text: 'small' }); return await notes.write_note({ text: 'big one' })";
    let view = client.call("execute", &json!({ "code": code }));
    assert_eq!(
        (&view["state"], &view["questions"][0]["reason"]),
        (&json!("waiting"), &json!("big notes are read first"))
    );
    assert_eq!(client.end(), Some(0));
    assert_eq!(log(&folder), "small\nclosed\n");

    let mut client = start(&["--let-client-approve"]);
    let answers = json!([{ "question": view["questions"][0]["question"], "approve": true }]);
    let done = client.call("resume", &json!({ "run": view["run"], "answers": answers }));
    assert_eq!((&done["state"], &done["value"]), (&json!("completed"), &json!("noted: big one")));
    assert_eq!(client.end(), Some(0));
    assert_eq!(log(&folder), "small\nclosed\nbig one\nclosed\n");
}

pub(crate) fn nobody_on_another_machine_is_served() {
    assert_snapshot!(folder("", &[]).run(&["mcp", "--http", "0.0.0.0:0"]), @r"
    exit 2
    --- stderr
    error[MCP_NOT_LOOPBACK]: 0.0.0.0:0 can be reached from other machines: use an address of the loopback, such as 127.0.0.1
    ");
}

pub(crate) fn a_client_in_typescript() {
    let servers = match crate::public::installed() {
        Ok(servers) => servers,
        Err(why) => return crate::public::skip(&why),
    };
    let folder = folder(ASKING, &[]);
    std::fs::write(servers.join("client.mjs"), CLIENT).unwrap();
    let client = std::process::Command::new("node")
        .arg(servers.join("client.mjs"))
        .arg(env!("CARGO_BIN_EXE_intermission"))
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    let told =
        format!("{}{}", String::from_utf8_lossy(&client.stdout), String::from_utf8_lossy(&client.stderr));
    assert_eq!(
        told,
        "tools: execute search types status resume\n\
         asked: A script wants to call notes.write_note. Is that all right?\n\
         by stdio: completed \"noted: big one\"\n\
         asked: A script wants to call notes.write_note. Is that all right?\n\
         by http: completed \"noted: big two\"\n"
    );
    assert_eq!(log(&folder), "big one\nclosed\nbig two\nclosed\n");
}

/// With forms, over both transports.
const CLIENT: &str = r#"
import { spawn } from "node:child_process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const command = process.argv[2];
const args = ["mcp", "-c", "intermission.toml"];

async function through(name, transport, text) {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    console.log(`asked: ${params.message.split("\n")[0]}`);
    return { action: "accept", content: { decision: "approve" } };
  });
  await client.connect(transport);
  if (name === "stdio") {
    const { tools } = await client.listTools();
    console.log(`tools: ${tools.map((tool) => tool.name).join(" ")}`);
  }
  const code = `return await notes.write_note({ text: ${JSON.stringify(text)} })`;
  const { structuredContent } = await client.callTool({ name: "execute", arguments: { code } });
  console.log(`by ${name}: ${structuredContent.state} ${JSON.stringify(structuredContent.value)}`);
  await client.close();
}

await through("stdio", new StdioClientTransport({ command, args }), "big one");
const server = spawn(command, [...args, "--http", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
const url = await new Promise((resolve) => {
  server.stderr.on("data", (said) => {
    const found = /MCP at (\S+)/.exec(String(said));
    if (found) resolve(new URL(found[1]));
  });
});
await through("http", new StreamableHTTPClientTransport(url), "big two");
server.kill("SIGTERM");
await new Promise((resolve) => server.on("exit", resolve));
"#;
