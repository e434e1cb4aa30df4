//! "Did you mean": the nearest of the names that there are.

/// The one that was probably meant: at most every third letter is different.
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let distance = |known: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase());
    let (distance, nearest) =
        names.into_iter().map(|known| (distance(known), known)).min_by_key(|(distance, _)| *distance)?;
    let allowed = name.chars().count().max(nearest.chars().count()).div_ceil(3);
    (distance <= allowed).then_some(nearest)
}

/// What to do about a name that there is not: the one that was probably meant, or all that there are.
pub fn hint<'n>(name: &str, names: impl IntoIterator<Item = &'n str> + Clone) -> String {
    nearest(name, names.clone()).map_or_else(|| there_are(names), did_you_mean)
}

/// The one that was probably meant.
pub fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// All that there are, or the first of many.
pub fn there_are<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const MOST: usize = 20;
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => "there are none".to_owned(),
        1..=MOST => format!("there are: {}", names.join(", ")),
        all => format!("there are: {} and {} more", names[..MOST].join(", "), all - MOST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_seen_through() {
        assert_eq!(nearest("fiels.read", ["files.list", "files.read"]), Some("files.read"));
        assert_eq!(nearest("INPUT_schema", ["description", "input_schema"]), Some("input_schema"));
    }

    #[test]
    fn what_is_like_nothing_gets_the_whole_list() {
        assert_eq!(hint("xyz", ["files.list", "files.read"]), "there are: `files.list`, `files.read`");
        assert_eq!(hint("xyz", []), "there are none");
        assert_eq!(there_are(["a"; 22]), format!("there are: {}`a` and 2 more", "`a`, ".repeat(19)));
    }
}
