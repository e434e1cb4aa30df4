//! Makes a module stoppable from outside, at no cost that can be measured.
//!
//! The module gets a second, private memory of one page, exported as [`STOP_MEMORY`], whose first word is a flag: [`PAUSE`] asks the guest to stand
//! still when it is convenient, [`STOP`] ends it. No instruction of the guest writes there, so a guest gone wrong cannot clear it. Every loop begins with
//! a load of that flag and one of two checks:
//!
//! - An innermost loop without calls traps when it is to stop. Nothing lives on after a trap, so the loop keeps its values in registers.
//! - A loop that calls, or has another loop in it, calls the host's `pause` when either bit is set, which suspends the guest or never returns. A call,
//!   however rarely made, costs its loop the registers.
//!
//! What is left without a pause is one innermost loop, once: some thousandths of a second for each megabyte that it walks over. So that many of
//! these in a row pause as well, native functions and comparisons begin with a pausing check (`PAUSING_AT_ENTRY`). Some functions that are
//! hot do not pause at all (`NEVER_PAUSING`); those that call them do.
//!
//! QuickJS's interpreter, a function of its own, is never paused by a check: it counts backward jumps and calls (guest/c/fuel.c) and calls `pause`
//! every ten thousand. One of its loops, which goes round once a bytecode, has no check at all.
//!
//! The load is an atomic one because a compiler may take a plain load out of a loop that never stores.

mod loops;

use std::collections::{BTreeMap, BTreeSet};

use wasm_encoder::reencode::{Error as ReencodeError, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, ExportKind, ExportSection, Function, InstructionSink,
    MemArg, MemorySection, MemoryType, Module,
};
use wasmparser::{FunctionBody, KnownCustom, Name, Naming, Parser, Payload, TypeRef};

use crate::BuildError;
use loops::{Check, INTERPRETER, Role};

/// The export that is the memory with the stop flag: its first 32-bit word, zero while the guest may go on.
pub const STOP_MEMORY: &str = "stop";

/// The bit of the flag that asks the guest to stand still when it is convenient.
pub const PAUSE: i32 = 1;
/// The bit of the flag that ends the guest at its next loop.
pub const STOP: i32 = 2;

const STOP_MEMORY_INDEX: u32 = 1;
/// Where nothing looks.
const BEHIND_THE_FLAG: i32 = 8;

/// A module with checks.
#[derive(Debug)]
pub struct Checked {
    /// The module. Names are gone.
    pub wasm: Vec<u8>,
    /// How many checks of each kind it has.
    pub counts: Counts,
}

/// How many checks of each kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Loops that stop for good, and never pause.
    pub stopping: usize,
    /// Loops that pause, or stop for good.
    pub pausing: usize,
    /// Functions that begin with a pausing check.
    pub entries: usize,
    /// Loops without a check: always 1.
    pub unchecked: usize,
}

/// Adds the memory and the checks to `wasm`, a module with a `name` section and an import `pause`.
///
/// # Errors
/// When there is not exactly one dispatch loop, a function that is treated by its name is missing, or the module is malformed.
pub fn add(wasm: &[u8]) -> Result<Checked, BuildError> {
    let failed = |error: String| BuildError::StopChecks(error);
    let plan = Plan::of(wasm).map_err(|error| failed(error.to_string()))?;
    let pause = plan.pause.ok_or_else(|| failed("it does not import `pause`".into()))?;
    let named = [INTERPRETER].iter().chain(loops::PAUSING_AT_ENTRY).chain(loops::NEVER_PAUSING);
    for name in named {
        if !plan.named.contains(*name) {
            return Err(failed(format!("it has no function `{name}`")));
        }
    }

    let mut rewriter =
        Rewriter { pause, roles: plan.roles, function: plan.imported_functions, counts: Counts::default() };
    let mut module = Module::new();
    rewriter
        .parse_core_module(&mut module, Parser::new(0), wasm)
        .map_err(|error| failed(error.to_string()))?;
    if rewriter.counts.unchecked != 1 {
        return Err(failed(format!(
            "{} loops look like the dispatch loop, not 1",
            rewriter.counts.unchecked
        )));
    }
    Ok(Checked { wasm: module.finish(), counts: rewriter.counts })
}

/// What has to be known before the first function is rewritten.
#[derive(Default)]
struct Plan {
    imported_functions: u32,
    pause: Option<u32>,
    /// Of the functions that are not ordinary.
    roles: BTreeMap<u32, Role>,
    named: BTreeSet<String>,
}

impl Plan {
    fn of(wasm: &[u8]) -> wasmparser::Result<Self> {
        let mut plan = Self::default();
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        if matches!(import.ty, TypeRef::Func(_)) {
                            if import.name == "pause" {
                                plan.pause = Some(plan.imported_functions);
                            }
                            plan.imported_functions += 1;
                        }
                    }
                }
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(names) = section.as_known() else { continue };
                    for name in names {
                        let Name::Function(functions) = name? else { continue };
                        for naming in functions {
                            plan.note(naming?);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(plan)
    }

    fn note(&mut self, naming: Naming<'_>) {
        let role = Role::of(naming.name);
        if role != Role::Ordinary {
            self.roles.insert(naming.index, role);
            self.named.insert(naming.name.to_owned());
        }
    }
}

struct Rewriter {
    pause: u32,
    roles: BTreeMap<u32, Role>,
    /// Index of the function that comes next.
    function: u32,
    counts: Counts,
}

impl Rewriter {
    fn check(&mut self, check: Check, code: &mut InstructionSink<'_>) {
        match check {
            Check::None => self.counts.unchecked += 1,
            Check::Stop => {
                self.counts.stopping += 1;
                load_flag(code);
                code.i32_const(STOP).i32_and().if_(BlockType::Empty).unreachable().end();
            }
            Check::Pause => {
                self.counts.pausing += 1;
                self.pause_when_asked(code);
            }
        }
    }

    fn pause_when_asked(&self, code: &mut InstructionSink<'_>) {
        load_flag(code);
        code.if_(BlockType::Empty).i32_const(0).call(self.pause).end();
    }
}

fn load_flag(code: &mut InstructionSink<'_>) {
    code.i32_const(0).i32_atomic_load(MemArg { offset: 0, align: 2, memory_index: STOP_MEMORY_INDEX });
}

impl Reencode for Rewriter {
    type Error = std::convert::Infallible;

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), ReencodeError<Self::Error>> {
        let role = self.roles.get(&self.function).copied().unwrap_or_default();
        self.function += 1;
        let checks = loops::checks(&body, role)?;
        let mut function: Function = self.new_function_with_parsed_locals(&body)?;
        if role == Role::PausingAtEntry {
            self.counts.entries += 1;
            self.pause_when_asked(&mut function.instructions());
        }
        for (index, operator) in body.get_operators_reader()?.into_iter().enumerate() {
            function.instruction(&self.instruction(operator?)?);
            if let Some(check) = checks.get(&index) {
                self.check(*check, &mut function.instructions());
            }
        }
        code.function(&function);
        Ok(())
    }

    fn parse_memory_section(
        &mut self,
        memories: &mut MemorySection,
        section: wasmparser::MemorySectionReader<'_>,
    ) -> Result<(), ReencodeError<Self::Error>> {
        utils::parse_memory_section(self, memories, section)?;
        memories.memory(MemoryType {
            minimum: 1,
            maximum: Some(1),
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Result<(), ReencodeError<Self::Error>> {
        for export in section {
            let export = export?;
            // The set-up has been done: nothing may do it again.
            if !export.name.starts_with("prepare_") {
                utils::parse_export(self, exports, export)?;
            }
        }
        exports.export(STOP_MEMORY, ExportKind::Memory, STOP_MEMORY_INDEX);
        Ok(())
    }

    fn data_count(&mut self, count: u32) -> Result<u32, ReencodeError<Self::Error>> {
        Ok(count + 1)
    }

    /// A memory with something in it is mapped from an image and stays mapped for the next run; an empty one is mapped anew each time.
    fn parse_data_section(
        &mut self,
        data: &mut DataSection,
        section: wasmparser::DataSectionReader<'_>,
    ) -> Result<(), ReencodeError<Self::Error>> {
        utils::parse_data_section(self, data, section)?;
        data.active(STOP_MEMORY_INDEX, &ConstExpr::i32_const(BEHIND_THE_FLAG), *b"stop");
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        _: &mut Module,
        _: wasmparser::CustomSectionReader<'_>,
    ) -> Result<(), ReencodeError<Self::Error>> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{DataCountSection, EntityType, FunctionSection, ImportSection, TypeSection, ValType};
    use wasmparser::Operator;

    use super::*;

    #[test]
    fn every_loop_of_the_guest_is_checked_but_for_the_dispatch_loop() {
        let wasm = std::fs::read(crate::wasm_path()).expect("run `cargo xtask guest`");
        let checked = add(&wasm).unwrap();
        let Counts { stopping, pausing, entries, unchecked } = checked.counts;
        assert_eq!((entries, unchecked), (4, 1));
        assert!(stopping > 600, "only {stopping} loops stop for good at once");
        assert!(pausing > 600, "only {pausing} loops pause");
        assert_eq!(loops(&checked.wasm), stopping + pausing + unchecked);
        wasmparser::Validator::new().validate_all(&checked.wasm).unwrap();
    }

    #[test]
    fn a_module_without_the_dispatch_loop_is_refused() {
        let empty = Module::new().finish();
        assert_eq!(
            add(&empty).unwrap_err().to_string(),
            "the guest cannot be made stoppable: it does not import `pause`"
        );
    }

    /// A module that imports `pause`, and has a memory and a function without parameters.
    fn module(body: impl FnOnce(&mut InstructionSink<'_>)) -> Vec<u8> {
        let (mut types, mut imports, mut functions) =
            (TypeSection::new(), ImportSection::new(), FunctionSection::new());
        types.ty().function([ValType::I32], []);
        types.ty().function([], []);
        imports.import("host", "pause", EntityType::Function(0));
        functions.function(1);
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut exports = ExportSection::new();
        exports.export("spin", ExportKind::Func, 1);
        let mut function = Function::new([]);
        body(&mut function.instructions());
        function.instructions().end();
        let mut code = CodeSection::new();
        code.function(&function);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&memories).section(&exports);
        module.section(&DataCountSection { count: 0 }).section(&code).section(&DataSection::new());
        module.finish()
    }

    /// What becomes of a module with checks whose flag stands at `flag` when it is run; a pause ends it, too.
    fn run(wasm: &[u8], flag: i32) -> (Counts, String) {
        let mut rewriter =
            Rewriter { pause: 0, roles: BTreeMap::new(), function: 1, counts: Counts::default() };
        let mut module = Module::new();
        rewriter.parse_core_module(&mut module, Parser::new(0), wasm).unwrap();

        let mut config = wasmtime::Config::new();
        config.wasm_multi_memory(true).wasm_threads(true);
        let engine = wasmtime::Engine::new(&config).unwrap();
        let module = wasmtime::Module::new(&engine, module.finish()).unwrap();
        let mut linker = wasmtime::Linker::new(&engine);
        let pause = |_: i32| -> wasmtime::Result<()> { Err(wasmtime::Error::msg("paused")) };
        linker.func_wrap("host", "pause", pause).unwrap();
        let mut store = wasmtime::Store::new(&engine, ());
        let instance = linker.instantiate(&mut store, &module).unwrap();
        let memory = instance.get_memory(&mut store, STOP_MEMORY).unwrap();
        memory.write(&mut store, 0, &flag.to_le_bytes()).unwrap();
        let spin = instance.get_typed_func::<(), ()>(&mut store, "spin").unwrap();
        let error = spin.call(&mut store, ()).unwrap_err();
        (rewriter.counts, error.root_cause().to_string())
    }

    #[test]
    fn an_innermost_loop_without_calls_traps_when_it_is_to_stop() {
        let spin = module(|code| {
            code.loop_(BlockType::Empty).br(0).end();
        });
        let (counts, end) = run(&spin, STOP);
        assert_eq!(counts, Counts { stopping: 1, ..Counts::default() });
        assert_eq!(end, "wasm trap: wasm `unreachable` instruction executed");
        assert_eq!(run(&spin, STOP | PAUSE).1, end);
    }

    #[test]
    fn a_loop_around_another_pauses_whatever_is_asked() {
        let spin = module(|code| {
            code.loop_(BlockType::Empty).loop_(BlockType::Empty).i32_const(0).br_if(0).end().br(0).end();
        });
        for flag in [PAUSE, STOP] {
            let expected = Counts { stopping: 1, pausing: 1, ..Counts::default() };
            assert_eq!(run(&spin, flag), (expected, "paused".to_owned()));
        }
    }

    #[test]
    fn a_loop_that_calls_pauses() {
        let spin = module(|code| {
            code.loop_(BlockType::Empty)
                .i32_const(1)
                .if_(BlockType::Empty)
                .else_()
                .i32_const(0)
                .call(0)
                .end();
            code.br(0).end();
        });
        let expected = Counts { pausing: 1, ..Counts::default() };
        assert_eq!(run(&spin, PAUSE), (expected, "paused".to_owned()));
    }

    fn loops(wasm: &[u8]) -> usize {
        let mut loops = 0;
        for payload in Parser::new(0).parse_all(wasm) {
            if let Payload::CodeSectionEntry(body) = payload.unwrap() {
                let operators = body.get_operators_reader().unwrap().into_iter();
                loops += operators.filter(|operator| matches!(operator, Ok(Operator::Loop { .. }))).count();
            }
        }
        loops
    }
}
