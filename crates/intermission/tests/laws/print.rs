//! A program's text.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::program::{Blocking, Function, Job, Step};

/// How a program is written down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Whether it may observe in which order things happen, and when.
    pub(crate) ordered: bool,
    /// What each call carries: a text with another one does what it did not do before.
    pub(crate) salt: &'static str,
}

/// What is said on the console when a race has a winner.
pub(crate) const RACE_SAID: &str = "race won";

/// The texts of the modules; one is missing.
pub(crate) fn modules() -> BTreeMap<String, String> {
    let texts = [
        "export default 'm0';",
        "import m0 from './m0.js'; console.log(Date.now()); export default m0 + 1;",
        "export default await t.pure({ k: 90, i: 0, to: 'm' });",
    ];
    texts.iter().enumerate().map(|(n, text)| (format!("m{n}.js"), (*text).to_owned())).collect()
}

pub(crate) fn text(program: &[Step], style: Style) -> String {
    let mut printer = Printer { text: String::new(), style, sites: 0, names: 0, held: Vec::new() };
    let Style { salt, .. } = style;
    printer.line(format_args!("const to = '{salt}', i = 0;"));
    printer.line(format_args!("const won = (race) => race.finally(() => console.log('{RACE_SAID}'));"));
    printer.body(program);
    printer.text
}

struct Printer {
    text: String,
    style: Style,
    /// Calls so far: each carries its number.
    sites: u32,
    names: u32,
    /// What was set going in each block around, and not waited for.
    held: Vec<Vec<String>>,
}

impl Printer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{line}");
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A function's body: what it kept is its value.
    fn body(&mut self, steps: &[Step]) {
        self.put("const out = [];\n");
        self.steps(steps);
        self.put("return out;\n");
    }

    fn steps(&mut self, steps: &[Step]) {
        self.held.push(Vec::new());
        for step in steps {
            self.step(step);
        }
        self.held.pop();
    }

    fn braced(&mut self, steps: &[Step]) {
        self.put("{\n");
        self.steps(steps);
        self.put("}\n");
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Await(job) => {
                self.put("out.push(await ");
                self.job(job);
                self.put(");\n");
            }
            Step::Hold(job) => {
                let name = self.name("h");
                let _ = write!(self.text, "const {name} = ");
                self.job(job);
                self.line(format_args!(";\n{name}.catch(() => {{}});"));
                self.held.last_mut().unwrap().push(name);
            }
            Step::Release => {
                if let Some(name) = self.held.iter_mut().rev().find_map(Vec::pop) {
                    self.line(format_args!("out.push(await {name});"));
                }
            }
            Step::Try { body, catch, finally } => {
                self.put("try ");
                self.braced(body);
                self.put("catch (e) {\nout.push(e.message);\n");
                self.steps(catch);
                let name = self.name("finally ");
                self.line(format_args!("}} finally {{\nconsole.log('{name}');"));
                self.steps(finally);
                self.put("}\n");
            }
            Step::Loop { times, body } => {
                let _ = write!(self.text, "for (let i = 0; i < {times}; i++) ");
                self.braced(body);
            }
            Step::ForAwait { jobs, leave } => {
                self.put("for await (const v of (async function* () {\ntry {\n");
                self.yields(jobs);
                self.put("} finally { console.log('generated'); }\n})()) {\nout.push(v);\n");
                self.put(if *leave { "if (out.length % 2) break;\n}\n" } else { "}\n" });
            }
            Step::Generator(jobs) => self.generator(jobs),
            Step::Timer { .. } | Step::Interval { .. } | Step::Clock | Step::Random
                if !self.style.ordered => {}
            Step::Timer { delay, then, clear } => self.timer(*delay, *then, *clear),
            Step::Interval { delay, ticks } => {
                let name = self.name("t");
                self.line(format_args!(
                    "let n{name} = 0; const {name} = setInterval(() => {{ console.log('{name}', n{name}); if (++n{name} === {ticks}) clearInterval({name}); }}, {delay});"
                ));
            }
            Step::Block(function) => self.blocking(*function),
            Step::Import(module) => {
                self.line(format_args!("out.push((await import('./m{module}.js')).default);"));
            }
            Step::Clock => self.put("out.push(Date.now(), performance.now()); console.log(Date.now());\n"),
            Step::Random => self.put("out.push(Math.random());\n"),
            Step::Data => self.put("data.n += 1; console.log(data.n);\n"),
            Step::Say => self.put("console.warn('said', out.length);\n"),
            Step::Throw => {
                let name = self.name("thrown ");
                self.line(format_args!("if (out.length > 2) throw new RangeError('{name}');"));
            }
        }
    }

    fn timer(&mut self, delay: u16, then: Option<Function>, clear: bool) {
        let name = self.name("t");
        let _ = write!(self.text, "const {name} = setTimeout(() => ");
        match then {
            Some(function) => {
                self.call(function);
                self.put(".then((v) => console.log(v), (e) => console.log(e.message))");
            }
            None => self.put("console.log('due')"),
        }
        self.line(format_args!(", {delay});"));
        if clear {
            self.line(format_args!("if (out.length % 2) clearTimeout({name});"));
        }
    }

    fn generator(&mut self, jobs: &[Job]) {
        let name = self.name("g");
        self.line(format_args!("const {name} = (function* () {{\nconst got = [];\ntry {{"));
        for job in jobs {
            self.put("got.push(yield ");
            self.job(job);
            self.put(");\n");
        }
        self.put(
            "} catch (e) { got.push(e.message); } finally { console.log('driven'); }\nreturn got;\n})();\n",
        );
        self.line(format_args!(
            "let r{name} = {name}.next();\nwhile (!r{name}.done) {{\nlet v, failed = false;\ntry {{ v = await r{name}.value; }} catch (e) {{ v = e; failed = true; }}\n\
             r{name} = failed ? {name}.throw(v) : {name}.next(v);\n}}\nout.push(r{name}.value);"
        ));
    }

    fn yields(&mut self, jobs: &[Job]) {
        for job in jobs {
            self.put("yield ");
            self.job(job);
            self.put(";\n");
        }
    }

    fn blocking(&mut self, function: Blocking) {
        let name = match function {
            Blocking::Peek => "peek",
            Blocking::Stamp => "stamp",
        };
        self.sites += 1;
        let site = self.sites;
        self.line(format_args!("out.push(t.{name}({{ k: {site}, i, to }}));"));
    }

    fn call(&mut self, function: Function) {
        let name = match function {
            Function::Pure => "pure",
            Function::Idem => "idem",
            Function::Once => "once",
            Function::Ask => "ask",
            Function::AskOnce => "askOnce",
            Function::Mail => "mail",
            Function::Wire => "wire",
        };
        self.sites += 1;
        let site = self.sites;
        let _ = write!(self.text, "t.{name}({{ k: {site}, i, to }})");
    }

    fn job(&mut self, job: &Job) {
        match job {
            Job::Call(function) => self.call(*function),
            Job::Sleep(delay) => {
                let name = self.name("slept ");
                let _ = write!(self.text, "sleep({delay}, '{name}')");
            }
            Job::Settled(jobs) => self.combined("Promise.allSettled", jobs),
            Job::All(jobs) | Job::Race(jobs) | Job::Any(jobs) if !self.style.ordered => {
                self.combined("Promise.allSettled", jobs);
            }
            Job::All(jobs) => self.combined("Promise.all", jobs),
            Job::Race(jobs) => self.won("Promise.race", jobs),
            Job::Any(jobs) => self.won("Promise.any", jobs),
            Job::Then(one, other) => {
                self.job(one);
                self.put(".then((v) => ");
                self.job(other);
                self.put(".then((w) => [v, w]))");
            }
            Job::Catch(job) => {
                self.job(job);
                self.put(".catch((e) => e.message)");
            }
            Job::Finally(job) => {
                let name = self.name("settled ");
                self.job(job);
                let _ = write!(self.text, ".finally(() => console.log('{name}'))");
            }
            Job::Block(steps) => {
                self.put("(async () => {\n");
                // What is held outside is not this function's to wait for.
                let outside = std::mem::take(&mut self.held);
                self.body(steps);
                self.held = outside;
                self.put("})()");
            }
        }
    }

    fn won(&mut self, how: &str, jobs: &[Job]) {
        self.put("won(");
        self.combined(how, jobs);
        self.put(")");
    }

    fn combined(&mut self, how: &str, jobs: &[Job]) {
        self.put(how);
        self.put("([");
        for job in jobs {
            self.job(job);
            self.put(", ");
        }
        self.put("])");
    }
}
