//! Tolerant entry: what a script's value is when it doesn't say `return`.

use intermission_source::{Kind, Language, Options, SourceKind, prepare};

use crate::{prepared, refused};

/// A text that is run as a function body becomes another.
fn body(before: &str, after: &str) {
    let prepared = prepared(before);
    assert_eq!((prepared.text.as_str(), prepared.kind), (after, Kind::FunctionBody), "{before}");
}

/// A text that is run as a module becomes another.
fn module(before: &str, after: &str) {
    let prepared = prepared(before);
    assert_eq!((prepared.text.as_str(), prepared.kind), (after, Kind::Module), "{before}");
}

#[test]
fn a_script_that_returns_stays_as_it_is() {
    for text in [
        "return 1 + 1",
        "if (a) return 1; b()",
        "if (a) {} else { return 1 } b()",
        "for (const a of b) { if (c) return a } d()",
        "for (;;) return 1",
        "for (a in b) return 1",
        "while (a) return 1",
        "do return 1; while (a)",
        "a: return 1",
        "switch (a) { default: return 1 }",
        "try { return 1 } catch {}",
        "try {} catch { return 1 }",
        "try {} finally { return 1 }",
        "with (a) return 1",
        "{ return } () => 1",
    ] {
        body(text, text);
    }
}

#[test]
fn a_last_expression_is_the_value() {
    body("1 + 1", "return 1 + 1");
    body("let a = 1\na, a + 1 // sum", "let a = 1\nreturn a, a + 1 // sum");
    body("await f()", "return await f()");
    body("f();", "return f();");
    body("'a'; ('b')", "'a'; return ('b')");
    body("f(); ;", "return f(); ;");
    body("function g() { return 1 }\ng()", "function g() { return 1 }\nreturn g()");
    body("[1, 2].map(a => { return a })", "return [1, 2].map(a => { return a })");
}

#[test]
fn functions_may_stand_behind_the_last_expression() {
    body("g()\nfunction g() { return 1 }", "return g()\nfunction g() { return 1 }");
}

#[test]
fn other_last_statements_have_no_value() {
    for text in [
        "",
        "// nothing",
        "'use strict'",
        "let a = 1",
        "if (a) b()",
        "{ a }",
        "a: b",
        "class A {}",
        "for (;;) a",
        ";",
    ] {
        body(text, text);
    }
}

#[test]
fn directives_survive() {
    body("'use strict'; 1", "'use strict'; return 1");
    body("'use strict'", "'use strict'");
}

#[test]
fn a_bare_function_is_called() {
    body("() => 1", "return (() => 1)(input)");
    body("async (input) => { return input }", "return (async (input) => { return input })(input)");
    body("async a => a // comment\n", "return (async a => a)(input) // comment\n");
    body("(function () {})", "return ((function () {}))(input)");
    body("function (a) { return a }", "return ((function (a) { return a }))(input)");
    body("// c\nasync function (a) {};\n", "// c\nreturn ((async function (a) {}))(input);\n");
    body("function (a: A): B {}", "return ((function (a   )    {}))(input)");
    body("const helper = 1; () => helper", "const helper = 1; return (() => helper)(input)");
}

#[test]
fn a_generator_is_a_value() {
    body("(function* () {})", "return (function* () {})");
    body("function* main() {}", "function* main() {}");
}

#[test]
fn a_main_function_is_called() {
    body("async function main() {}", "async function main() {}\nreturn main(input);");
    body("function run() {} // last", "function run() {} // last\nreturn run(input);");
    body(
        "function main() { main() }\nfunction b() {}",
        "function main() { main() }\nfunction b() {}\nreturn main(input);",
    );
    body("function a() {}\nfunction main() {}", "function a() {}\nfunction main() {}\nreturn main(input);");
    body(
        "function f(a: string): void; function f(a: any) {}",
        ";                            function f(a     ) {}\nreturn f(input);",
    );
}

#[test]
fn a_function_that_is_mentioned_or_not_the_last_statement_is_not_called() {
    for text in [
        "function main() {}\nconst a = main",
        "const a = main\nfunction main() {}",
        "function a() {}\nfunction b() {}",
        "function main() {}\nlet a = 1",
        "const main = () => {}",
    ] {
        body(text, text);
    }
    body("main()\nfunction main() {}", "return main()\nfunction main() {}");
}

#[test]
fn a_default_export_alone_is_the_value_of_a_function_body() {
    body("export default 1 + 1", "const $default = 1 + 1\nreturn $default;");
    body("export default function(a) {}", "               function $default(a) {}\nreturn $default(input);");
    body("export default () => 1;", "const $default = () => 1;\nreturn $default(input);");
    body(
        "export default async function () {}",
        "               async function $default() {}\nreturn $default(input);",
    );
    body("export default function f() {}\nlet a", "               function f() {}\nlet a\nreturn f(input);");
    body(
        "const f = () => 1\nexport default f",
        "const f = () => 1\nconst $default = f\nreturn typeof $default === \"function\" ? $default(input) : $default;",
    );
    body("export default { a: 1 } as A", "const $default = { a: 1 }     \nreturn $default;");
}

#[test]
fn a_module_hands_out_its_default_export() {
    module("import a from 'a'\na()", "import a from 'a'\nexport default await (a())");
    module("import a from 'a'\n() => a", "import a from 'a'\nexport default await (() => a)(input)");
    module(
        "import a from 'a'\nexport default { a }",
        "import a from 'a'\nconst $default = { a }\nexport default await $default;",
    );
    module(
        "import a from 'a'\nexport default async function b() {}",
        "import a from 'a'\n               async function b() {}\nexport default await b(input);",
    );
    module(
        "import a from 'a'\nexport default a",
        "import a from 'a'\nconst $default = a\n\
         export default await (typeof $default === \"function\" ? $default(input) : $default);",
    );
    module(
        "export async function main() {}",
        "export async function main() {}\nexport default await main(input);",
    );
    module("export const a = 1", "export const a = 1");
    module("export * from 'a'", "export * from 'a'");
    module("import 'a'; export default function* () {}", "import 'a'; export default function* () {}");
    module("import.meta.url", "export default await (import.meta.url)");
}

#[test]
fn a_default_class_stays_in_its_module() {
    module("export default class {}", "export default class {}");
    body("class A {} export default A", "class A {} const $default = A\nreturn $default;");
}

#[test]
fn a_default_that_is_there_already_stays_the_only_one() {
    for text in [
        "export default class {}\n1",
        "export default function* () {}\n1",
        "const a = 1; export { a as default }; a",
        "export { default } from 'a'; 1",
    ] {
        module(text, text);
    }
}

#[test]
fn types_alone_make_no_module() {
    body(
        "import type { A } from 'a'\nexport type B = A\nlet c: B\nc",
        ";                         \n;                \nlet c   \nreturn c",
    );
}

#[test]
fn a_module_does_not_return() {
    let error = refused("import a from 'a'\nif (a) return a");
    assert_eq!(error.code(), "SOURCE_SYNTAX");
    assert_eq!(error.position().map(|place| (place.line, place.column)), Some((2, 8)));
    assert_eq!(refused("export default 1; return 2").code(), "SOURCE_SYNTAX");
}

#[test]
fn the_kind_can_be_asked_for() {
    let ask = |text, kind| prepare(text, &Options { kind, ..Options::default() });
    let text = |text, kind| ask(text, kind).map(|prepared| (prepared.text, prepared.kind));
    assert_eq!(text("1", SourceKind::Module), Ok(("export default await (1)".into(), Kind::Module)));
    assert_eq!(text("export default 1", SourceKind::Imported), Ok(("export default 1".into(), Kind::Module)));
    assert_eq!(text("1", SourceKind::Imported), Ok(("1".into(), Kind::Module)));
    let error = ask("1;\nimport a from 'a'", SourceKind::FunctionBody).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`import` and `export` belong to modules (line 2, column 1)\n  |\n2 | import a from 'a'\n  | ^^^^^^\n\
         hint: run it as a module, or leave them out"
    );
}

#[test]
fn the_code_of_a_fence_is_the_script() {
    body("```js\nreturn 1\n```", "     \nreturn 1\n   ");
    body("Sure:\n\n```ts\nlet a: A\n```\nDone. It's good", "     \n\n     \nlet a   \n   \n               ");
    body("  ```\n  1\n  ```\n", "     \n  return 1\n     \n");
    body("```\n1", "   \nreturn 1");
    assert_eq!(prepared("```ts\nlet a: A\n```").language, Language::TypeScript);
    assert_eq!(prepared("Code\n```js\n1\n```").text, "    \n     \nreturn 1\n   ");
}

#[test]
fn a_fence_in_a_comment_or_a_string_is_none() {
    for text in [
        "/*\n```js\n1\n```\n*/ return 2",
        "return `\n\\`\\`\\`js\n1\n\\`\\`\\`\n`",
        "return 'a\\\n```js\\\n```'",
    ] {
        body(text, text);
    }
}

#[test]
fn several_fences_are_too_many() {
    let error = refused("```js\n1\n```\n\n```js\n2\n```\n");
    assert_eq!(error.code(), "SOURCE_MANY_FENCES");
    assert_eq!(
        error.to_string(),
        "2 Markdown fences, the first two on lines 1 and 5: which one is the script? (line 5, column 1)\n  |\n5 | ```js\n  | ^^^\n\
         hint: send one fence, or the code without fences"
    );
    assert_eq!(refused("One:\n```js\n1\n```\nTwo:\n```js\n2\n```\n").code(), "SOURCE_MANY_FENCES");
}

#[test]
fn marks_and_hashbangs_are_no_code() {
    body("\u{feff}1", "return 1");
    body("#!/usr/bin/env node\n1", "//!/usr/bin/env node\nreturn 1".replace("//!/", "///").as_str());
}

#[test]
fn html_comments_are_comments_in_a_function_body_only() {
    assert_eq!(crate::imported("a <!--b"), "a <!--b");
    body("a <!-- ({\nreturn a", "a //-- ({\nreturn a");
    body("<!-- a\n--> b\nreturn '<!--'", "//-- a\n//> b\nreturn '<!--'");
    body("let a = 3; while (a --> 0) b(); return a", "let a = 3; while (a --> 0) b(); return a");
    module("import a from 'a'; export const b = a <!--a", "import a from 'a'; export const b = a <!--a");
}

#[test]
fn a_text_can_not_leave_its_function() {
    assert_eq!(refused("}) ; (async () => {").code(), "SOURCE_SYNTAX");
    assert_eq!(refused("}\nasync () => { <!-- a").code(), "SOURCE_SYNTAX");
}
