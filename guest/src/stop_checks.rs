//! Makes a module stoppable from outside, cheaply.
//!
//! The module gets a second, private memory of one page, exported as [`STOP_MEMORY`], whose first word is a flag. No instruction of the
//! guest writes there, so a guest gone wrong cannot clear it. Every loop begins with a load of that flag and, when it is
//! set, a call of the host's `pause`, which suspends the guest or never returns.
//!
//! One loop is left out: QuickJS's dispatch loop, which goes round once a bytecode. It is covered by the engine's own counter of
//! backward jumps and calls (guest/c/fuel.c), which calls `pause` as well. A check there would cost a tenth of the speed.
//!
//! The load is an atomic one because a compiler may take a plain load out of a loop that never stores.

use wasm_encoder::reencode::{Error as ReencodeError, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, ExportKind, ExportSection, Function, InstructionSink,
    MemArg, MemorySection, MemoryType, Module,
};
use wasmparser::{FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TypeRef};

use crate::BuildError;

/// The export that is the memory with the stop flag: its first 32-bit word, zero while the guest may go on.
pub const STOP_MEMORY: &str = "stop";

/// The function whose loop over bytecodes has no check.
const DISPATCH: &str = "JS_CallInternal";
/// The dispatch loop is told from others by its jump table: one target for each of some 250 bytecodes.
const DISPATCH_TARGETS: u32 = 200;
const STOP_MEMORY_INDEX: u32 = 1;
/// Where nothing looks.
const BEHIND_THE_FLAG: i32 = 8;

/// A module with checks.
#[derive(Debug)]
pub struct Checked {
    /// The module. Names are gone.
    pub wasm: Vec<u8>,
    /// Loops that begin with a check.
    pub checked: usize,
    /// Loops that do not: always 1.
    pub unchecked: usize,
}

/// Adds the memory and the checks to `wasm`, a module with a `name` section and an import `pause`.
///
/// # Errors
/// When there is not exactly one dispatch loop, or the module is malformed.
pub fn add(wasm: &[u8]) -> Result<Checked, BuildError> {
    let failed = |error: String| BuildError::StopChecks(error);
    let plan = Plan::of(wasm).map_err(|error| failed(error.to_string()))?;
    let pause = plan.pause.ok_or_else(|| failed("it does not import `pause`".into()))?;
    let dispatch = plan.dispatch.ok_or_else(|| failed(format!("it has no function `{DISPATCH}`")))?;

    let mut rewriter =
        Rewriter { pause, dispatch, function: plan.imported_functions, checked: 0, unchecked: 0 };
    let mut module = Module::new();
    rewriter
        .parse_core_module(&mut module, Parser::new(0), wasm)
        .map_err(|error| failed(error.to_string()))?;
    if rewriter.unchecked != 1 {
        return Err(failed(format!("{} loops look like the dispatch loop, not 1", rewriter.unchecked)));
    }
    Ok(Checked { wasm: module.finish(), checked: rewriter.checked, unchecked: rewriter.unchecked })
}

/// What has to be known before the first function is rewritten.
#[derive(Default)]
struct Plan {
    imported_functions: u32,
    pause: Option<u32>,
    dispatch: Option<u32>,
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
                            let naming = naming?;
                            if naming.name == DISPATCH {
                                plan.dispatch = Some(naming.index);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(plan)
    }
}

struct Rewriter {
    pause: u32,
    dispatch: u32,
    /// Index of the function that comes next.
    function: u32,
    checked: usize,
    unchecked: usize,
}

impl Rewriter {
    fn check(&mut self, code: &mut InstructionSink<'_>) {
        self.checked += 1;
        code.i32_const(0)
            .i32_atomic_load(MemArg { offset: 0, align: 2, memory_index: STOP_MEMORY_INDEX })
            .if_(BlockType::Empty)
            .i32_const(0)
            .call(self.pause)
            .end();
    }
}

/// For each operator, whether it is the `loop` that directly encloses the dispatch table.
fn dispatch_loops(body: &FunctionBody<'_>) -> wasmparser::Result<Vec<usize>> {
    let mut found = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    for (index, operator) in body.get_operators_reader()?.into_iter().enumerate() {
        match operator? {
            Operator::Loop { .. } => open.push(Some(index)),
            Operator::Block { .. } | Operator::If { .. } => open.push(None),
            Operator::End => {
                open.pop();
            }
            Operator::BrTable { targets } if targets.len() > DISPATCH_TARGETS => {
                found.extend(open.iter().rev().find_map(|entry| *entry));
            }
            _ => {}
        }
    }
    found.dedup();
    Ok(found)
}

impl Reencode for Rewriter {
    type Error = std::convert::Infallible;

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), ReencodeError<Self::Error>> {
        let unchecked = if self.function == self.dispatch { dispatch_loops(&body)? } else { Vec::new() };
        self.function += 1;
        let mut function: Function = self.new_function_with_parsed_locals(&body)?;
        for (index, operator) in body.get_operators_reader()?.into_iter().enumerate() {
            let operator = operator?;
            let is_loop = matches!(operator, Operator::Loop { .. });
            function.instruction(&self.instruction(operator)?);
            if is_loop && unchecked.contains(&index) {
                self.unchecked += 1;
            } else if is_loop {
                self.check(&mut function.instructions());
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
    use super::*;

    #[test]
    fn every_loop_of_the_guest_is_checked_but_for_the_dispatch_loop() {
        let wasm = std::fs::read(crate::wasm_path()).expect("run `cargo xtask guest`");
        let checked = add(&wasm).unwrap();
        assert_eq!(checked.unchecked, 1);
        assert!(checked.checked > 1_500, "only {} loops are checked", checked.checked);
        assert_eq!(loops(&checked.wasm), checked.checked + 1);
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
