//! Servers that others have made, from the npm registry, at the versions that `npm/package-lock.json` says.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::folder::Folder;

/// Where they are installed, once for all.
pub(crate) fn installed() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/npm");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-mcp-servers");
    let stamp = target.join("installed");
    // Once, however many tests want it, in one process or in several.
    std::fs::create_dir_all(&target).unwrap();
    let installing = File::create(target.join("lock")).unwrap();
    installing.lock().unwrap();
    let lock = std::fs::read_to_string(folder.join("package-lock.json")).unwrap();
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(target);
    }
    for file in ["package.json", "package-lock.json"] {
        std::fs::copy(folder.join(file), target.join(file)).unwrap();
    }
    let npm = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"])
        .current_dir(&target)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("npm cannot be started: {error}"))?;
    if !npm.status.success() {
        let complaint = String::from_utf8_lossy(&npm.stderr);
        return match complaint.lines().find(|line| {
            line.contains("ENOTFOUND")
                || line.contains("EAI_AGAIN")
                || line.contains("ETIMEDOUT")
                || line.contains("ECONNREFUSED")
        }) {
            Some(line) => Err(format!("the npm registry cannot be reached: {line}")),
            None => panic!("npm ci failed: {complaint}"),
        };
    }
    std::fs::write(stamp, lock).unwrap();
    Ok(target)
}

/// Says why something is not tested: there is no npm, or no way to its registry.
#[expect(clippy::print_stderr, reason = "whoever runs the tests is told what was not tested")]
pub(crate) fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

pub(crate) fn public_servers_from_the_registry() {
    let servers = match installed() {
        Ok(servers) => servers.join("node_modules/@modelcontextprotocol"),
        Err(why) => return skip(&why),
    };
    let server = |name: &str| servers.join(name).join("dist/index.js").display().to_string();
    let folder = Folder::with(&[("docs/a.txt", "alpha"), ("docs/b.txt", "beta")]);
    let docs = folder.path("docs").canonicalize().unwrap().display().to_string();
    let config = format!(
        r#"
[mcp.files]
command = ["node", {:?}, {docs:?}]

[mcp.everything]
command = ["node", {:?}, "stdio"]

[[policy]]
ask = "files.*"
effect = "idempotent"
when = "path.endsWith('.txt')"
"#,
        server("server-filesystem"),
        server("server-everything"),
    );
    folder.write("intermission.toml", config.as_bytes());
    let script = format!(
        r#"
const path = {docs:?};
const texts = await Promise.all(["a.txt", "b.txt"].map(name => files.read_text_file({{ path: `${{path}}/${{name}}` }})));
const missing = await files.read_text_file({{ path: "/etc/passwd" }}).catch(error => error.code);
const echo = await everything.echo({{ message: "hello" }});
const sum = await everything.get_sum({{ a: 2, b: 3 }});
return {{ texts, missing, echo, sum }};
"#
    );
    folder.write("a.ts", script.as_bytes());
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 0
    --- stdout
    {
      "texts": [
        {
          "content": "alpha"
        },
        {
          "content": "beta"
        }
      ],
      "missing": "HOST_TOOL_ERROR",
      "echo": "Echo: hello",
      "sum": "The sum of 2 and 3 is 5."
    }
    "#);
    let write = format!("return await files.write_file({{ path: {docs:?} + '/c.txt', content: 'gamma' }})");
    folder.write("b.ts", write.as_bytes());
    folder.run(&["run", "b.ts", "--continuation", "a.imt"]);
    assert!(!folder.path("docs/c.txt").exists());
    let id = folder.first_id();
    assert!(folder.run(&["resume", "a.imt", "--approve", &id]).starts_with("exit 0"));
    assert_eq!(std::fs::read_to_string(folder.path("docs/c.txt")).unwrap(), "gamma");
}
