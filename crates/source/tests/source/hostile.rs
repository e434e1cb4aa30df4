//! Texts made to break a parser: each is answered, in bounded memory, on the small stack of a worker thread.

use intermission_source::{Options, analyse, prepare};

const REPEATS: usize = 100_000;

/// Openings, what stands in the middle, and closings.
const NESTS: [(&str, &str, &str); 60] = [
    ("(", "1", ")"),
    ("(", "", ""),
    ("[", "1", "]"),
    ("[", "", ""),
    ("{", "", "}"),
    ("{", "", ""),
    ("({a:", "1", "})"),
    ("({a=", "1", "})"),
    ("`${", "1", "}`"),
    ("`", "", ""),
    ("-", "1", ""),
    ("!", "1", ""),
    ("~ ", "1", ""),
    ("typeof ", "x", ""),
    ("await ", "x", ""),
    ("new ", "x", ""),
    ("a?b:", "1", ""),
    ("a?", "1", ":b"),
    ("a=>", "1", ""),
    ("(a)=>", "1", ""),
    ("(a=", "1", ")=>1"),
    ("async a=>", "1", ""),
    ("async (", "x", ")"),
    ("a?async(b=", "c", ")"),
    ("a?(b):", "c", ""),
    ("if(1)", "x", ""),
    ("if(1);else ", "x", ""),
    ("while(1)", "x", ""),
    ("do ", "x", " while(1)"),
    ("l:", "x", ""),
    ("a=", "1", ""),
    ("a+", "a", ""),
    ("a**", "a", ""),
    ("a,", "a", ""),
    ("a", "", ".b"),
    ("a", "", "()"),
    ("a", "", "[0]"),
    ("a", "", "`b`"),
    ("f(", "1", ")"),
    ("A<", "", ""),
    ("x as A<", "B", ">"),
    ("x as ", "T", ""),
    ("x!", "", ""),
    ("<T>", "x", ""),
    ("let x:A|", "B", ""),
    ("let x:(a:", "B", ")=>C"),
    ("type X=A extends B?C:", "D", ""),
    ("type X={a:", "B", "}"),
    ("a<b,", "c", ">"),
    ("<a>", "", "</a>"),
    ("@", "x", " class A {}"),
    ("@a class A{@b m(){", "x", "}}"),
    ("class A{constructor(private a=", "1", "){}}"),
    ("namespace N{", "x", "}"),
    ("enum E{A=", "1", "}"),
    ("function f(){", "x", "}"),
    ("let [", "a", "]=1"),
    ("try{", "", "}catch{}"),
    ("switch(1){case 1:", "", "}"),
    ("/*", "", ""),
];

#[test]
fn no_nest_overflows_a_small_stack() {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        for (open, middle, close) in NESTS {
            let text = format!("{}{middle}{}", open.repeat(REPEATS), close.repeat(REPEATS));
            for limit in [usize::MAX, 256 << 10] {
                answer(&text[..text.len().min(limit)], usize::MAX);
            }
            // As deep as may be, and closed in order, so that its tree is walked.
            answer(&format!("{}{middle}{}", open.repeat(490), close.repeat(490)), usize::MAX);
        }
    });
    worker.expect("a thread").join().expect("every text is answered");
}

#[test]
fn ten_megabytes_of_brackets_are_refused_at_once() {
    let text = "[".repeat(10 << 20);
    assert_eq!(answer(&text, usize::MAX), Some("SOURCE_TOO_LARGE"));
    assert_eq!(answer(&text[..1 << 20], usize::MAX), Some("SOURCE_TOO_DEEP"));
}

#[test]
fn what_nests_without_brackets_is_parsed_to_its_end() {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        for (open, middle) in
            [("- ", "1"), ("a=>", "1"), ("a=", "1"), ("a?b:", "1"), ("a+", "a"), ("if(1);else ", "x")]
        {
            assert_eq!(answer(&format!("{}{middle}", open.repeat(20_000)), 1 << 20), None, "{open}");
        }
        assert_eq!(answer(&format!("x{}", ".b".repeat(REPEATS)), 1 << 20), None);
        assert_eq!(answer(&format!("x{}", " as T".repeat(REPEATS)), 1 << 20), None);
    });
    worker.expect("a thread").join().expect("every text is answered");
}

/// What makes a careless reader take what follows for the inside of a string, a template or a comment.
const BLINDS: [&str; 10] = [
    "/`/;",
    "/[/*]/;",
    "x = a\n/`/;",
    "let a\n/`/;",
    "{}/`/;",
    "// \r",
    "// \u{2028}",
    "'\\\r\n';",
    "<!-- `\n",
    "It's ` so:\n```js\n",
];

#[test]
fn no_text_hides_how_it_nests() {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        for blind in BLINDS {
            for nest in ["({a:".repeat(60_000), "w<(a=".repeat(60)] {
                assert_eq!(
                    answer(&format!("{blind}{nest}"), usize::MAX),
                    Some("SOURCE_TOO_DEEP"),
                    "{blind:?}"
                );
            }
        }
    });
    worker.expect("a thread").join().expect("every text is answered");
}

#[test]
fn what_would_be_read_again_and_again_is_refused() {
    for (nest, middle) in [
        ("w<(a=", "1"),
        ("w<(a=new A<", "1"),
        ("(a=new A<", "1"),
        ("a?(b):c=>await ", "1"),
        ("a?a?(b):c=>", "1"),
    ] {
        let text = format!("{}{middle}", nest.repeat((30 << 10) / nest.len()));
        assert_eq!(answer(&text, usize::MAX), Some("SOURCE_TOO_DEEP"), "{nest}");
    }
}

/// Prepares and analyses; the code of the error, if there is one.
fn answer(text: &str, max_bytes: usize) -> Option<&'static str> {
    let options = Options { max_bytes, ..Options::default() };
    _ = analyse(text, &options);
    prepare(text, &options).err().map(|error| error.code())
}
