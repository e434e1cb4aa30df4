//! Everything that can be wrong with a configuration: each answer says what, where, and what to do.

use crate::folder::Folder;
use insta::assert_snapshot;

#[test]
fn a_missing_configuration_is_named() {
    let folder = Folder::with(&[("a.js", "")]);
    assert_snapshot!(folder.run(&["run", "a.js", "--config", "no.toml"]), @r#"
    exit 2
    --- stderr
    error[FILE_UNREADABLE]: cannot read no.toml: No such file or directory (os error 2)
    "#);
}

fn with_config(config: &str) -> String {
    Folder::with(&[("intermission.toml", config)]).run(&["types"])
}

#[test]
fn a_configuration_that_is_not_toml_is_refused_with_the_place() {
    assert_snapshot!(with_config("[limits\ndeadline = 1"), @r#"
    exit 2
    --- stderr
    error[CONFIG_TOML]: unclosed table, expected `]`
     --> intermission.toml:1:8
      |
    1 | [limits
      |        ^
    "#);
    let folder = Folder::with(&[]);
    folder.write("intermission.toml", b"strict = true\nprofile = \"\xff\"");
    assert_snapshot!(folder.run(&["types"]), @r#"
    exit 2
    --- stderr
    error[CONFIG_TOML]: the configuration is not UTF-8
     --> intermission.toml:2:12
      |
    2 | profile = "�"
      |            ^
    "#);
}

#[test]
fn unknown_keys_say_what_was_probably_meant() {
    assert_snapshot!(with_config("[limit]\ncalls = 1"), @r#"
    exit 2
    --- stderr
    error[CONFIG_UNKNOWN_KEY]: there is no setting `limit`
     --> intermission.toml:1:2
      |
    1 | [limit]
      |  ^^^^^
      |
      = help: did you mean `limits`?
    "#);
    assert_snapshot!(with_config("[limits]\ncals = 1"), @r#"
    exit 2
    --- stderr
    error[CONFIG_UNKNOWN_KEY]: there is no setting `cals` in `limits`
     --> intermission.toml:2:1
      |
    2 | cals = 1
      | ^^^^
      |
      = help: did you mean `calls`?
    "#);
    assert_snapshot!(with_config("[functions.f]\ncomand = [\"true\"]"), @r#"
    exit 2
    --- stderr
    error[CONFIG_UNKNOWN_KEY]: there is no setting `comand` in `functions."f"`
     --> intermission.toml:2:1
      |
    2 | comand = ["true"]
      | ^^^^^^
      |
      = help: did you mean `command`?
    "#);
    assert_snapshot!(with_config("[functions.f]\ncommand = [\"true\"]\nqqq = 1"), @r#"
    exit 2
    --- stderr
    error[CONFIG_UNKNOWN_KEY]: there is no setting `qqq` in `functions."f"`
     --> intermission.toml:3:1
      |
    3 | qqq = 1
      | ^^^
      |
      = help: there are: `command`, `env`, `cwd`, `http`, `description`, `input_schema`, `output_schema`, `effect`, `blocking`, `approval`, `timeout`
    "#);
}

#[test]
fn a_group_without_quotes_is_explained() {
    assert_snapshot!(with_config("[functions.files.read]\ncommand = [\"true\"]"), @r#"
    exit 2
    --- stderr
    error[CONFIG_GROUP]: `files` is a group, not a function
     --> intermission.toml:1:12
      |
    1 | [functions.files.read]
      |            ^^^^^
      |
      = help: a function of a group has its whole name in quotes: [functions."files.read"]
    "#);
}

#[test]
fn values_of_the_wrong_kind_are_refused() {
    assert_snapshot!(with_config("strict = \"yes\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `strict`: invalid type: string "yes", expected a boolean
     --> intermission.toml:1:10
      |
    1 | strict = "yes"
      |          ^^^^^
    "#);
    assert_snapshot!(with_config("profile = \"ful\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `profile`: unknown variant `ful`, expected `full` or `bare`
     --> intermission.toml:1:11
      |
    1 | profile = "ful"
      |           ^^^^^
    "#);
    assert_snapshot!(with_config("limits = 1"), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `limits`: expected a table, found integer
     --> intermission.toml:1:10
      |
    1 | limits = 1
      |          ^
    "#);
    assert_snapshot!(with_config("[limits]\ndeadline = 10"), @r#"
    exit 2
    --- stderr
    error[LIMIT_AMOUNT]: the limit `deadline` cannot be `10`
     --> intermission.toml:2:12
      |
    2 | deadline = 10
      |            ^^
      |
      = help: use a number and a unit: `500ms`, `10s`, `2m`
    "#);
    assert_snapshot!(with_config("[limits]\ndeadline = true"), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `limits.deadline`: expected a number or a text like "10s"
     --> intermission.toml:2:12
      |
    2 | deadline = true
      |            ^^^^
    "#);
    assert_snapshot!(with_config("[functions.f]\ncommand = [\"true\"]\neffect = \"safe\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `functions."f".effect`: unknown variant `safe`, expected one of `pure`, `idempotent`, `unsafe`
     --> intermission.toml:3:10
      |
    3 | effect = "safe"
      |          ^^^^^^
    "#);
    assert_snapshot!(with_config("[functions.f]\ncommand = [\"true\"]\ntimeout = \"soon\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `functions."f".timeout`: expected number at 0: use `500ms`, `10s`, `2m`
     --> intermission.toml:3:11
      |
    3 | timeout = "soon"
      |           ^^^^^^
    "#);
    assert_snapshot!(with_config("[functions.f]\ncommand = \"true\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `functions."f".command`: invalid type: string "true", expected a sequence
     --> intermission.toml:2:11
      |
    2 | command = "true"
      |           ^^^^^^
    "#);
    assert_snapshot!(with_config("[functions.f]\ncommand = []"), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `functions."f".command`: expected a program and its arguments, found nothing
     --> intermission.toml:2:11
      |
    2 | command = []
      |           ^^
    "#);
}

#[test]
fn a_function_is_answered_by_one_thing() {
    assert_snapshot!(with_config("[functions.f]\ndescription = \"f\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_ANSWER]: `f` has nobody to answer it
     --> intermission.toml:1:12
      |
    1 | [functions.f]
      |            ^
      |
      = help: say `command = ["./program"]` or `http = { url = "..." }`, one of them
    "#);
    assert_snapshot!(with_config("[functions.f]\ncommand = [\"true\"]\nhttp = { url = \"http://x\" }"), @r#"
    exit 2
    --- stderr
    error[CONFIG_ANSWER]: `f` has both a command and an http answer
     --> intermission.toml:1:12
      |
    1 | [functions.f]
      |            ^
      |
      = help: say `command = ["./program"]` or `http = { url = "..." }`, one of them
    "#);
}

#[test]
fn files_that_a_configuration_names_must_be_there() {
    assert_snapshot!(with_config("[functions.f]\ncommand = [\"./no.py\"]"), @r#"
    exit 2
    --- stderr
    error[CONFIG_FILE]: `functions."f".command`: cannot read [folder]/no.py: No such file or directory (os error 2)
     --> intermission.toml:2:11
      |
    2 | command = ["./no.py"]
      |           ^^^^^^^^^^^
      |
      = help: paths are relative to the folder of the configuration
    "#);
    assert_snapshot!(with_config("[functions.f]\ncommand = [\"true\"]\ninput_schema = \"no.json\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_FILE]: `functions."f".input_schema`: cannot read [folder]/no.json: No such file or directory (os error 2)
     --> intermission.toml:3:16
      |
    3 | input_schema = "no.json"
      |                ^^^^^^^^^
      |
      = help: paths are relative to the folder of the configuration
    "#);
}

#[test]
fn schemas_and_names_are_checked() {
    assert_snapshot!(with_config("[functions.f]\ncommand = [\"true\"]\ninput_schema = { type = \"text\" }"), @r#"
    exit 2
    --- stderr
    error[HOST_FUNCTION_SCHEMA]: the input schema of `f` is no JSON Schema: "text" is not valid under any of the schemas listed in the 'anyOf' keyword
     --> intermission.toml:1:12
      |
    1 | [functions.f]
      |            ^
    "#);
    assert_snapshot!(with_config("[functions.\"a.b.c\"]\ncommand = [\"true\"]"), @r#"
    exit 2
    --- stderr
    error[HOST_FUNCTION_NAME]: `a.b.c` is no name for a host function: use `name` or `group.name`, of letters, digits, `_` and `$`
     --> intermission.toml:1:12
      |
    1 | [functions."a.b.c"]
      |            ^^^^^^^
    "#);
    assert_snapshot!(with_config("[functions.\"Math.max\"]\ncommand = [\"true\"]"), @r#"
    exit 2
    --- stderr
    error[HOST_FUNCTION_RESERVED]: `Math` is a word of the language, or would hide a global: choose another name
     --> intermission.toml:1:12
      |
    1 | [functions."Math.max"]
      |            ^^^^^^^^^^
    "#);
}

#[test]
fn services_need_a_url_and_their_variables() {
    assert_snapshot!(with_config("[functions.f]\nhttp = { method = \"POST\" }"), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `functions."f".http.url`: expected a URL, found nothing
     --> intermission.toml:1:12
      |
    1 | [functions.f]
      |            ^
    "#);
    assert_snapshot!(with_config("[functions.f]\nhttp = { url = \"localhost:80\" }"), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `functions."f".http.url`: `localhost:80` is no URL of a service: it begins with `http://` or `https://` and a host
     --> intermission.toml:2:16
      |
    2 | http = { url = "localhost:80" }
      |                ^^^^^^^^^^^^^^
    "#);
    let config = "[functions.f.http]\nurl = \"http://x\"\nheaders = { a = \"$NO_SUCH_VARIABLE\" }";
    let folder = Folder::with(&[("intermission.toml", config), ("a.js", "")]);
    assert_snapshot!(folder.run(&["check", "a.js"]), @"exit 0");
    assert_snapshot!(folder.run(&["run", "a.js"]), @r#"
    exit 2
    --- stderr
    error[CONFIG_VARIABLE]: `functions."f".http.headers.a`: the environment has no variable NO_SUCH_VARIABLE
     --> intermission.toml:3:17
      |
    3 | headers = { a = "$NO_SUCH_VARIABLE" }
      |                 ^^^^^^^^^^^^^^^^^^^
      |
      = help: set NO_SUCH_VARIABLE before the run
    "#);
    assert_snapshot!(with_config("[functions.f.http]\nurl = \"http://x\"\nmethod = \"post\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `functions."f".http.method`: unknown variant `post`, expected one of `POST`, `PUT`, `PATCH`, `GET`, `DELETE`
     --> intermission.toml:3:10
      |
    3 | method = "post"
      |          ^^^^^^
    "#);
}
