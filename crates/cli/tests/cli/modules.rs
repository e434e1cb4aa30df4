//! Scripts that import.

use crate::folder::Folder;
use insta::assert_snapshot;

#[test]
fn modules_come_from_a_folder() {
    let folder = Folder::with(&[
        ("lib/main.ts", "import { double } from './math/double.ts';\nexport default double(21);"),
        (
            "lib/math/double.ts",
            "import { two } from '../two.js';\nexport const double = (n: number) => n * two;",
        ),
        ("lib/two.js", "export const two = 2;"),
    ]);
    assert_snapshot!(folder.run(&["run", "lib/main.ts", "--modules", "lib"]), @r#"
    exit 0
    --- stdout
    42
    "#);
}

#[test]
fn a_module_says_where_it_fails() {
    let folder = Folder::with(&[
        ("main.ts", "import { f } from './f.ts';\nexport default f();"),
        ("lib/f.ts", "export function f(): never {\n  throw new RangeError('out');\n}"),
    ]);
    assert_snapshot!(folder.run(&["run", "main.ts", "--modules", "lib"]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: RangeError: out
     --> lib/f.ts:2:13
      |
    2 |   throw new RangeError('out');
      |             ^^^^^^^^^^
      |
      = note: stack:
                  at f (f.ts:2:13)
                  at main.ts:2:16
    "#);
}

#[test]
fn nothing_outside_of_the_folder_of_modules_can_be_imported() {
    let folder = Folder::with(&[
        ("secret.js", "export default 1"),
        ("lib/a.js", "export default 1"),
        ("lib/util.ts", ""),
    ]);
    std::os::unix::fs::symlink(folder.path("secret.js"), folder.path("lib/link.js")).unwrap();
    let outside = folder.path("secret.js");
    let import = |specifier: &str| {
        let script = format!("import a from '{specifier}'; export default a");
        folder.run_with_input(&["run", "-", "--modules", "lib"], script.as_bytes())
    };
    assert_snapshot!(import(outside.to_str().unwrap()), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: the module `[folder]/secret.js` lies outside of the folder of modules
    "#);
    assert_snapshot!(import("./link.js"), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: the module `link.js` lies outside of the folder of modules
    "#);
    assert_snapshot!(import("../secret.js"), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: there is no module `secret.js` in the folder of modules
    "#);
    assert_snapshot!(import("./util"), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: there is no module `util` in the folder of modules; there is `util.ts`
    "#);
}

#[test]
fn without_a_folder_there_are_no_modules() {
    let folder =
        Folder::with(&[("a.ts", "import a from './a.js'; export default a"), ("a.js", "export default 1")]);
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 1
    --- stderr
    error[SCRIPT_ERROR]: Error: there are no modules here: `a.js` cannot be imported
    "#);
}
