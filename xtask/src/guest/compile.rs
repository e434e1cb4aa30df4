//! The recipe: which files, with which flags.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::sources::Sources;
use crate::error::Error;
use crate::process::Step;

/// QuickJS-ng's own units. `quickjs.c` is not among them: `guest.c` includes it, to reach what is `static` there.
const QUICKJS_UNITS: &[&str] = &["libregexp.c", "libunicode.c", "dtoa.c"];

/// Our own. The first is all but the memory.
const OUR_UNITS: &[&str] = &["guest.c", "memory/memory.c"];

/// QuickJS's C is GNU C; ours is C23. Assertions are off: they would print, and nobody would read it.
const LANGUAGE: &[&str] =
    &["-target", "wasm32-wasi", "-std=gnu23", "-D_GNU_SOURCE", "-O2", "-g0", "-DNDEBUG"];

/// Regular expressions ask this function whether to stop. `guest.c` has one under the usual name too, which it can't export.
const REGEXP_STOP: &str = "-Dlre_check_timeout=bridge_lre_check_timeout";

/// A library without `main`; 2 MiB for the C stack, of which QuickJS may use a part. Nothing is stripped: this linker
/// would drop the functions' names too.
const LINKING: &[&str] = &["-mexec-model=reactor", "-Wl,-z,stack-size=1310720"];

/// What to do with a warning about our own C. QuickJS-ng's are not shown.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Warnings {
    Show,
    Refuse,
}

pub(super) struct Build<'a> {
    pub(super) sources: &'a Sources,
    pub(super) python: &'a Path,
    /// Zig's, for what it compiles of its own C library.
    pub(super) cache: &'a Path,
    /// For the objects; empty.
    pub(super) folder: &'a Path,
    pub(super) warnings: Warnings,
}

impl Build<'_> {
    /// The bytes of the module.
    pub(super) fn run(&self) -> Result<Vec<u8>, Error> {
        let steps = OUR_UNITS
            .iter()
            .map(|unit| self.compile_ours(unit))
            .chain(QUICKJS_UNITS.iter().map(|unit| self.compile_quickjs(unit)))
            .collect::<Result<Vec<_>, _>>()?;
        for step in steps {
            let remarks = step.wait()?.remarks;
            if !remarks.is_empty() {
                println!("{remarks}");
            }
        }
        self.link()
    }

    fn compile_ours(&self, unit: &str) -> Result<Step, Error> {
        let mut command = self.zig();
        command.args(["-Wall", "-Wextra", "-Wno-unused-parameter"]);
        if self.warnings == Warnings::Refuse {
            command.arg("-Werror");
        }
        // Searched as a system folder, QuickJS-ng is compiled without warnings, also where `guest.c` includes it.
        command.arg("-isystem").arg(&self.sources.quickjs);
        self.compile(command, &self.sources.guest.join("c").join(unit))
    }

    fn compile_quickjs(&self, unit: &str) -> Result<Step, Error> {
        let mut command = self.zig();
        command.args(["-w", REGEXP_STOP]).arg("-I").arg(&self.sources.quickjs);
        self.compile(command, &self.sources.quickjs.join(unit))
    }

    fn compile(&self, mut command: Command, unit: &Path) -> Result<Step, Error> {
        command
            .args(LANGUAGE)
            .arg("-include")
            .arg(self.sources.guest.join("c/nostdio.h"))
            .arg("-I")
            .arg(self.sources.guest.join("c"))
            .arg(prefix_map(&self.sources.guest, "guest"))
            .arg(prefix_map(&self.sources.quickjs, "quickjs"))
            .arg(prefix_map(self.folder, "objects"))
            .arg("-c")
            .arg(unit)
            .arg("-o")
            .arg(self.object(unit));
        Step::start(format!("compiling {}", unit.display()), "the compiler says where", &mut command)
    }

    fn link(&self) -> Result<Vec<u8>, Error> {
        let module = self.folder.join("guest.wasm");
        let units = OUR_UNITS.iter().chain(QUICKJS_UNITS).map(Path::new);
        let mut command = self.zig();
        command.args(["-target", "wasm32-wasi", "-O2"]).args(LINKING);
        command.args(units.map(|unit| self.object(unit))).arg("-o").arg(&module);
        Step::start("linking guest.wasm", "the linker says what", &mut command)?.wait()?;
        std::fs::read(&module).map_err(Error::at(&module))
    }

    fn zig(&self) -> Command {
        let mut command = Command::new(self.python);
        command
            .args(["-m", "ziglang", "cc"])
            .current_dir(self.folder)
            .env("ZIG_LOCAL_CACHE_DIR", self.cache.join("local"))
            .env("ZIG_GLOBAL_CACHE_DIR", self.cache.join("global"));
        command
    }

    fn object(&self, unit: &Path) -> PathBuf {
        self.folder.join(unit.with_extension("o").file_name().unwrap_or_default())
    }
}

/// A path of this machine must not get into the module.
fn prefix_map(from: &Path, to: &str) -> String {
    format!("-ffile-prefix-map={}={to}", from.display())
}
