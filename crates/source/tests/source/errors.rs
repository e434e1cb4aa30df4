//! What is wrong, where, and what to do.

use intermission_source::{Options, Position, SourceError, prepare, prepare_bytes};

use crate::refused;

fn at(line: u32, column: u32) -> Position {
    Position { line, column }
}

#[test]
fn a_syntax_error_shows_its_line() {
    let error = refused("const a = 1;\nconst b = ;");
    assert_eq!(error.code(), "SOURCE_SYNTAX");
    assert_eq!(
        error.to_string(),
        "Unexpected token (line 2, column 11)\n  |\n2 | const b = ;\n  |           ^"
    );
}

#[test]
fn of_two_readings_the_one_that_gets_further_complains() {
    assert_eq!(refused("let a: number = 1;\nlet b = ;").position(), Some(at(2, 9)));
    assert_eq!(refused("let a = ;\nlet b: number = 1").position(), Some(at(1, 9)));
}

#[test]
fn a_text_that_ends_too_early_says_so() {
    let error = refused("f(1, [2");
    let SourceError::Syntax(complaint) = &error else { panic!("{error}") };
    assert_eq!(
        complaint.hint.as_deref(),
        Some("the text ends too early: a bracket, a quote or a statement is still open")
    );
    assert_eq!(complaint.position, Position { line: 1, column: 8 });
}

#[test]
fn known_mistakes_get_a_hint() {
    let hint = |text| match refused(text) {
        SourceError::Syntax(complaint) => complaint.hint.unwrap_or_default(),
        other => panic!("{other}"),
    };
    assert_eq!(hint("return \u{201c}a\u{201d}"), "this is a typographic quote: strings stand in ' or \"");
    assert_eq!(hint("return <p>hello</p>"), "JSX is not understood: call functions instead");
    assert_eq!(
        hint("function f() { await g() }"),
        "`await` is allowed at the top level and in `async` functions: make this function `async`"
    );
}

#[test]
fn a_place_in_a_fence_is_a_place_in_the_whole_text() {
    assert_eq!(refused("Here:\n```js\nlet a = ;\n```").position(), Some(at(3, 9)));
}

#[test]
fn a_text_that_is_too_long_says_how_long() {
    let error = prepare("return 12", &Options { max_bytes: 8, ..Options::default() }).unwrap_err();
    assert_eq!(error, SourceError::TooLarge { bytes: 9, limit: 8 });
    assert_eq!(error.to_string(), "the source has 9 bytes; at most 8 are allowed");
    assert_eq!((error.code(), error.position()), ("SOURCE_TOO_LARGE", None));
}

#[test]
fn no_caller_may_allow_more_than_a_mebibyte() {
    let text = " ".repeat((1 << 20) + 1);
    let error = prepare(&text, &Options { max_bytes: usize::MAX, ..Options::default() }).unwrap_err();
    assert_eq!(error, SourceError::TooLarge { bytes: 1_048_577, limit: 1_048_576 });
}

#[test]
fn bytes_that_are_no_utf8_are_told_with_their_place() {
    let error = prepare_bytes(b"a\n\xc3\xa9b\xff", &Options::default()).unwrap_err();
    assert_eq!(error, SourceError::NotUtf8 { offset: 5, position: Position { line: 2, column: 3 } });
    assert_eq!(
        error.to_string(),
        "the source is not UTF-8: the byte at offset 5 (line 2, column 3) begins no character"
    );
    assert_eq!(prepare_bytes("'é'".as_bytes(), &Options::default()), prepare("'é'", &Options::default()));
}

#[test]
fn every_error_has_a_code() {
    let code = |text: &str| refused(text).code();
    assert_eq!(code("let a b"), "SOURCE_SYNTAX");
    assert_eq!(code("export = 1"), "SOURCE_UNSUPPORTED");
    assert_eq!(code("```\n```\n```\n```"), "SOURCE_MANY_FENCES");
    assert_eq!(code(&"[".repeat(2_000)), "SOURCE_TOO_DEEP");
}
