//! The command line as a door: with runs in continuations' files, or in the store.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use intermission_testkit::{
    Answered, Called, Case, Door, Effect, Failure, Function, Made, Need, Question, Reply, Resume, Run, Seen,
    Setting, Step,
};
use serde_json::Value as Json;

use crate::report::{cancelled, questions, refusal, seen};

/// The text of a continuation's file, or the id of a run of the store.
pub(crate) type Token = String;

/// Where runs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeps {
    Files,
    Store,
}

/// A folder in which commands are given, one after the other.
pub(crate) struct CommandLine {
    keeps: Keeps,
    folder: tempfile::TempDir,
    /// How many commands there were: each has files of its own.
    commands: usize,
    /// How many of the host's calls were told.
    told: usize,
}

pub(crate) fn offers(keeps: Keeps, need: Need) -> bool {
    match need {
        Need::Quorum | Need::Clock | Need::Cut | Need::Errors | Need::Edits | Need::Details => false,
        Need::Claims | Need::Policy => true,
        Need::Durable | Need::Cancel => keeps == Keeps::Store,
    }
}

/// Why a case says nothing of runs in a store, where that is so.
pub(crate) fn not_for_the_store(case: &Case) -> Option<&'static str> {
    let has = |is: fn(&Step) -> bool| case.steps.iter().any(is);
    if has(|step| step.from.is_some()) {
        Some("goes on from an older token")
    } else if has(|step| step.source.is_some()) {
        Some("changes its script")
    } else if has(|step| step.cancel_at.is_some()) {
        Some("is cancelled in the middle of a call")
    } else if has(|step| step.refused.is_some() && step.answers.len() > 1) {
        Some("gives several answers in one step")
    } else if has(|step| step.refused.as_deref().is_some_and(|code| code.starts_with("FUNCTION_"))) {
        Some("is refused by whoever goes on: in a store the answer is kept, and the run has failed")
    } else {
        None
    }
}

impl CommandLine {
    pub(crate) fn new(keeps: Keeps) -> Self {
        Self { keeps, folder: tempfile::tempdir().unwrap(), commands: 0, told: 0 }
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The configuration of a setting.
    fn configure(&self, setting: &Setting<'_>) {
        let mut text = format!("strict = {}\nmodules = \"modules\"\n", setting.strict);
        std::fs::create_dir_all(self.folder.path().join("modules")).unwrap();
        for (name, source) in &setting.case.modules {
            self.write(&format!("modules/{name}"), source);
        }
        for (name, function) in setting.functions {
            text.push_str(&self.function(name, function));
        }
        for (name, function) in setting.functions {
            if let Some(verdict) = function.policy {
                let verdict = serde_json::to_value(verdict).unwrap();
                let verdict = verdict.as_str().unwrap();
                write!(text, "\n[[policy]]\n{verdict} = {name:?}\nname = \"corpus\"\n").unwrap();
            }
        }
        self.write("intermission.toml", text);
    }

    fn function(&self, name: &str, function: &Function) -> String {
        let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/host.py");
        let memory = self.folder.path().join("memory");
        let words = [
            "python3".to_owned(),
            "-I".to_owned(),
            host.display().to_string(),
            memory.display().to_string(),
            serde_json::to_string(function).unwrap(),
        ];
        let effect = match function.effect {
            Effect::Pure => "pure",
            Effect::Idempotent => "idempotent",
            Effect::Unsafe => "unsafe",
        };
        // A JSON text is one of TOML as well.
        let mut text =
            format!("\n[functions.{name:?}]\ncommand = {}\n", serde_json::to_string(&words).unwrap());
        writeln!(text, "effect = \"{effect}\"").unwrap();
        write!(text, "approval = {}\nblocking = {}\n", function.approval, function.blocking).unwrap();
        if let Some(schema) = &function.input_schema {
            self.write(&format!("{name}.schema.json"), schema.to_string());
            writeln!(text, "input_schema = \"{name}.schema.json\"").unwrap();
        }
        text
    }

    /// What commands call the run: a continuation's file of its own, or its id.
    fn operand(&mut self, token: &Token) -> String {
        if self.keeps == Keeps::Store {
            return token.clone();
        }
        self.commands += 1;
        let name = format!("{}.imt", self.commands);
        let path = self.write(&name, token);
        only_mine(&path);
        name
    }

    fn command(&self, words: &[String]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_intermission"));
        command.args(words).current_dir(self.folder.path());
        command
    }

    /// What a command that drives a run says, and the continuation that it left in `file`.
    fn drive(&self, words: &[String], file: &str) -> Result<Seen<Token>, Failure> {
        let output = self.command(words).output().unwrap();
        self.told(&output, file)
    }

    fn told(&self, output: &Output, file: &str) -> Result<Seen<Token>, Failure> {
        let Ok(report) = serde_json::from_slice::<Json>(&output.stdout) else {
            return Err(refusal(&output.stderr));
        };
        let token = match self.keeps {
            Keeps::Files => std::fs::read_to_string(self.folder.path().join(file)).ok(),
            Keeps::Store => report["run_id"].as_str().map(str::to_owned),
        };
        Ok(seen(&report, token))
    }
}

#[cfg(unix)]
fn only_mine(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).into()
}

impl Door for CommandLine {
    type Token = Token;

    fn offers(&self, need: Need) -> bool {
        offers(self.keeps, need)
    }

    fn begin(&mut self) {
        *self = Self::new(self.keeps);
    }

    fn run(&mut self, setting: &Setting<'_>, run: &Run<'_>) -> Seen<Token> {
        self.configure(setting);
        let script = setting.case.source.language.file_name();
        self.write(script, &setting.case.source.text);
        let file = "run.imt";
        let mut words = words(["run", script, "--report", "--no-ask"]);
        if self.keeps == Keeps::Files {
            words.push(format!("--continuation={file}"));
        }
        if !run.input.is_null() {
            words.push(format!("--input={}", run.input));
        }
        if let Some(data) = run.data {
            words.push(format!("--data={data}"));
        }
        self.drive(&words, file).unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    fn resume(
        &mut self,
        setting: &Setting<'_>,
        token: &Token,
        resume: &Resume<'_>,
    ) -> Result<Seen<Token>, Failure> {
        self.configure(setting);
        let file = self.operand(token);
        let mut words = words(["resume", &file, "--report", "--no-ask"]);
        for answered in &resume.answers {
            words.extend(options(answered));
        }
        if resume.retry {
            words.push("--retry".to_owned());
        }
        if let Some(source) = resume.source {
            let name = format!("other-{}", source.language.file_name());
            self.write(&name, &source.text);
            words.push(format!("--source={name}"));
        }
        self.drive(&words, &file)
    }

    fn inspect(&mut self, setting: &Setting<'_>, token: &Token) -> (Vec<Question>, Option<u64>) {
        self.configure(setting);
        let file = self.operand(token);
        let output = self.command(&words(["inspect", &file, "--json"])).output().unwrap();
        let told: Json = serde_json::from_slice(&output.stdout).unwrap();
        (questions(&told["interruptions"]), told["wake_at"].as_u64())
    }

    fn replay(&mut self, setting: &Setting<'_>, token: &Token) -> Option<Seen<Token>> {
        self.configure(setting);
        let file = self.operand(token);
        self.drive(&words(["resume", &file, "--report", "--no-ask"]), &file).ok()
    }

    fn cancel(&mut self, setting: &Setting<'_>, token: &Token) -> Result<Seen<Token>, Failure> {
        self.configure(setting);
        let output = self.command(&words(["cancel", token])).output().unwrap();
        if !output.status.success() {
            return Err(refusal(&output.stderr));
        }
        let output = self.command(&words(["show", token, "--json"])).output().unwrap();
        Ok(cancelled(&serde_json::from_slice(&output.stdout).unwrap(), token))
    }

    fn emit(
        &mut self,
        setting: &Setting<'_>,
        token: &Token,
        (key, value): &(String, Json),
    ) -> Result<Seen<Token>, Failure> {
        self.configure(setting);
        let output = self.command(&words(["emit", token, key, &value.to_string()])).output().unwrap();
        if !output.status.success() {
            return Err(refusal(&output.stderr));
        }
        self.drive(&words(["resume", token, "--report", "--no-ask"]), "")
    }

    fn runs(&mut self) -> Option<usize> {
        let output = self.command(&words(["runs", "--json"])).output().unwrap();
        let runs: Vec<Json> = serde_json::from_slice(&output.stdout).unwrap();
        Some(runs.len())
    }

    fn at_once(
        &mut self,
        setting: &Setting<'_>,
        token: &Token,
        resumes: Vec<Vec<Answered>>,
    ) -> Vec<Result<Seen<Token>, Failure>> {
        self.configure(setting);
        let started: Vec<_> = resumes
            .iter()
            .map(|answers| {
                // Each has a copy of its own.
                let file = self.operand(token);
                let mut words = words(["resume", &file, "--report", "--no-ask"]);
                if self.keeps == Keeps::Files {
                    words.push("--claims=claims".to_owned());
                }
                words.extend(answers.iter().flat_map(options));
                let mut command = self.command(&words);
                command.stdout(Stdio::piped()).stderr(Stdio::piped());
                (file, command.spawn().unwrap())
            })
            .collect();
        let ended = started.into_iter().map(|(file, child)| (file, child.wait_with_output().unwrap()));
        ended.map(|(file, output)| self.told(&output, &file)).collect()
    }

    fn take_calls(&mut self) -> Vec<Made> {
        let memory = std::fs::read_to_string(self.folder.path().join("memory")).unwrap_or_default();
        let done: Vec<Json> = memory.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut new: Vec<&Json> = done[self.told..].iter().collect();
        new.sort_by_key(|done| done["request_index"].as_u64());
        self.told = done.len();
        let called = |done: &Json| Called::new(done["function"].as_str().unwrap(), done["argument"].clone());
        new.into_iter().map(|done| Made { call: called(done), instead_of: None }).collect()
    }
}

/// The options that answer.
fn options(answered: &Answered) -> Vec<String> {
    let id = &answered.id;
    match &answered.reply {
        Reply::Value(value) => vec![format!("--answer={id}={value}")],
        Reply::Approve => vec![format!("--approve={id}")],
        Reply::ApproveWith(argument) => vec![format!("--edit={id}={argument}")],
        Reply::Deny(reason) => vec![format!("--deny={id}"), format!("--reason={reason}")],
        Reply::Happened(value) => vec![format!("--happened={id}={value}")],
        Reply::DidNotHappen => vec![format!("--did-not-happen={id}")],
        Reply::HappenedError(_) => Vec::new(),
    }
}
