//! Valid JavaScript is run as it is written.

use intermission_source::Language;
use proptest::prelude::*;

use crate::{imported, prepared};

/// The text stays, and is JavaScript.
fn stays(text: &str) {
    let prepared = prepared(text);
    assert_eq!((prepared.text.as_str(), prepared.language), (text, Language::JavaScript));
    assert!(prepared.map.is_identity());
}

#[test]
fn what_looks_like_types_compares() {
    stays("return a<b>(c)");
    stays("return f(a<b, c>(d))");
    stays("return a < b && c > (d)");
}

#[test]
fn a_comparison_with_the_name_of_a_type_is_a_call() {
    assert_eq!(imported("f<string>(a)"), "f        (a)");
    assert_eq!(imported("f<Row, number>(a)"), "f             (a)");
    assert_eq!(imported("f<Record<string, unknown>>(a)"), "f                         (a)");
    assert_eq!(imported("new F<any>(a)"), "new F     (a)");
}

#[test]
fn a_variable_with_the_name_of_a_type_compares() {
    stays("const string = 1; return f<string>(a)");
    stays("function g(number) { return f<number>(a) } return g");
    stays("return f<string>a");
    stays("return f<undefined>(a)");
}

#[test]
fn sloppy_mode_stays_sloppy() {
    for text in [
        "with (a) b; return 1",
        "var a = 010; return '\\010'",
        "delete a; arguments = 1; eval = 2; return 1",
        "function f(a, a) {} return f",
        "var yield = 1, let = 2, static = 3, implements = 4; return yield",
        "if (1) function f() {} return 1",
        "a: function f() {} return 1",
        "return { a: 1, a: 2, __proto__: null }",
    ] {
        stays(text);
    }
}

#[test]
fn what_only_newer_engines_know_stays() {
    for text in [
        "class A { #a; static { this.b = 1 } static #c() {} get d() { return #a in this } } return A",
        "a ??= b?.c; return a ||= d",
        "return /[\\p{L}--[a-z]]/v.test(a) && 1_000n",
        "for await (const a of b) c(a); return await import('a')",
        "label: { break label } return `a${`b`}`",
    ] {
        stays(text);
    }
}

/// Expressions of which each is valid in JavaScript.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a",
        "b",
        "type",
        "as",
        "this",
        "1",
        "'s'",
        "/r/g",
        "`t`",
        "null",
        "async",
        "x.y",
        "satisfies",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 32, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("[{a}, ...[{a}]]")),
            inner.clone().prop_map(|a| format!("({{ k: {a}, [{a}]: 1, m() {{ return {a} }} }})")),
            inner.clone().prop_map(|a| format!("`x${{{a}}}y`")),
            inner.clone().prop_map(|a| format!("(async (p = {a}) => {a})")),
            inner.clone().prop_map(|a| format!("(class {{ f = {a}; static m() {{ {a} }} }})")),
            inner.clone().prop_map(|a| format!("(async () => {{ await {a}; for await (x of {a}); }})")),
            inner.clone().prop_map(|a| format!("(!{a})")),
            inner.clone().prop_map(|a| format!("f({a})")),
            two.clone().prop_map(|(a, b)| format!("(({a}) < ({b}))")),
            two.clone().prop_map(|(a, b)| format!("(({a}) > ({b}))")),
            two.clone().prop_map(|(a, b)| format!("({a} ? ({b}) : {a})")),
            two.prop_map(|(a, b)| format!("({a}, {b})")),
        ]
    })
}

/// Statements of which each is valid in JavaScript.
fn statement() -> impl Strategy<Value = String> {
    let leaf = expression().prop_flat_map(|a| {
        prop::sample::select(vec![
            format!("let v = {a}"),
            format!("{a};"),
            format!("({a})\n"),
            format!("type\n;[{a}]"),
            format!("throw {a};"),
            format!("if ({a}) {{ {a} }} else ;"),
            format!("for (const type of [{a}]) continue;"),
            format!("function declare() {{ return {a} }}"),
            format!("try {{ {a} }} catch {{ {a} }}"),
            format!("// enum A {{}}\nvar abstract = {a}"),
        ])
    });
    prop::collection::vec(leaf, 0..4).prop_map(|statements| {
        let blocks: Vec<_> = statements.into_iter().map(|statement| format!("{{ {statement} }}")).collect();
        blocks.join("\n")
    })
}

proptest! {
    #[test]
    fn valid_javascript_is_unchanged(text in statement()) {
        let text = format!("{text}\nreturn 1");
        let prepared = prepared(&text);
        prop_assert_eq!(&prepared.text, &text);
        prop_assert_eq!(prepared.language, Language::JavaScript);
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        _ = intermission_source::prepare(&text, &intermission_source::Options::default());
        _ = intermission_source::analyse(&text, &intermission_source::Options::default());
    }

    #[test]
    fn no_soup_of_tokens_panics(words in prop::collection::vec(prop::sample::select(vec![
        "enum", "namespace", "A", "{", "}", "(", ")", "[", "]", "<", ">", "=", "=>", ":", ";", ",", "?", "!", ".", "@", "as",
        "class", "static", "accessor", "private", "constructor", "export", "default", "import", "type", "async", "function",
        "return", "await", "const", "x", "1", "'s'", "`", "${", "/*", "*/", "//", "\n", "#p", "<!--", "-->", "```\n", "é", "😀",
    ]), 0..40)) {
        let text = words.join(" ");
        _ = intermission_source::prepare(&text, &intermission_source::Options::default());
        _ = intermission_source::analyse(&text, &intermission_source::Options::default());
    }
}
