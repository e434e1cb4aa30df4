//! What must be true of the compiled module, whatever the compiler did.

use wasm_encoder::{Module, RawSection};
use wasmparser::{
    BinaryReaderError, CustomSectionReader, ImportSectionReader, KnownCustom, Name, Parser, Payload,
};

/// The one module name that the engine lends functions under.
const LENDER: &str = "intermission";

/// Why a module cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Flaw {
    #[error("it is not WebAssembly ({0})")]
    Malformed(#[from] BinaryReaderError),
    #[error("it imports {}, but the host lends `{LENDER}` only; override in guest/c what pulls it in", .0.join(", "))]
    ForeignImports(Vec<String>),
    #[error("its functions have no names; the linker must keep the name section")]
    NoNames,
}

/// The module without debug information and remarks of the tools: code, and the names of functions. Refused when it
/// imports from elsewhere than the host's own module, or when its functions have no names.
pub(crate) fn finish(linked: &[u8]) -> Result<Vec<u8>, Flaw> {
    let mut finished = Module::new();
    let mut foreign = Vec::new();
    let mut name_count = 0;
    for payload in Parser::new(0).parse_all(linked) {
        let payload = payload?;
        match &payload {
            Payload::ImportSection(section) => foreign.extend(foreign_imports(section)?),
            Payload::CustomSection(section) => {
                let Some(count) = function_names(section)? else { continue };
                name_count += count;
            }
            _ => {}
        }
        if let Some((id, place)) = payload.as_section() {
            finished.section(&RawSection { id, data: &linked[place] });
        }
    }
    if !foreign.is_empty() {
        return Err(Flaw::ForeignImports(foreign));
    }
    if name_count == 0 {
        return Err(Flaw::NoNames);
    }
    Ok(finished.finish())
}

fn foreign_imports(section: &ImportSectionReader<'_>) -> Result<Vec<String>, BinaryReaderError> {
    let mut foreign = Vec::new();
    for import in section.clone().into_imports() {
        let import = import?;
        if import.module != LENDER {
            foreign.push(format!("{}.{}", import.module, import.name));
        }
    }
    Ok(foreign)
}

/// How many functions the section names; `None` when it is not the one that names things.
fn function_names(section: &CustomSectionReader<'_>) -> Result<Option<u32>, BinaryReaderError> {
    let KnownCustom::Name(subsections) = section.as_known() else { return Ok(None) };
    let mut count = 0;
    for subsection in subsections {
        if let Name::Function(functions) = subsection? {
            count += functions.count();
        }
    }
    Ok(Some(count))
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{CustomSection, EntityType, ImportSection, NameMap, NameSection, TypeSection};

    use super::*;

    fn module(imports: &[(&str, &str)]) -> Module {
        let mut module = Module::new();
        let mut types = TypeSection::new();
        types.ty().function([], []);
        module.section(&types);
        let mut section = ImportSection::new();
        for (from, name) in imports {
            section.import(from, name, EntityType::Function(0));
        }
        module.section(&section);
        module
    }

    fn named(mut module: Module) -> Vec<u8> {
        let mut functions = NameMap::new();
        functions.append(0, "host_now");
        let mut names = NameSection::new();
        names.functions(&functions);
        module.section(&names);
        module.finish()
    }

    #[test]
    fn debug_information_goes_and_names_stay() {
        let imports = [("intermission", "now")];
        let mut linked = module(&imports);
        linked
            .section(&CustomSection { name: ".debug_info".into(), data: (&b"/home/me/guest.c"[..]).into() });
        assert_eq!(finish(&named(linked)).unwrap(), named(module(&imports)));
    }

    #[test]
    fn every_foreign_import_is_named() {
        let imports =
            [("intermission", "now"), ("wasi_snapshot_preview1", "fd_write"), ("env", "emscripten_notify")];
        let flaw = finish(&named(module(&imports))).unwrap_err();
        assert_eq!(
            flaw.to_string(),
            "it imports wasi_snapshot_preview1.fd_write, env.emscripten_notify, but the host lends `intermission` only; \
             override in guest/c what pulls it in"
        );
    }

    #[test]
    fn a_module_whose_names_were_stripped_is_refused() {
        let stripped = module(&[("intermission", "now")]).finish();
        assert!(matches!(finish(&stripped), Err(Flaw::NoNames)));
    }

    #[test]
    fn what_is_not_webassembly_is_refused() {
        assert!(matches!(finish(b"not wasm"), Err(Flaw::Malformed(_))));
    }
}
