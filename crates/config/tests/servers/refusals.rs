//! What is wrong with a server, or with what the configuration says of it.

use insta::assert_snapshot;
use libtest_mimic::Trial;

use crate::house::House;

pub(crate) fn trials() -> Vec<Trial> {
    crate::trials![
        a_program_that_is_not_there,
        a_program_that_ends_before_it_says_hello,
        a_program_that_never_says_hello,
        a_service_that_is_not_there,
        a_tool_that_the_server_has_not,
        tools_that_would_have_one_name,
        a_schema_that_is_none,
        a_secret_that_is_not_there,
        a_group_that_is_no_name,
        rules_that_make_no_sense_for_the_tools,
    ]
}

fn a_program_that_is_not_there() {
    assert_snapshot!(House::with("[mcp.s]\ncommand = [\"no-such-program\"]").refusal(), @r#"
    CONFIG_SERVER: the MCP server `s` cannot be used: it cannot be started: no-such-program: No such file or directory (os error 2)
      at: s
      help: see whether it works by itself, or leave the server out
    "#);
}

fn a_program_that_ends_before_it_says_hello() {
    assert_snapshot!(House::with("[mcp.s]\ncommand = [[server], \"--dies\"]").refusal(), @r#"
    CONFIG_SERVER: the MCP server `s` cannot be used: it ended (exit status: 3): the server ends: no licence
      at: s
      help: see whether it works by itself, or leave the server out
    "#);
}

fn a_program_that_never_says_hello() {
    let config = "[mcp.s]\ncommand = [[server], \"--silent\"]\nstart_timeout = \"50ms\"";
    assert_snapshot!(House::with(config).refusal(), @r#"
    CONFIG_SERVER: the MCP server `s` cannot be used: it has not said hello within 50ms
      at: s
      help: see whether it works by itself, or leave the server out
    "#);
}

fn a_service_that_is_not_there() {
    let refusal = House::with("[mcp.s]\nurl = \"http://127.0.0.1:1/mcp\"").refusal();
    assert_snapshot!(refusal, @r#"
    CONFIG_SERVER: the MCP server `s` cannot be used: error sending request for url (http://127.0.0.1:1/mcp): client error (Connect): tcp connect error: Connection refused (os error 111)
      at: s
      help: see whether it works by itself, or leave the server out
    "#);
}

fn a_tool_that_the_server_has_not() {
    assert_snapshot!(House::stdio("[mcp.s.tools.writenote]\neffect = \"pure\"").refusal(), @r#"
    CONFIG_TOOL: the MCP server `s` has no tool `writenote`
      at: writenote
      help: did you mean `write-note`?
    "#);
    assert_snapshot!(House::stdio("lend = [\"read_*\", \"hello\"]").refusal(), @r#"
    CONFIG_TOOL: the MCP server `s` has no tool `read_*`
      at: "read_*"
      help: there are: `add`, `write-note`, `hello`, `fail`, `refuse`, `die`, `wait`, `picture`, `big`, `tell`, `wrong`
    "#);
}

fn tools_that_would_have_one_name() {
    let config = "[mcp.s]\ncommand = [[server], \"--clashes\"]\n";
    assert_snapshot!(House::with(config).refusal(), @r#"
    CONFIG_CLASH: the tools `a-b` and `a_b` of the MCP server `s` would both be `s.a_b`
      at: s
      help: give one of them another name: [mcp.s.tools."a_b"] name = "..."
    "#);
    let mended = House::with(&format!("{config}[mcp.s.tools.a_b]\nname = \"other\""));
    assert!(mended.lend().host_functions().names().any(|name| name == "s.other"));
}

fn a_schema_that_is_none() {
    assert_snapshot!(House::with("[mcp.s]\ncommand = [[server], \"--broken\"]").refusal(), @r#"
    HOST_FUNCTION_SCHEMA: the input schema of `s.broken` is no JSON Schema: 5 is not valid under any of the schemas listed in the 'anyOf' keyword
      at: s
      help: leave the tool out: `lend` says which tools are lent
    "#);
}

fn a_secret_that_is_not_there() {
    let config =
        "[mcp.s]\nurl = \"http://127.0.0.1:1/mcp\"\nheaders = { authorization = \"Bearer $NO_SUCH_TOKEN\" }";
    assert_snapshot!(House::with(config).refusal(), @r#"
    CONFIG_VARIABLE: `mcp.s.headers.authorization`: the environment has no variable NO_SUCH_TOKEN
      at: "Bearer $NO_SUCH_TOKEN"
      help: set NO_SUCH_TOKEN before the run
    "#);
}

fn a_group_that_is_no_name() {
    assert_snapshot!(House::with("[mcp.\"my-server\"]\ncommand = [[server]]").refusal(), @r#"
    HOST_FUNCTION_NAME: `my-server.add` is no name for a host function: use `name` or `group.name`, of letters, digits, `_` and `$`
      at: "my-server"
      help: the server's name is the group of its functions: call it otherwise, [mcp.NAME]
    "#);
}

fn rules_that_make_no_sense_for_the_tools() {
    let with_rule = |rule: &str| House::stdio(&format!("[[policy]]\n{rule}")).refusal();
    assert_snapshot!(with_rule("deny = \"s.writenote\""), @r#"
    CONFIG_POLICY: `policy[0].deny`: `s.writenote` is about no function
      at: "s.writenote"
      help: did you mean `s.write_note`?
    "#);
    assert_snapshot!(with_rule("ask = \"s.write_*\"\nwhen = \"txt == 'x'\""), @r#"
    CONFIG_POLICY: `policy[0].when`: no function that the rule is about takes `txt`
      at: "txt == 'x'"
      help: did you mean `text`?
    "#);
}
