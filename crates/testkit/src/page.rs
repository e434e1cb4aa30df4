//! From the text of a page to its cases.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::value::RawValue;

use crate::case::{Case, Language, Need, Source};
use crate::host::{self, Function};
use crate::page_error::PageError;
use crate::sections::{Block, Section, sections};
use crate::step::Step;

/// A page of the corpus: a subject, and the cases that try it.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its file's name, without `.md`.
    pub name: String,
    /// Its subject.
    pub title: String,
    /// One or more.
    pub cases: Vec<Case>,
}

/// All pages of a folder, by their names.
///
/// # Errors
/// [`PageError`] for the first page that is not in order.
pub fn read_folder(folder: &Path) -> Result<Vec<Page>, PageError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| PageError::File { path, error }
    };
    let entries = std::fs::read_dir(folder).map_err(failed(folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).map_err(failed(path))?;
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            Page::read(&file, &text)
        })
        .collect()
}

impl Page {
    /// Reads a page.
    ///
    /// ```
    /// use intermission_testkit::Page;
    ///
    /// let text = "# One\n\nOne is one.\n\n## Alone\n\n```js\nreturn 1\n```\n\n```json steps\n[{ \"do\": \"run\", \"value\": 1 }]\n```\n";
    /// let page = Page::read("one.md", text)?;
    /// assert_eq!(page.cases[0].name, "one: alone");
    ///
    /// let error = Page::read("one.md", &text.replace("value", "valeu")).unwrap_err();
    /// assert!(error.to_string().starts_with("one.md:12: unknown field `valeu`"));
    /// # Ok::<(), intermission_testkit::PageError>(())
    /// ```
    ///
    /// # Errors
    /// [`PageError`], with the line.
    pub fn read(file: &str, text: &str) -> Result<Self, PageError> {
        let reader = Reader { file, name: file.strip_suffix(".md").unwrap_or(file) };
        reader.page(text).map_err(|(line, why)| PageError::Malformed { file: file.to_owned(), line, why })
    }
}

/// A line, and what is wrong there.
type Wrong = (usize, String);

struct Reader<'f> {
    file: &'f str,
    name: &'f str,
}

/// What blocks say.
#[derive(Clone, Default)]
struct Said {
    source: Option<Source>,
    others: BTreeMap<String, Source>,
    modules: BTreeMap<String, String>,
    host: BTreeMap<String, Option<Function>>,
    steps: Option<Vec<Step>>,
}

impl Reader<'_> {
    fn page(&self, text: &str) -> Result<Page, Wrong> {
        let sections = sections(text).map_err(|(line, why)| (line, why.to_owned()))?;
        let Some((first, rest)) = sections.split_first() else {
            return Err((1, "the page is empty".to_owned()));
        };
        if first.level != 1 {
            return Err((first.line, "a page begins with its title: `# Title`".to_owned()));
        }
        if first.known.is_some() {
            return Err((first.line, "`known:` is said of a case".to_owned()));
        }
        if !first.has_prose {
            return Err((first.line, "a page says what went wrong, and what is right".to_owned()));
        }
        let shared = first.said(Said::default())?;
        if shared.steps.is_some() {
            return Err((first.line, "steps belong to a case: `## Title`".to_owned()));
        }
        let cases: Vec<Case> =
            rest.iter().map(|section| self.case(first, &shared, section)).collect::<Result<_, _>>()?;
        let mut names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        names.sort_unstable();
        if let Some([twice, ..]) = names.windows(2).find(|two| two[0] == two[1]) {
            return Err((first.line, format!("two cases are called `{twice}`")));
        }
        if cases.is_empty() {
            return Err((first.line, "a page has one case or more: `## Title`".to_owned()));
        }
        Ok(Page { name: self.name.to_owned(), title: first.title.to_owned(), cases })
    }

    fn case(&self, page: &Section<'_>, shared: &Said, section: &Section<'_>) -> Result<Case, Wrong> {
        if section.level != 2 {
            return Err((section.line, "a case has a heading of the second level: `## Title`".to_owned()));
        }
        let said = section.said(Said { source: None, ..shared.clone() })?;
        let mut needs = Vec::new();
        for (line, need) in page.needs.iter().chain(&section.needs) {
            needs.push(Need::said(need).ok_or_else(|| {
                (*line, format!("unknown need `{need}`: there are `durable`, `quorum` and `errors`; others follow from the steps"))
            })?);
        }
        let steps = said.steps.unwrap_or_default();
        if steps.is_empty() && !needs.iter().any(|need| need.is_of_the_future()) {
            return Err((section.line, "a case has a block `json steps`".to_owned()));
        }
        needs.extend(steps.iter().flat_map(Step::needs));
        let source = said.source.or_else(|| shared.source.clone());
        let source =
            source.ok_or_else(|| (section.line, "a case has a script: a block `js` or `ts`".to_owned()))?;
        check_names(&steps, &said.others)?;
        let mut host = host::usual();
        change(&mut host, &said.host);
        if host.values().any(|function| function.policy.is_some()) {
            needs.push(Need::Policy);
        }
        needs.sort_unstable();
        needs.dedup();
        let title = section.title.to_lowercase().replace(' ', "-");
        Ok(Case {
            name: format!("{}: {title}", self.name),
            place: (self.file.to_owned(), section.line),
            needs,
            known: section.known.map(str::to_owned),
            source,
            others: said.others,
            modules: said.modules,
            host,
            steps,
        })
    }
}

impl Section<'_> {
    /// What its blocks say, over what was said before.
    fn said(&self, mut said: Said) -> Result<Said, Wrong> {
        for block in &self.blocks {
            block.add_to(&mut said)?;
        }
        Ok(said)
    }
}

impl Block<'_> {
    fn add_to(&self, said: &mut Said) -> Result<(), Wrong> {
        let words: Vec<&str> = self.info.split_whitespace().collect();
        match words.as_slice() {
            [language @ ("js" | "ts")] => {
                if said.source.replace(self.source(language)).is_some() {
                    return Err((self.line, "the script is there twice: name the other one".to_owned()));
                }
            }
            [language @ ("js" | "ts"), "module", name] => {
                drop(said.modules.insert((*name).to_owned(), self.source(language).text));
            }
            [language @ ("js" | "ts"), name] => {
                drop(said.others.insert((*name).to_owned(), self.source(language)));
            }
            ["json", "host"] => said.host.extend(self.host()?),
            ["json", "steps"] => said.steps = Some(self.steps()?),
            _ => {
                return Err((
                    self.line,
                    format!(
                        "unknown block `{}`: there are `js`, `ts`, each also with a name or `module NAME`, `json host` and `json steps`",
                        self.info
                    ),
                ));
            }
        }
        Ok(())
    }

    fn source(&self, language: &str) -> Source {
        let language = if language == "ts" { Language::Ts } else { Language::Js };
        Source { language, text: self.text.trim_end_matches('\n').to_owned() }
    }

    fn host(&self) -> Result<BTreeMap<String, Option<Function>>, Wrong> {
        serde_json::from_str(self.text).map_err(|error| self.wrong(0, &error))
    }

    fn steps(&self) -> Result<Vec<Step>, Wrong> {
        let written: Vec<&RawValue> =
            serde_json::from_str(self.text).map_err(|error| self.wrong(0, &error))?;
        let read = |raw: &&RawValue| {
            let start = raw.get().as_ptr().addr() - self.text.as_ptr().addr();
            let lines = self.text[..start].matches('\n').count();
            let mut step: Step =
                serde_json::from_str(raw.get()).map_err(|error| self.wrong(lines, &error))?;
            step.line = self.line + 1 + lines;
            match step.problem() {
                Some(problem) => Err((step.line, problem.to_owned())),
                None => Ok(step),
            }
        };
        written.iter().map(read).collect()
    }

    /// `error` happened so many lines behind the first of this block.
    fn wrong(&self, lines: usize, error: &serde_json::Error) -> Wrong {
        let message = error.to_string();
        let why = message.split(" at line ").next().unwrap_or_default();
        // What ends too early is found at the start of the next line.
        let line = error.line().saturating_sub(usize::from(error.column() == 0)).max(1);
        (self.line + lines + line, why.to_owned())
    }
}

/// Makes some functions other, and takes some away.
pub(crate) fn change(host: &mut host::Host, changes: &BTreeMap<String, Option<Function>>) {
    for (name, function) in changes {
        match function {
            Some(function) => drop(host.insert(name.clone(), function.clone())),
            None => drop(host.remove(name)),
        }
    }
}

/// What steps name must be there.
fn check_names(steps: &[Step], others: &BTreeMap<String, Source>) -> Result<(), Wrong> {
    for (index, step) in steps.iter().enumerate() {
        if let Some(name) = step.source.as_ref().filter(|name| !others.contains_key(*name)) {
            return Err((step.line, format!("there is no block `js {name}`")));
        }
        if step.from.is_some_and(|from| from == 0 || from > index) {
            return Err((step.line, format!("`from` is a step before this one: 1 to {index}")));
        }
    }
    Ok(())
}
