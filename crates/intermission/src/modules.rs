//! Where the modules of a script come from.

use std::collections::BTreeMap;

use futures_util::future::BoxFuture;

use crate::HostError;

/// Gives modules their names and their texts. Both may take their time; the script stands still meanwhile.
///
/// A map of names to texts is a loader:
///
/// ```
/// use intermission::{RunInput, Runner, Value};
/// use std::collections::BTreeMap;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let modules = BTreeMap::from([("lib/double.ts".to_owned(), "export default (n: number) => n * 2".to_owned())]);
/// let source = "import double from './lib/double.ts'; export default double(21)";
/// let result = Runner::new()?.run(RunInput::new(source).modules(modules)).await;
/// assert_eq!(result.into_value()?, Value::from(42.0));
/// # Ok(()) }
/// ```
pub trait ModuleLoader: Send + Sync {
    /// The name of the module that `importer` calls `specifier`. By default `./` and `../` are resolved against the importer's name, and
    /// everything else stands for itself.
    fn normalize<'a>(
        &'a self,
        specifier: &'a str,
        importer: &'a str,
    ) -> BoxFuture<'a, Result<String, HostError>> {
        let name = resolve(specifier, importer);
        Box::pin(async move { Ok(name) })
    }

    /// The text of the module `name`: JavaScript or TypeScript. Asked once a run for each name.
    fn load<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<String, HostError>>;
}

/// `specifier` as a path relative to the folder of `importer`.
fn resolve(specifier: &str, importer: &str) -> String {
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return specifier.to_owned();
    }
    let folder = importer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

impl ModuleLoader for BTreeMap<String, String> {
    fn load<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<String, HostError>> {
        let text = self.get(name).cloned().ok_or_else(|| {
            let known = self.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            HostError::new(format!("there is no module `{name}`; there are: {known}"))
                .with_code("MODULE_NOT_FOUND")
        });
        Box::pin(async move { text })
    }
}

/// No modules at all: what a runner has unless it is given some.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoModules;

impl ModuleLoader for NoModules {
    fn load<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<String, HostError>> {
        let error = HostError::new(format!("there are no modules here: `{name}` cannot be imported"));
        Box::pin(async move { Err(error.with_code("MODULE_NOT_FOUND")) })
    }
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn relative_specifiers_are_resolved_against_the_importer_and_others_stand_for_themselves() {
        assert_eq!(resolve("./a.js", "script.js"), "a.js");
        assert_eq!(resolve("./a.js", "lib/deep/b.js"), "lib/deep/a.js");
        assert_eq!(resolve("../a.js", "lib/deep/b.js"), "lib/a.js");
        assert_eq!(resolve("../../../a.js", "lib/b.js"), "a.js");
        assert_eq!(resolve("lodash", "lib/b.js"), "lodash");
        assert_eq!(resolve("https://x/y.js", "lib/b.js"), "https://x/y.js");
    }
}
