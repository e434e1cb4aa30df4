//! Host functions that services answer.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use crate::folder::Folder;
use crate::names::anonymous;
use insta::assert_snapshot;

/// A service that answers one request with this text, and gives back the request.
struct Service {
    port: u16,
    request: JoinHandle<String>,
}

impl Service {
    fn answering(response: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let request = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let request = read_request(&mut BufReader::new(&stream));
            stream.write_all(response.as_bytes()).unwrap();
            request
        });
        Self { port, request }
    }

    /// The request, with the port left out.
    fn request(self) -> String {
        self.request.join().unwrap().replace(&self.port.to_string(), "[port]").replace('\r', "")
    }
}

fn read_request(stream: &mut impl BufRead) -> String {
    let (mut request, mut length) = (String::new(), 0);
    loop {
        let start = request.len();
        stream.read_line(&mut request).unwrap();
        let line = request[start..].to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    request + &String::from_utf8(body).unwrap()
}

/// What becomes of `f({ id: 7 })`, and the request that it sends.
fn call(settings: &str, response: &'static str, arguments: &[&str]) -> (String, String) {
    let service = Service::answering(response);
    let config = format!("[functions.f.http]\nurl = \"http://127.0.0.1:{}/user\"\n{settings}", service.port);
    let script = "try { return [await f({ id: 7 })] } catch (e: any) { return `${e.code} ${e.message}` }";
    let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", script)]);
    let told = folder.run(&[&["run", "a.ts"], arguments].concat());
    (told, anonymous(&service.request()))
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n{\"name\":\"Ada\"}";

#[test]
fn the_argument_is_posted_and_the_body_is_the_value() {
    let (told, request) = call("", "HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n{\"name\":\"Ada\"}", &[]);
    assert_snapshot!(told, @r#"
    exit 0
    --- stdout
    [
      {
        "name": "Ada"
      }
    ]
    "#);
    assert_snapshot!(request, @r#"
    POST /user HTTP/1.1
    content-length: 8
    user-agent: intermission
    accept: application/json
    host: 127.0.0.1:[port]
    content-type: application/json
    intermission-run-id: [run 1]
    intermission-invocation-id: [inv 1]
    intermission-request-id: [run 1].1
    intermission-request-index: 1
    intermission-host-function: f
    idempotency-key: [key 1]

    {"id":7}
    "#);
}

#[test]
fn a_secret_that_a_service_repeats_is_hidden_from_the_script() {
    let settings = "headers = { authorization = \"Bearer $TOKEN\" }";
    let response = "HTTP/1.1 200 OK\r\ncontent-length: 21\r\n\r\n[\"Bearer t0p-secret\"]";
    let (told, _) = call(settings, response, &[]);
    assert_eq!(told.lines().filter(|line| line.contains("***")).count(), 1, "{told}");
    assert!(!told.contains("t0p-secret"), "{told}");
}

#[test]
fn headers_come_from_the_configuration_and_the_environment() {
    let settings = "method = \"PUT\"\nheaders = { authorization = \"Bearer $TOKEN\", x-kind = \"a\" }";
    let (_, request) = call(settings, OK, &[]);
    assert_snapshot!(request, @r#"
    PUT /user HTTP/1.1
    content-length: 8
    user-agent: intermission
    accept: application/json
    host: 127.0.0.1:[port]
    content-type: application/json
    authorization: Bearer t0p-secret
    x-kind: a
    intermission-run-id: [run 1]
    intermission-invocation-id: [inv 1]
    intermission-request-id: [run 1].1
    intermission-request-index: 1
    intermission-host-function: f
    idempotency-key: [key 1]

    {"id":7}
    "#);
}

#[test]
fn a_get_has_no_body() {
    let (_, request) = call("method = \"GET\"", OK, &[]);
    assert_snapshot!(request, @r#"
    GET /user HTTP/1.1
    user-agent: intermission
    accept: application/json
    host: 127.0.0.1:[port]
    idempotency-key: [key 1]
    intermission-run-id: [run 1]
    intermission-invocation-id: [inv 1]
    intermission-request-id: [run 1].1
    intermission-request-index: 1
    intermission-host-function: f
    "#);
}

#[test]
fn no_body_is_undefined() {
    let (told, _) = call("", "HTTP/1.1 204 No Content\r\n\r\n", &[]);
    assert_snapshot!(told, @r#"
    exit 0
    --- stdout
    [
      null
    ]
    "#);
}

#[test]
fn another_status_is_a_rejection_that_shows_no_secret() {
    let settings = "headers = { authorization = \"$TOKEN\" }";
    let response = "HTTP/1.1 403 Forbidden\r\ncontent-length: 19\r\n\r\nno token t0p-secret";
    let (told, _) = call(settings, response, &[]);
    assert_snapshot!(told, @r#"
    exit 0
    --- stdout
    "HOST_STATUS f: it answered 403 Forbidden: no token ***"
    "#);
}

#[test]
fn a_redirection_is_not_followed() {
    let (told, _) =
        call("", "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", &[]);
    assert_snapshot!(told, @r#"
    exit 0
    --- stdout
    "HOST_STATUS f: it answered 302 Found"
    "#);
}

#[test]
fn a_body_that_is_not_json_is_a_rejection() {
    let (told, _) = call("", "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>", &[]);
    assert_snapshot!(told, @r#"
    exit 0
    --- stdout
    "HOST_OUTPUT_NOT_JSON f: its answer is not JSON (expected value at line 1 column 1): <html>"
    "#);
}

#[test]
fn a_body_that_is_too_large_is_a_rejection() {
    let (told, _) = call("", OK, &["--limit", "output=5"]);
    assert_snapshot!(told, @r#"
    exit 0
    --- stdout
    "HOST_OUTPUT_TOO_LARGE f: it answered more than 5 bytes, which is the limit `output`"
    "#);
}

#[test]
fn a_service_that_is_not_there_is_a_rejection() {
    // A port that was just free.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let config = format!("[functions.f]\nhttp = {{ url = \"http://127.0.0.1:{port}/\" }}");
    let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", "return f()")]);
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts"])), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: f: it cannot be reached: io: Connection refused (os error 111)
     --> a.ts:1:8
      |
    1 | return f()
      |        ^
    kept: what happened is in [run 1]; `intermission resume [run 1] --retry` makes the failed call again
    "#);
}

#[test]
fn a_service_that_never_answers_is_timed_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let config =
        format!("[functions.f]\ntimeout = \"50ms\"\nhttp = {{ url = \"http://127.0.0.1:{port}/\" }}");
    let folder = Folder::with(&[("intermission.toml", &config), ("a.ts", "return f()")]);
    assert_snapshot!(anonymous(&folder.run(&["run", "a.ts"])), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: f: it did not answer within 50ms
     --> a.ts:1:8
      |
    1 | return f()
      |        ^
    kept: what happened is in [run 1]; `intermission resume [run 1] --retry` makes the failed call again
    "#);
}

#[test]
fn a_service_asks_by_status_202_and_a_header() {
    let asks = "HTTP/1.1 202 Accepted\r\nIntermission-Interrupt: 1\r\ncontent-length: 20\r\n\r\n{\"payload\":\"May I?\"}";
    let (told, request) = call("", asks, &["--continuation", "a.imt"]);
    assert_snapshot!(anonymous(&told), @r#"
    exit 75
    --- stdout
    {
      "run_id": "[run 1]",
      "interruptions": [
        {
          "id": "[int 1]",
          "kind": "question",
          "host_function": "f",
          "request_index": 1,
          "arguments": [
            {
              "id": 7
            }
          ],
          "digest": "[digest 1]",
          "payload": "May I?",
          "position": {
            "file": "a.ts",
            "line": 1,
            "column": 21
          },
          "created": [n],
          "expires_at": null,
          "default": null
        }
      ],
      "wake_at": null,
      "continuation": {
        "file": "a.imt",
        "token": null,
        "protected": false
      }
    }
    --- stderr
    warning[CONTINUATION_UNPROTECTED]: there is no key: a.imt is readable and can be changed by its owner
     |
     = help: to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration
    put away: f asks. Go on with `intermission resume a.imt --answer [int 1]=JSON`
    "#);
    assert_snapshot!(request, @r#"
    POST /user HTTP/1.1
    content-length: 8
    user-agent: intermission
    accept: application/json
    host: 127.0.0.1:[port]
    content-type: application/json
    intermission-run-id: [run 1]
    intermission-invocation-id: [inv 1]
    intermission-request-id: [run 1].1
    intermission-request-index: 1
    intermission-host-function: f
    idempotency-key: [key 1]

    {"id":7}
    "#);
}

#[test]
fn a_service_is_told_the_answer_in_a_header() {
    let asks = "HTTP/1.1 202 Accepted\r\nIntermission-Interrupt: 1\r\ncontent-length: 30\r\n\r\n{\"payload\":\"May I?\",\"state\":1}";
    let service = Service::answering(asks);
    let config = |port: u16| format!("[functions.f.http]\nurl = \"http://127.0.0.1:{port}/user\"\n");
    let folder = Folder::with(&[("intermission.toml", &config(service.port)), ("a.ts", "return await f()")]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    service.request();
    let service = Service::answering(OK);
    folder.write("intermission.toml", config(service.port).as_bytes());
    let answer = format!("{}={{\"grüße\": true}}", folder.first_id());
    assert_snapshot!(folder.run(&["resume", "a.imt", "--answer", &answer]), @r#"
    exit 0
    --- stdout
    {
      "name": "Ada"
    }
    "#);
    assert_snapshot!(anonymous(&service.request()), @r#"
    POST /user HTTP/1.1
    content-length: 4
    user-agent: intermission
    accept: application/json
    host: 127.0.0.1:[port]
    content-type: application/json
    intermission-run-id: [run 1]
    intermission-invocation-id: [inv 1]
    intermission-request-id: [run 1].1
    intermission-request-index: 1
    intermission-host-function: f
    idempotency-key: [key 1]
    intermission-resume: {"interruption_id":"[int 1]","resolution":{"gr\u00fc\u00dfe":true},"payload":"May I?","state":1,"expired":false}

    null
    "#);
}

#[test]
fn status_202_without_the_header_is_an_answer() {
    let (told, _) = call("", "HTTP/1.1 202 Accepted\r\ncontent-length: 1\r\n\r\n7", &[]);
    assert_snapshot!(told, @r#"
    exit 0
    --- stdout
    [
      7
    ]
    "#);
}
