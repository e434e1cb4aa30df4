//! Everything that a person can get wrong: each answer says what, where, and what to do.

use crate::folder::Folder;
use insta::assert_snapshot;

#[test]
fn a_missing_script_is_named() {
    assert_snapshot!(Folder::with(&[]).run(&["run", "no.ts"]), @r#"
    exit 2
    --- stderr
    error[FILE_UNREADABLE]: cannot read no.ts: No such file or directory (os error 2)
    "#);
}

#[test]
fn a_folder_is_no_script() {
    assert_snapshot!(Folder::with(&[("d/a.js", "")]).run(&["run", "d"]), @r#"
    exit 2
    --- stderr
    error[FILE_UNREADABLE]: cannot read d: Is a directory (os error 21)
    "#);
}

#[test]
fn a_script_that_is_not_utf8_is_refused_with_the_place() {
    let folder = Folder::with(&[]);
    folder.write("a.js", b"const a = 1;\nconst b = '\xff';");
    assert_snapshot!(folder.run(&["run", "a.js"]), @r#"
    exit 3
    --- stderr
    error[SOURCE_NOT_UTF8]: the source is not UTF-8: the byte at offset 24 (line 2, column 12) begins no character
     --> a.js:2:12
      |
    2 | const b = '�';
      |            ^
      |
      = help: save the script as UTF-8
    "#);
    assert_snapshot!(folder.run(&["check", "a.js"]), @r#"
    exit 1
    --- stderr
    error[SOURCE_NOT_UTF8]: the source is not UTF-8: the byte at offset 24 (line 2, column 12) begins no character
     --> a.js:2:12
      |
    2 | const b = '�';
      |            ^
      |
      = help: save the script as UTF-8
    "#);
}

#[test]
fn ten_megabytes_of_brackets_are_a_limit() {
    let folder = Folder::with(&[]);
    folder.write("a.js", &b"(".repeat(10 << 20));
    assert_snapshot!(folder.run(&["run", "a.js"]), @r#"
    exit 4
    --- stderr
    error[LIMIT_SOURCE]: the limit `source` is exhausted: 10485760 of 262144 bytes
     |
     = help: allow more with `--limit source=...`
    "#);
    assert_snapshot!(folder.run(&["run", "a.js", "--limit", "source=100MB"]), @r#"
    exit 3
    --- stderr
    error[SOURCE_TOO_LARGE]: the source has 10485760 bytes; at most 1048576 are allowed
    "#);
    assert_snapshot!(folder.run(&["check", "a.js"]), @r#"
    exit 1
    --- stderr
    error[SOURCE_TOO_LARGE]: the source has 10485760 bytes; at most 262144 are allowed
    "#);
}

#[test]
fn deep_nesting_is_no_script() {
    let folder = Folder::with(&[]);
    folder.write("a.js", &b"[".repeat(100_000));
    assert_snapshot!(folder.run(&["run", "a.js"]), @r#"
    exit 3
    --- stderr
    error[SOURCE_TOO_DEEP]: brackets nest deeper than 1000
     --> a.js:1:1001
      |
    1 | ...[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[...
      |                                                                    ^
      |
      = help: put the inner parts into variables or functions of their own
    "#);
}

#[test]
fn input_that_is_not_json_is_refused_with_the_place() {
    let folder = Folder::with(&[("a.js", ""), ("in.json", "{\n  'a': 1\n}")]);
    assert_snapshot!(folder.run(&["run", "a.js", "--input", "{a: 1}"]), @r#"
    exit 2
    --- stderr
    error[NOT_JSON]: the value of --input is not JSON: key must be a string at line 1 column 2
     |
     = help: JSON has double quotes, around keys too: {"name": "x"}; a file is `@file`
    "#);
    assert_snapshot!(folder.run(&["run", "a.js", "--data", "@in.json"]), @r#"
    exit 2
    --- stderr
    error[NOT_JSON]: in.json is not JSON: key must be a string at line 2 column 3
     |
     = help: JSON has double quotes, around keys too: {"name": "x"}; a file is `@file`
    "#);
    assert_snapshot!(folder.run(&["run", "a.js", "--input", "@no.json"]), @r#"
    exit 2
    --- stderr
    error[FILE_UNREADABLE]: cannot read no.json: No such file or directory (os error 2)
    "#);
    assert_snapshot!(folder.run_with_input(&["run", "a.js", "--input", "@-"], b""), @r#"
    exit 2
    --- stderr
    error[NOT_JSON]: the standard input is not JSON: EOF while parsing a value at line 1 column 0
     |
     = help: JSON has double quotes, around keys too: {"name": "x"}; a file is `@file`
    "#);
}

#[test]
fn the_standard_input_is_read_only_once() {
    assert_snapshot!(Folder::with(&[]).run(&["run", "-", "--input", "@-"]), @r#"
    exit 2
    --- stderr
    error[INPUT_TWICE]: the standard input can be read only once, and two arguments ask for it
    "#);
}

#[test]
fn wrong_options_say_what_is_right() {
    let folder = Folder::with(&[("a.js", "")]);
    assert_snapshot!(folder.run(&["run", "a.js", "--deadline", "10"]), @r#"
    exit 2
    --- stderr
    error: invalid value '10' for '--deadline <TIME>': the limit `deadline` cannot be `10`: use a number and a unit: `500ms`, `10s`, `2m`

    For more information, try '--help'.
    "#);
    assert_snapshot!(folder.run(&["run", "a.js", "--limit", "call=10"]), @r#"
    exit 2
    --- stderr
    error: invalid value 'call=10' for '--limit <NAME=VALUE>': there is no limit `call`: did you mean `calls`?

    For more information, try '--help'.
    "#);
    assert_snapshot!(folder.run(&["run", "a.js", "--limit", "memory=1"]), @r#"
    exit 2
    --- stderr
    error[ENGINE]: the limit `memory` must be 4194304 to 4294967296 bytes, not 1
    "#);
    assert_snapshot!(folder.run(&["run", "a.js", "--modules", "no"]), @r#"
    exit 2
    --- stderr
    error[MODULES_FOLDER]: no is no folder of modules: No such file or directory (os error 2)
    "#);
    assert_snapshot!(folder.run(&["run"]), @r#"
    exit 2
    --- stderr
    error: the following required arguments were not provided:
      <SCRIPT>

    Usage: intermission run <SCRIPT>

    For more information, try '--help'.
    "#);
}
