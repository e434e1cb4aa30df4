//! `intermission run --report`.

use crate::folder::Folder;
use insta::assert_snapshot;

/// A report without what differs from run to run.
fn report(script: &str, arguments: &[&str]) -> String {
    let folder = Folder::with(&[("a.ts", script)]);
    let told = folder.run(&[&["run", "a.ts", "--report"], arguments].concat());
    let (head, json) = told.split_once("--- stdout\n").unwrap();
    let (json, tail) = json.split_once("--- stderr\n").unwrap_or((json, ""));
    let mut report: serde_json::Value = serde_json::from_str(json).unwrap();
    assert!(report["run_id"].as_str().unwrap().starts_with("run_"));
    report["run_id"] = "[id]".into();
    for amount in report["stats"].as_object_mut().unwrap().values_mut() {
        assert!(amount.is_number());
        *amount = "[number]".into();
    }
    format!("{head}{report:#}\n--- stderr\n{tail}")
}

#[test]
fn a_report_has_everything_there_is_to_say() {
    let script = "console.info('hi');\ndata.done = true;\nreturn new Set([1])";
    assert_snapshot!(report(script, &["--data", "{}"]), @r#"
    exit 0
    {
      "run_id": "[id]",
      "completed": true,
      "value": [
        1
      ],
      "error": null,
      "data": {
        "done": true
      },
      "data_error": null,
      "console": [
        {
          "method": "info",
          "text": "hi"
        }
      ],
      "interruptions": [],
      "wake_at": null,
      "continuation": null,
      "abandoned": [],
      "detached": [],
      "unhandled": [],
      "stats": {
        "cpu_ms": "[number]",
        "wall_ms": "[number]",
        "waited_ms": "[number]",
        "fuel": "[number]",
        "memory_bytes": "[number]",
        "calls": "[number]"
      }
    }
    --- stderr
    hi
    "#);
}

#[test]
fn a_report_of_a_failed_run_has_the_error() {
    assert_snapshot!(report("throw Object.assign(new Error('no'), { code: 'E7' })", &[]), @r#"
    exit 1
    {
      "run_id": "[id]",
      "completed": false,
      "value": null,
      "error": {
        "name": "Error",
        "message": "no",
        "error_code": "E7",
        "stack": [
          {
            "function": null,
            "file": "a.ts",
            "line": 1,
            "column": 25
          }
        ],
        "cause": null,
        "errors": [],
        "code": "SCRIPT_ERROR"
      },
      "data": null,
      "data_error": null,
      "console": [],
      "interruptions": [],
      "wake_at": null,
      "continuation": null,
      "abandoned": [],
      "detached": [],
      "unhandled": [],
      "stats": {
        "cpu_ms": "[number]",
        "wall_ms": "[number]",
        "waited_ms": "[number]",
        "fuel": "[number]",
        "memory_bytes": "[number]",
        "calls": "[number]"
      }
    }
    --- stderr
    error[SCRIPT_ERROR]: Error: no
     --> a.ts:1:25
      |
    1 | throw Object.assign(new Error('no'), { code: 'E7' })
      |                         ^^^^^
    "#);
}
