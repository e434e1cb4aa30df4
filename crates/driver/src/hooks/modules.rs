//! Modules that the user's own code loads.

use futures_util::future::BoxFuture;
use intermission::{HostError, ModuleLoader, Value};

use crate::asks::Asks;

pub(crate) struct AskedModules(pub(crate) Asks);

impl ModuleLoader for AskedModules {
    fn normalize<'a>(
        &'a self,
        specifier: &'a str,
        importer: &'a str,
    ) -> BoxFuture<'a, Result<String, HostError>> {
        Box::pin(async move {
            let body = [("specifier", specifier.into()), ("importer", importer.into())];
            text(self.0.ask("normalize", body).await?)
        })
    }

    fn load<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<String, HostError>> {
        Box::pin(async move { text(self.0.ask("load", [("name", name.into())]).await?) })
    }
}

fn text(value: Value) -> Result<String, HostError> {
    match value {
        Value::String(text) => Ok(text.to_string_lossy().into_owned()),
        other => Err(HostError::new(format!("a module loader gives texts, not {}", other.kind()))),
    }
}
