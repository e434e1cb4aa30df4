//! What tools are in scripts, and what they answer.

use insta::assert_snapshot;
use intermission::Effect;
use intermission_testkit::McpServer;
use libtest_mimic::Trial;

use crate::house::{House, run, schema, served, told};

pub(crate) fn trials() -> Vec<Trial> {
    crate::trials![
        every_tool_of_every_page_is_a_function_with_its_types,
        tools_answer_over_stdio,
        tools_answer_over_http,
        annotations_say_the_effect_and_the_configuration_goes_before_them,
        the_configuration_chooses_and_renames,
        headers_come_from_the_environment_and_are_never_shown,
        variables_are_handed_over_by_name_and_their_values_never_shown,
        a_tool_that_needs_approval_is_asked_about,
        calls_of_one_run_are_under_way_together,
    ]
}

fn every_tool_of_every_page_is_a_function_with_its_types() {
    let lent = House::stdio("").lend();
    assert_snapshot!(lent.host_functions().types(), @r#"
    /** What the script was started with. */
    declare const input: unknown;
    /** What the script may change: its final state is part of the result. */
    declare let data: any;
    /** Waits for an event of this key, and gives its value; rejected with a `TimeoutError` after the timeout: milliseconds, or `'30s'`, `'7d'`. */
    declare function waitFor(key: string, options?: { timeout?: number | string }): Promise<unknown>;

    declare namespace s {
      /** The sum of two numbers. */
      function add(input: { a: number; b: number }): Promise<{ sum: number }>;
      /** Keeps a note. */
      function write_note(input: { text: string }): Promise<unknown>;
      /** Says hello */
      function hello(input?: { [key: string]: unknown } | null): Promise<unknown>;
      function fail(input: { message: string }): Promise<unknown>;
      function refuse(input?: { [key: string]: unknown } | null): Promise<unknown>;
      function die(input?: { [key: string]: unknown } | null): Promise<unknown>;
      function wait(input?: { [key: string]: unknown } | null): Promise<unknown>;
      function picture(input?: { [key: string]: unknown } | null): Promise<unknown>;
      function big(input?: { bytes?: number } | null): Promise<unknown>;
      /** Fails with what it knows of a variable or header. */
      function tell(input: { name: string }): Promise<unknown>;
      function wrong(input?: { [key: string]: unknown } | null): Promise<{ n: number }>;
    }
    "#);
}

/// What each tool gives.
const SCRIPT: &str = r#"
const seen = [];
const see = async (call) => { try { seen.push(await call()) } catch (error) { seen.push(`${error.code} ${error.message}`) } };
await see(() => s.add({ a: 1, b: 2 }));
await see(() => s.write_note({ text: "one" }));
await see(() => s.hello());
await see(() => s.hello({}));
await see(() => s.fail({ message: "no paper" }));
await see(() => s.refuse());
await see(() => s.picture());
await see(() => s.add({ a: 1 }));
await see(() => s.wrong());
return seen;
"#;

fn tools_answer_over_stdio() {
    let house = House::stdio("");
    assert_snapshot!(house.run(SCRIPT), @r#"[{sum: 3}, "noted: one", "hello", "hello", "HOST_TOOL_ERROR s.fail: no paper", "HOST_TOOL_REFUSED s.refuse: the MCP server refused the call: not today", [{type: "image", data: "AA==", mimeType: "image/png"}], "HOST_INPUT_INVALID s.add was called with what does not fit its schema: \"b\" is a required property", "HOST_OUTPUT_INVALID s.wrong returned what does not fit its schema at /n: \"no number\" is not of type \"number\""]"#);
    assert_eq!(house.log(), ["one", "closed"]);
}

fn tools_answer_over_http() {
    let (address, _runtime) = served(McpServer::default());
    let over_http = House::http(address, "").run(SCRIPT);
    assert_eq!(over_http, House::stdio("").run(SCRIPT));
}

fn annotations_say_the_effect_and_the_configuration_goes_before_them() {
    let effects = |settings: &str| {
        let lent = House::stdio(settings).lend();
        let effect = |name: &str| {
            lent.host_functions().iter().find(|function| function.name() == name).unwrap().declared().effect
        };
        ["s.add", "s.write_note", "s.hello"].map(effect)
    };
    assert_eq!(effects(""), [Effect::Pure, Effect::Idempotent, Effect::Unsafe]);
    assert_eq!(effects("effect = \"unsafe\""), [Effect::Unsafe; 3]);
    let own = "effect = \"unsafe\"\n[mcp.s.tools.hello]\neffect = \"pure\"";
    assert_eq!(effects(own), [Effect::Unsafe, Effect::Unsafe, Effect::Pure]);
}

fn the_configuration_chooses_and_renames() {
    let settings =
        "lend = [\"write-*\", \"hello\"]\n[mcp.s.tools.write-note]\nname = \"note\"\ndescription = \"N.\"";
    let house = House::stdio(settings);
    let lent = house.lend();
    assert_eq!(lent.host_functions().names().collect::<Vec<_>>(), ["s.note", "s.hello"]);
    assert_eq!(lent.host_functions().iter().next().unwrap().declared().description, Some("N."));
    assert_eq!(schema(&lent, "s.hello").unwrap()["type"], serde_json::json!(["object", "null"]));
    assert_eq!(house.run("return await s.note({ text: 'x' })"), r#""noted: x""#);
}

/// A variable that is there whenever this is run by cargo.
const VARIABLE: &str = "CARGO_MANIFEST_DIR";

fn headers_come_from_the_environment_and_are_never_shown() {
    let (address, _runtime) = served(McpServer::default());
    let house = House::http(address, &format!("headers = {{ authorization = \"Bearer ${VARIABLE}\" }}"));
    assert_eq!(
        house.run("return await s.tell({ name: 'authorization' }).catch(error => error.message)"),
        r#""s.tell: authorization is Bearer ***""#
    );
    assert!(!format!("{:?}", house.config).contains(env!("CARGO_MANIFEST_DIR")));
}

fn variables_are_handed_over_by_name_and_their_values_never_shown() {
    let tell = format!("return await s.tell({{ name: '{VARIABLE}' }}).catch(error => error.message)");
    assert_eq!(House::stdio("").run(&tell), format!("\"s.tell: {VARIABLE} is nothing\""));
    let house = House::stdio(&format!("env = [\"{VARIABLE}\"]"));
    assert_eq!(house.run(&tell), format!("\"s.tell: {VARIABLE} is ***\""));
}

fn a_tool_that_needs_approval_is_asked_about() {
    let house = House::stdio("[mcp.s.tools.write-note]\napproval = true");
    let lent = house.lend();
    let result = run(&house.runner(&lent), "return await s.write_note({ text: 'x' })");
    assert_eq!(result.interruptions().len(), 1);
    assert_eq!(house.log(), [""; 0]);
}

fn calls_of_one_run_are_under_way_together() {
    let house = House::stdio("");
    let lent = house.lend();
    let script = "const waits = s.wait(); return await Promise.race([waits, s.hello()])";
    // What is left behind is waited for no longer than this.
    let runner = house.config.runner(&lent).unwrap().drain(std::time::Duration::ZERO).build().unwrap();
    let result = run(&runner, script);
    assert_eq!(told(&result), r#""hello""#);
}
