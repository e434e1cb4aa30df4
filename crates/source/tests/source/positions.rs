//! Each place in a prepared text leads back to the author's.

use intermission_source::{Options, Position, SourceKind, prepare};

use crate::prepared;

/// Every `«name»`-like marker word of the author's text that is still in the prepared one leads back to its
/// place.
fn marks_lead_back(text: &str, kind: SourceKind) {
    let prepared = prepare(text, &Options { kind, ..Options::default() }).expect(text);
    let marks: Vec<String> =
        (0..20).map(|number| format!("mark{number}_")).filter(|mark| text.contains(mark.as_str())).collect();
    assert!(!marks.is_empty());
    for mark in marks {
        let from = prepared.text.find(&mark).unwrap_or_else(|| panic!("{mark} is gone: {}", prepared.text));
        let Position { line, column } = place(&prepared.text, from);
        let expected = place(text, text.find(&mark).expect("a mark of the text"));
        assert_eq!(prepared.map.original(line, column), expected, "{mark} in\n{}", prepared.text);
    }
}

fn place(text: &str, offset: usize) -> Position {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Position {
        line: before.matches('\n').count() as u32 + 1,
        column: before[line_start..].encode_utf16().count() as u32 + 1,
    }
}

#[test]
fn places_lead_back_from_every_rewritten_construct() {
    for text in [
        "mark0_ as A; mark1_",
        "'😀', mark0_; let a: A = mark1_\nmark2_",
        "enum A { X = mark0_, Y =\n mark1_, Z = 'é' + mark2_ } mark3_()",
        "namespace N { export const a = mark0_; export let b = mark1_; mark2_ } mark3_",
        "namespace A.B { mark0_ }\nmark1_",
        "class A { constructor(private a = mark0_) { mark1_ } b = mark2_ } mark3_",
        "class A extends B { constructor(private a) { mark0_; super(mark1_); mark2_ } }\nmark3_",
        "import a = B.C; mark0_(a)",
        "@d(mark0_) class A { @e(mark1_)\n@f(mark2_) m() { mark3_ } @g h = mark4_; accessor i = mark5_; j() { mark6_ } } mark7_",
        "return () => { return <\nA>mark0_ }; mark1_",
        "const f = <\nT>(a = mark0_): B<\nC> => mark1_; mark2_",
        "async () => mark0_",
        "// c\nfunction (a) { mark0_ }",
        "export default async function () { mark0_ }\nmark1_",
        "export default mark0_",
        "function main() { mark0_ }",
        "text\n\n```ts\nlet a: A = mark0_\n   mark1_\n```\n",
        "\u{feff}mark0_",
    ] {
        marks_lead_back(text.trim_start_matches('\u{feff}'), SourceKind::Auto);
    }
    marks_lead_back("import a from 'a'; mark0_(a); mark1_", SourceKind::Auto);
    marks_lead_back("export enum A { X = mark0_ } export default mark1_; mark2_", SourceKind::Auto);
    marks_lead_back("export default @d class { @e a = mark0_ }\nmark1_", SourceKind::Imported);
}

#[test]
fn a_place_in_inserted_code_leads_to_where_it_was_put_in() {
    let prepared = prepared("let a = 1\na");
    assert_eq!(prepared.text, "let a = 1\nreturn a");
    for column in 1..=8 {
        assert_eq!(prepared.map.original(2, column), Position { line: 2, column: 1 });
    }
    assert_eq!(prepared.map.original(2, 9), Position { line: 2, column: 2 });
}

#[test]
fn a_place_in_a_line_behind_the_text_leads_to_its_end() {
    let prepared = prepared("function main() {}");
    assert_eq!(prepared.text, "function main() {}\nreturn main(input);");
    assert_eq!(prepared.map.original(2, 8), Position { line: 1, column: 19 });
}

#[test]
fn columns_in_bytes_can_be_led_back_too() {
    let prepared = prepared("let a = '字';\n'字😀', a");
    assert_eq!(prepared.text, "let a = '字';\nreturn '字😀', a");
    assert_eq!(prepared.original_of_bytes(2, 19), Position { line: 2, column: 8 });
    assert_eq!(prepared.original_of_bytes(0, 5), Position::START);
    assert_eq!(prepared.original_of_bytes(9, 5).line, 9);
}

#[test]
fn a_mark_at_the_begin_counts_no_column() {
    assert_eq!(prepared("\u{feff}return a").map.original(1, 8), Position { line: 1, column: 8 });
}
