//! The calls of a source, told without running it.

use intermission_source::{Analysis, Language, Literal, Options, Position, PromiseUse, analyse};

fn analysed(text: &str) -> Analysis {
    match analyse(text, &Options::default()) {
        Ok(analysis) => analysis,
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn paths(text: &str) -> Vec<String> {
    analysed(text).calls.into_iter().map(|call| call.path).collect()
}

fn uses(text: &str) -> Vec<(String, PromiseUse)> {
    analysed(text).calls.into_iter().map(|call| (call.path, call.promise)).collect()
}

#[test]
fn calls_of_names_that_are_not_declared_are_listed_in_order() {
    assert_eq!(paths("a(b.c(1), d['e'].f()); return g?.h()"), ["a", "b.c", "d.e.f", "g.h"]);
}

#[test]
fn declared_names_are_left_out() {
    assert_eq!(paths("const a = 1; function b() {} a(); b(); (c => { c(); d() })(); import('x')"), ["d"]);
    assert_eq!(paths("{ let a; a() } a()"), ["a"]);
}

#[test]
fn a_declare_is_no_declaration() {
    let analysis =
        analysed("declare const files: { read(a: string): void };\nawait files.read('a' as string)");
    assert_eq!(analysis.language, Language::TypeScript);
    assert_eq!(analysis.calls[0].path, "files.read");
    assert_eq!(analysis.calls[0].arguments, [Literal::String("a".into())]);
}

#[test]
fn calls_know_their_place() {
    let call = &analysed("'😀',\n  '😀', f()").calls[0];
    assert_eq!(call.position, Position { line: 2, column: 9 });
    let call = &analysed("// c\n  function (a) { f()\n g() }").calls;
    assert_eq!(call[0].position, Position { line: 2, column: 18 });
    assert_eq!(call[1].position, Position { line: 3, column: 2 });
    assert_eq!(analysed("```js\nf()\n```").calls[0].position, Position { line: 2, column: 1 });
}

#[test]
fn a_promise_that_nobody_waits_for_floats() {
    let used = |text: &str, promise| assert_eq!(uses(text), [("f".to_owned(), promise)], "{text}");
    for text in [
        "f(); 1",
        "(f()); 1",
        "a && f(); 1",
        "a ? f() : b; 1",
        "f(), b; 1",
        "for (;;) f()",
        "if (a) f()",
        "f()!; 1",
    ] {
        used(text, PromiseUse::Floating);
    }
    for text in
        ["await f()", "const a = await (f())", "await (a ?? f())", "for (;;) await f()", "await (f() as A)"]
    {
        used(text, PromiseUse::Awaited);
    }
    for text in ["return f()", "() => f()", "f()", "a; f()", "return a || f()", "return b, f()"] {
        used(text, PromiseUse::Returned);
    }
    for text in [
        "const a = f()",
        "a = [f()]; 1",
        "f().then(g => g); 1",
        "void f(); 1",
        "!f(); 1",
        "f().a; 1",
        "`${f()}`",
        "f()[0]",
    ] {
        used(text, PromiseUse::Used);
    }
}

#[test]
fn arguments_are_told_as_far_as_they_are_written_out() {
    let call = &analysed(
        "f(null, undefined, true, -1.5, 10n, -2n, 's', `t`, `${u}`, v, [1, , ...w], { a: 1, 'b c': [2], 3: x, a: 4 }, ...y)",
    )
    .calls[0];
    let [rest @ .., array, object, spread] = call.arguments.as_slice() else { panic!() };
    assert_eq!(
        rest,
        [
            Literal::Null,
            Literal::Undefined,
            Literal::Boolean(true),
            Literal::Number(-1.5),
            Literal::BigInt("10".into()),
            Literal::BigInt("-2".into()),
            Literal::String("s".into()),
            Literal::String("t".into()),
            Literal::Unknown,
            Literal::Unknown,
        ]
    );
    assert_eq!(*array, Literal::Array(vec![Literal::Number(1.0), Literal::Undefined, Literal::Spread]));
    let Literal::Object(object) = object else { panic!("{object:?}") };
    let entries: Vec<_> = object.entries.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    assert_eq!(
        entries,
        [
            ("a", Literal::Number(4.0)),
            ("b c", Literal::Array(vec![Literal::Number(2.0)])),
            ("3", Literal::Unknown),
        ]
    );
    assert!(!object.open);
    assert_eq!(*spread, Literal::Spread);
}

#[test]
fn an_object_with_more_than_is_written_out_is_open() {
    for text in ["f({ ...a })", "f({ [a]: 1 })"] {
        let Literal::Object(object) = &analysed(text).calls[0].arguments[0] else { panic!() };
        assert!(object.open && object.entries.is_empty());
    }
}

#[test]
fn what_can_not_be_prepared_can_not_be_analysed() {
    assert_eq!(analyse("f(", &Options::default()).unwrap_err().code(), "SOURCE_SYNTAX");
}
