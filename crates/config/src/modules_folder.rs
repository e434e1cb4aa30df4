//! Modules out of a folder, and nothing outside of it.

use std::path::{Component, Path, PathBuf};

use intermission::{HostError, ModuleLoader};

/// A folder whose files can be imported by their paths within it.
#[derive(Clone, Debug)]
pub struct ModulesFolder {
    /// Without links in it.
    folder: PathBuf,
}

/// It is no folder of modules.
#[derive(Debug, thiserror::Error)]
#[error("{} is no folder of modules: {error}", path.display())]
pub struct ModulesError {
    path: PathBuf,
    error: std::io::Error,
}

impl ModulesError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        "MODULES_FOLDER"
    }
}

/// Why there is no such module.
#[derive(Debug, thiserror::Error)]
enum ModuleError {
    #[error("there is no module `{name}` in the folder of modules{}", instead(others))]
    NotFound { name: String, others: Vec<String> },
    #[error("the module `{name}` lies outside of the folder of modules")]
    Outside { name: String },
    #[error("the module `{name}` cannot be read: {error}")]
    Unreadable { name: String, error: std::io::Error },
}

fn instead(others: &[String]) -> String {
    if others.is_empty() { String::new() } else { format!("; there is `{}`", others.join("`, `")) }
}

impl ModulesFolder {
    /// The folder at a path.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn new(path: &Path) -> Result<Self, ModulesError> {
        match path.canonicalize().and_then(|folder| folder.read_dir().map(|_| folder)) {
            Ok(folder) => Ok(Self { folder }),
            Err(error) => Err(ModulesError { path: path.to_owned(), error }),
        }
    }

    /// The text of a module.
    ///
    /// # Errors
    /// When there is none of this name within the folder, or it cannot be read.
    pub fn read(&self, name: &str) -> Result<String, HostError> {
        self.text(name).map_err(|error| HostError::new(error.to_string()).with_code(error.code()))
    }

    fn text(&self, name: &str) -> Result<String, ModuleError> {
        let outside = || ModuleError::Outside { name: name.to_owned() };
        let unreadable = |error| ModuleError::Unreadable { name: name.to_owned(), error };
        if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(outside());
        }
        let path = self.folder.join(name);
        // Only after links are followed can be seen where a file lies.
        let Ok(path) = path.canonicalize() else { return Err(self.not_found(name)) };
        if !path.starts_with(&self.folder) {
            return Err(outside());
        }
        std::fs::read_to_string(path).map_err(unreadable)
    }

    /// With the endings that were perhaps left out.
    fn not_found(&self, name: &str) -> ModuleError {
        let endings = ["ts", "js", "mts", "mjs"];
        let others = endings.map(|ending| format!("{name}.{ending}")).into_iter();
        let others = others.filter(|other| self.folder.join(other).is_file()).collect();
        ModuleError::NotFound { name: name.to_owned(), others }
    }
}

impl ModuleError {
    /// The stable code, which the script sees.
    fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "MODULE_NOT_FOUND",
            Self::Outside { .. } => "MODULE_OUTSIDE",
            Self::Unreadable { .. } => "MODULE_UNREADABLE",
        }
    }
}

impl ModuleLoader for ModulesFolder {
    fn load<'a>(&'a self, name: &'a str) -> Load<'a> {
        Box::pin(std::future::ready(self.read(name)))
    }
}

type Load<'a> = std::pin::Pin<Box<dyn Future<Output = Result<String, HostError>> + Send + 'a>>;
