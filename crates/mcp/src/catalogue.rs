//! Finding functions among hundreds: by words first, then by name with their types.

use bm25::{Document, Language, SearchEngine, SearchEngineBuilder};
use intermission::{Declared, HostFunction, HostFunctions, HostFunctionsError};
use serde::Serialize;
use serde_json::Value as Json;

/// What scripts are lent, to be looked through.
pub(crate) struct Catalogue {
    functions: HostFunctions,
    /// By their places among the functions.
    index: SearchEngine<u32>,
}

/// What was found.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Found {
    /// The best first.
    pub(crate) functions: Vec<Match>,
    /// How many more there are that fit.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) more: usize,
}

/// A function that was found.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Match {
    pub(crate) name: String,
    /// The beginning of its description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) does: String,
}

/// A group of functions.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) functions: usize,
}

/// Of one search, this many are shown.
const MOST_FOUND: usize = 12;
/// Of a description, so many characters.
const MOST_SHOWN: usize = 160;
/// Of one name, the types of this many.
const MOST_TYPES: usize = 60;

impl Catalogue {
    pub(crate) fn new(functions: HostFunctions) -> Self {
        let documents: Vec<_> = functions
            .iter()
            .zip(0..)
            .map(|(function, id)| Document { id, contents: words_of(function.declared()) })
            .collect();
        let index = SearchEngineBuilder::with_documents(Language::English, documents).build();
        Self { functions, index }
    }

    /// How many functions there are.
    pub(crate) fn len(&self) -> usize {
        self.functions.iter().len()
    }

    /// The groups, and what has none under an empty name, each with how many functions it has.
    pub(crate) fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for name in self.functions.names() {
            let group = name.split_once('.').map_or("", |(group, _)| group);
            match groups.iter_mut().find(|known| known.name == group) {
                Some(known) => known.functions += 1,
                None => groups.push(Group { name: group.to_owned(), functions: 1 }),
            }
        }
        groups
    }

    /// The functions that fit words, the best first. A name counts more than a description, and that more than names of properties; words are compared by their stems.
    pub(crate) fn search(&self, query: &str) -> Found {
        let found = self.index.search(&split(query), None);
        let mut ranked: Vec<(f32, u32)> =
            found.iter().map(|found| (found.score, found.document.id)).collect();
        ranked.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
        // A part of a word is no word: what has it in its name comes last.
        let part = query.trim().to_lowercase();
        if !part.is_empty() {
            for (name, id) in self.functions.names().zip(0..) {
                if name.to_lowercase().contains(&part) && !ranked.iter().any(|(_, known)| *known == id) {
                    ranked.push((0.0, id));
                }
            }
        }
        let functions =
            ranked.iter().take(MOST_FOUND).filter_map(|(_, id)| self.functions.iter().nth(*id as usize));
        let functions = functions.map(|function| of_function(function.declared())).collect();
        Found { functions, more: ranked.len().saturating_sub(MOST_FOUND) }
    }

    /// TypeScript declarations of a function, of all of a group, or of what a pattern with `*` matches.
    ///
    /// # Errors
    /// What there is instead, in words.
    pub(crate) fn types(&self, name: &str) -> Result<String, String> {
        let wanted = self.named(name);
        match wanted.len() {
            0 => Err(self.nothing_named(name)),
            1..=MOST_TYPES => types_of(wanted).map_err(|error| error.to_string()),
            many => Err(format!(
                "`{name}` names {many} functions, of which no more than {MOST_TYPES} are shown at once: search for what is needed, or ask for single ones"
            )),
        }
    }

    fn named(&self, name: &str) -> Vec<HostFunction> {
        let pattern = glob::Pattern::new(name).ok();
        let group = format!("{name}.");
        let is_meant = |function: &&HostFunction| {
            let own = function.name();
            own == name
                || own.starts_with(&group)
                || pattern.as_ref().is_some_and(|pattern| pattern.matches(own))
        };
        self.functions.iter().filter(is_meant).cloned().collect()
    }

    fn nothing_named(&self, name: &str) -> String {
        let near = self.search(&name.replace('.', " "));
        let near: Vec<_> = near.functions.iter().take(5).map(|found| format!("`{}`", found.name)).collect();
        match near.as_slice() {
            [] => format!("there is no function `{name}`: search for it by what it does"),
            near => format!("there is no function `{name}`; there is {}", near.join(", ")),
        }
    }
}

fn types_of(functions: Vec<HostFunction>) -> Result<String, HostFunctionsError> {
    Ok(HostFunctions::new(functions)?.types())
}

fn of_function(function: Declared<'_>) -> Match {
    let text = function.description.unwrap_or_default();
    let line = text.trim().lines().next().unwrap_or_default().trim();
    let does = match line.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    };
    Match { name: function.name.to_owned(), does }
}

/// The words that a function is found by. Whatever stands there more often counts more.
fn words_of(function: Declared<'_>) -> String {
    let name = split(function.name);
    let mut words = [name.as_str(); 4].join(" ");
    words.push(' ');
    words.push_str(&split(function.description.unwrap_or_default()));
    for schema in [function.input_schema, function.output_schema].into_iter().flatten() {
        let properties = schema.get("properties").and_then(Json::as_object);
        for (key, _) in properties.into_iter().flatten() {
            words.push(' ');
            words.push_str(&split(key));
        }
    }
    words
}

/// `readFile_now` as `read File now`: identifiers are words that somebody has joined.
fn split(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for character in text.chars() {
        if character.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        words.push(if matches!(character, '_' | '.' | '$' | '-' | '/') { ' ' } else { character });
        before = character;
    }
    words
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalogue").field("functions", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use intermission::Value;
    use serde_json::json;

    use super::*;

    fn function(name: &str, description: &str, properties: &[&str]) -> HostFunction {
        let properties: serde_json::Map<_, _> =
            properties.iter().map(|key| ((*key).to_owned(), json!({ "type": "string" }))).collect();
        HostFunction::sync(name.to_owned(), |_| Ok(Value::Null))
            .description(description)
            .input_schema(json!({ "type": "object", "properties": properties }))
    }

    fn catalogue() -> Catalogue {
        let filler = (0..300).map(|n| function(&format!("misc.tool{n}"), "Does one thing or another.", &[]));
        let own = [
            function("files.read_text", "The text of a file.\nIn UTF-8.", &["path"]),
            function("files.writeText", "Writes a file.", &["path", "text"]),
            function("mail.send", "Sends a letter to somebody.", &["to", "subject"]),
            function("mail.list", "Letters that have come.", &["folder"]),
            function("now", "", &[]),
        ];
        Catalogue::new(HostFunctions::new(own.into_iter().chain(filler)).unwrap())
    }

    fn names(query: &str) -> Vec<String> {
        catalogue().search(query).functions.into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn words_find_names_before_descriptions_and_those_before_properties() {
        assert_eq!(names("mail"), ["mail.list", "mail.send"]);
        assert_eq!(names("send a letter"), ["mail.send", "mail.list"]);
        assert_eq!(names("sending"), ["mail.send"]);
        assert_eq!(names("write text"), ["files.writeText", "files.read_text"]);
        assert_eq!(names("subject"), ["mail.send"]);
        assert_eq!(names("tool29").len(), 11);
        assert_eq!(names("zebra"), [""; 0]);
    }

    #[test]
    fn a_result_is_small_however_many_fit() {
        let found = catalogue().search("thing");
        assert_eq!((found.functions.len(), found.more), (12, 288));
        assert_eq!(
            found.functions[0],
            Match { name: "misc.tool0".to_owned(), does: "Does one thing or another.".to_owned() }
        );
        let long = Catalogue::new(HostFunctions::new([function("f", &"é".repeat(500), &[])]).unwrap());
        assert_eq!(long.search("f").functions[0].does, format!("{}…", "é".repeat(160)));
    }

    #[test]
    fn groups_are_in_the_order_of_the_functions() {
        let groups: Vec<_> =
            catalogue().groups().into_iter().map(|group| (group.name, group.functions)).collect();
        let expected = [("files", 2), ("mail", 2), ("", 1), ("misc", 300)];
        assert_eq!(groups, expected.map(|(name, functions)| (name.to_owned(), functions)));
    }

    #[test]
    fn types_are_of_a_function_a_group_or_a_pattern() {
        let types = |name: &str| catalogue().types(name);
        let count = |name: &str| types(name).unwrap().matches("function ").count();
        // With `waitFor`, which every script has.
        assert_eq!((count("mail.send"), count("mail"), count("files.*"), count("now")), (2, 3, 3, 2));
        assert!(types("mail.send").unwrap().contains("to?: string"));
        assert_eq!(
            types("mail.sent").unwrap_err(),
            "there is no function `mail.sent`; there is `mail.list`, `mail.send`"
        );
        assert_eq!(
            types("*").unwrap_err(),
            "`*` names 305 functions, of which no more than 60 are shown at once: search for what is needed, or ask for single ones"
        );
        assert_eq!(
            types("zebra").unwrap_err(),
            "there is no function `zebra`: search for it by what it does"
        );
    }
}
