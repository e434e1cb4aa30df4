//! `intermission run`: values, reports, console, exit codes.

use crate::folder::Folder;
use crate::names::anonymous;
use insta::assert_snapshot;

fn run(script: &str, arguments: &[&str]) -> String {
    let folder = Folder::with(&[("a.ts", script)]);
    anonymous(&folder.run(&[&["run", "a.ts"], arguments].concat()))
}

#[test]
fn the_value_is_printed_as_json() {
    assert_snapshot!(run("return { n: 1 + 1, list: [undefined, 10n, new Map([['a', 1]])] }", &[]), @r#"
    exit 0
    --- stdout
    {
      "n": 2,
      "list": [
        null,
        "10",
        [
          [
            "a",
            1
          ]
        ]
      ]
    }
    "#);
}

#[test]
fn an_empty_script_completes_with_undefined_which_json_calls_null() {
    assert_snapshot!(run("", &[]), @r#"
    exit 0
    --- stdout
    null
    "#);
}

#[test]
fn typescript_is_understood() {
    assert_snapshot!(run("enum E { A = 'a' }\nconst e: E = E.A;\ne", &[]), @r#"
    exit 0
    --- stdout
    "a"
    "#);
}

#[test]
fn a_string_is_printed_bare_on_demand() {
    assert_snapshot!(run("return 'two\\nlines'", &["--raw"]), @r#"
    exit 0
    --- stdout
    two
    lines
    "#);
    assert_snapshot!(run("return 'two\\nlines'", &[]), @r#"
    exit 0
    --- stdout
    "two\nlines"
    "#);
}

#[test]
fn input_and_data_are_given_as_json() {
    let script = "data.seen = input.n; return [input, data]";
    assert_snapshot!(run(script, &["--input", r#"{"n": 7}"#, "--data", "{}"]), @r#"
    exit 0
    --- stdout
    [
      {
        "n": 7
      },
      {
        "seen": 7
      }
    ]
    "#);
}

#[test]
fn input_comes_from_a_file_or_the_standard_input() {
    let folder = Folder::with(&[("a.js", "return input"), ("in.json", "[1]")]);
    assert_snapshot!(folder.run(&["run", "a.js", "--input", "@in.json"]), @r#"
    exit 0
    --- stdout
    [
      1
    ]
    "#);
    assert_snapshot!(folder.run_with_input(&["run", "a.js", "--input", "@-"], b"[2]"), @r#"
    exit 0
    --- stdout
    [
      2
    ]
    "#);
}

#[test]
fn a_script_comes_from_the_standard_input() {
    assert_snapshot!(Folder::with(&[]).run_with_input(&["run", "-"], b"throw new Error('no')"), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: no
     --> <stdin>:1:11
      |
    1 | throw new Error('no')
      |           ^^^^^
    "#);
}

#[test]
fn the_console_goes_to_the_standard_error_and_cannot_drive_the_terminal() {
    assert_snapshot!(run("console.log('a', { b: 1 }); console.warn('\\u001b[31mred'); 1", &[]), @r#"
    exit 0
    --- stdout
    1
    --- stderr
    a { b: 1 }
    \u{1b}[31mred
    "#);
}

#[test]
fn an_error_has_its_place_its_stack_and_its_cause() {
    let script = "function total(rows: any[]): number {\n  return rows.reduce((sum, row) => sum + row.price.amount, 0);\n}\n\ntry {\n  total([{}]);\n} catch (cause) {\n  throw new Error('no total', { cause });\n}\n";
    assert_snapshot!(run(script, &[]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: no total
     --> a.ts:8:13
      |
    8 |   throw new Error('no total', { cause });
      |             ^^^^^
      |
      = note: caused by TypeError: cannot read property 'amount' of undefined (a.ts:2:42)
    "#);
}

#[test]
fn what_is_thrown_need_not_be_an_error() {
    assert_snapshot!(run("throw { code: 7 }", &[]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: the script threw {code: 7}
    "#);
}

#[test]
fn a_rejection_that_nothing_handles_is_a_warning() {
    assert_snapshot!(run("Promise.reject(new TypeError('lost'));\nawait null;\nreturn 1", &[]), @r#"
    exit 0
    --- stdout
    1
    --- stderr
    warning[UNHANDLED_REJECTION]: nothing handled this rejection: TypeError: lost
     --> a.ts:1:20
      |
    1 | Promise.reject(new TypeError('lost'));
      |                    ^^^^^^^^^
    "#);
}

#[test]
fn a_value_that_contains_itself_is_no_json() {
    assert_snapshot!(run("const a = []; a.push(a); return a", &[]), @r#"
    exit 1
    --- stderr
    error[VALUE_NOT_JSON]: the value cannot be written as JSON: the value contains itself at [0]
     |
     = help: return plain data: no object may contain itself
    "#);
}

#[test]
fn a_syntax_error_is_its_own_exit_code() {
    assert_snapshot!(run("const a = 1;\nconst b = ;\n", &[]), @r#"
    exit 3
    --- stderr
    error[SOURCE_SYNTAX]: Unexpected token
     --> a.ts:2:11
      |
    2 | const b = ;
      |           ^
    "#);
}

#[test]
fn a_limit_is_its_own_exit_code() {
    assert_snapshot!(run("for (;;);", &["--fuel", "1000"]), @r#"
    exit 4
    --- stderr
    error[LIMIT_FUEL]: the limit `fuel` is exhausted: 1000 of 1000 jumps and calls
     |
     = help: is there a loop without an end? Else allow more with `--limit fuel=...`
    kept: what happened is in [run 1]; go on with `intermission resume [run 1]`
    "#);
    assert_snapshot!(run("'x'.repeat(1000)", &["--limit", "result=100"]), @r#"
    exit 4
    --- stderr
    error[LIMIT_RESULT]: the limit `result` is exhausted: 101 of 100 bytes
     |
     = help: return less, or allow more with `--limit result=...`
    kept: what happened is in [run 1]; go on with `intermission resume [run 1]`
    "#);
}

#[test]
fn a_script_that_waits_for_nothing_is_its_own_exit_code() {
    assert_snapshot!(run("await new Promise(() => {})", &[]), @r#"
    exit 5
    --- stderr
    error[DEADLOCK]: the script waits for something that can never happen: no host call is under way and no timer is set
    "#);
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let random = |seed| run("Math.random()", &["--seed", seed]);
    assert_eq!(random("1"), random("1"));
    assert_ne!(random("1"), random("2"));
}

#[test]
fn eval_and_profiles_are_settings() {
    assert_snapshot!(run("eval('1 + 1')", &["--allow-eval"]), @r#"
    exit 0
    --- stdout
    2
    "#);
    assert_snapshot!(run("typeof setTimeout", &["--profile", "bare"]), @r#"
    exit 0
    --- stdout
    "undefined"
    "#);
    assert_snapshot!(run("typeof setTimeout", &[]), @r#"
    exit 0
    --- stdout
    "function"
    "#);
}

#[test]
fn help_has_the_exit_codes() {
    assert_snapshot!(Folder::with(&[]).run(&["run", "--help"]), @r#"
    exit 0
    --- stdout
    Runs a script and prints its value as JSON. The run is kept in the store: whatever happens, it can be gone on with

    Usage: intermission run [OPTIONS] <SCRIPT>

    Arguments:
      <SCRIPT>
              A file with JavaScript or TypeScript; `-` is the standard input

    Options:
          --input <JSON|@FILE|@->
              The global `input`: JSON, a file of it (`@file`) or the standard input (`@-`)

          --data <JSON|@FILE|@->
              The global `data`, given as `--input` is. Its final state is part of `--report`

      -c, --config <FILE>
              Host functions, limits and settings. Default: `intermission.toml`, if it is there

          --deadline <TIME>
              Wall-clock time, host functions included: `10s`

          --cpu <TIME>
              Time that the script computes: `5s`

          --fuel <NUMBER>
              Loops and calls of the script: the same number on every machine

          --memory <SIZE>
              Memory of the script: `64MB`

          --limit <NAME=VALUE>
              Any other limit (docs/cli.md): `--limit calls=100`. May be repeated

          --strict
              Fails a script that ends without having waited for its host calls

          --modules <FOLDER>
              A folder whose files the script may import, and nothing outside of it

          --report
              Prints an object instead: the value or the error, the final `data`, the console, what the run used

          --raw
              Prints a value that is a string as it is, without quotes

          --store <FILE>
              The database of runs. Default: `.intermission/runs.db` in the working directory

          --ephemeral
              Keeps the run in this process alone: when it asks, it is put away as a continuation. `--continuation` says so too

          --continuation <FILE|->
              Keeps the run as a continuation, here: a file, or `-` for the standard output. Default: the file that it came from, else `<run id>.imt`

          --unprotected
              Lets a continuation out of its file without a key, and in: whoever sees it can read everything that the run was told, and whoever changes it decides what the run has done

          --no-ask
              Asks nobody, also on a terminal: what the run asks is printed, and it is put away

          --seed <NUMBER>
              The seed of `Math.random` and `crypto`, so that they give the same values again

          --profile <PROFILE>
              Which globals the script has

              Possible values:
              - full: What language models expect
              - bare: ECMAScript and `console`

          --allow-eval
              Lets `eval` and `Function` take strings

      -h, --help
              Print help (see a summary with '-h')

    Exit codes:
        0  completed; `check` and `doctor` found nothing wrong
        1  the script failed; `check` or `doctor` found something
        2  bad usage, configuration or input
        3  the source is no script
        4  a limit is exhausted
        5  the script waits for something that can never happen
        6  the script does not do what its ledger says
       70  a fault of Intermission itself
       75  put away: the run asks, or waits for long
      130  ended by Ctrl-C
      143  ended by SIGTERM
    "#);
}

#[test]
fn data_that_cannot_be_sent_is_a_warning() {
    assert_snapshot!(run("data.f = () => 1;\nreturn 2", &["--data", "{}"]), @r#"
    exit 0
    --- stdout
    2
    --- stderr
    warning[DATA_NOT_SENT]: the final `data` cannot be sent: TypeError: cannot send data.f: a function
    "#);
}
