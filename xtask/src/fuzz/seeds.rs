//! What fuzzing begins with: the vectors, tokens and ledgers of conformance, the scripts of examples, and nests.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::error::Error;
use crate::repository::Repository;

pub(super) type Seed = Vec<u8>;

const VECTORS: &str = "conformance/vectors/values.jsonl";
const TOKENS: &str = "conformance/tokens/v1/tokens.jsonl";

const LEDGERS: &str = "conformance/tokens/v1/ledgers";

/// Writes the seeds among what earlier runs have found.
pub(super) fn plant(corpus: &Path, seeds: &[Seed]) -> Result<(), Error> {
    std::fs::create_dir_all(corpus).map_err(Error::at(corpus))?;
    for (index, seed) in seeds.iter().enumerate() {
        let path = corpus.join(format!("seed-{index}"));
        std::fs::write(&path, seed).map_err(Error::at(&path))?;
    }
    Ok(())
}

/// The byte form of each vector, good or bad.
pub(super) fn values(repository: &Repository) -> Result<Vec<Seed>, Error> {
    Ok(vectors(repository)?.lines().filter_map(bytes).collect())
}

/// The same, and the vectors' own JSON.
pub(super) fn values_and_json(repository: &Repository) -> Result<Vec<Seed>, Error> {
    let vectors = vectors(repository)?;
    let texts = vectors.lines().step_by(16).map(|line| line.as_bytes().to_vec());
    Ok(vectors.lines().filter_map(bytes).chain(texts).collect())
}

/// The same as outcomes of calls: the first byte says of which kind.
pub(super) fn outcomes(repository: &Repository) -> Result<Vec<Seed>, Error> {
    let ways = (0..4).cycle();
    Ok(values(repository)?.into_iter().zip(ways).map(|(value, way)| [vec![way], value].concat()).collect())
}

/// The texts of the museum's tokens, good or bad.
pub(super) fn tokens(repository: &Repository) -> Result<Vec<Seed>, Error> {
    let text =
        |line: &str| Some(serde_json::from_str::<Json>(line).ok()?["token"].as_str()?.as_bytes().to_vec());
    Ok(repository.read(&PathBuf::from(TOKENS))?.lines().filter_map(text).collect())
}

/// The byte forms of the museum's ledgers, good or bad.
pub(super) fn ledgers(repository: &Repository) -> Result<Vec<Seed>, Error> {
    pieces(repository, |piece| bytes(&piece.to_string()))
}

/// Their open forms, as texts.
pub(super) fn open_ledgers(repository: &Repository) -> Result<Vec<Seed>, Error> {
    pieces(repository, |piece| Some(piece.get("open")?.to_string().into_bytes()))
}

/// The scripts of the examples as they are (first byte 0), and nests of three sizes.
pub(super) fn sources(repository: &Repository) -> Result<Vec<Seed>, Error> {
    let mut seeds = Vec::new();
    for file in repository.files("examples", &[".js", ".ts", ".md"])? {
        seeds.push([b"\0", repository.read(&file)?.as_bytes()].concat());
    }
    for (open, middle, close) in NESTS {
        let parts = [*open, *middle, *close].join("\0");
        // The upper six bits of the first byte are the size: the greatest, an eighth of it, a kilobyte.
        seeds.extend([63, 60, 1].map(|size| [&[size << 2], parts.as_bytes()].concat()));
    }
    Ok(seeds)
}

/// What nests, or merely goes on: its opening, its middle, its closing.
const NESTS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("{", "", "}"),
    ("({a:", "1", "})"),
    ("(a=", "1", ")"),
    ("({a=", "1", "})"),
    ("[...", "a", "]"),
    ("`${", "1", "}`"),
    ("f(", "", ")"),
    ("new ", "A", ""),
    ("- ", "1", ""),
    ("await ", "1", ""),
    ("a?", "1", ":1"),
    ("a=>", "1", ""),
    ("async()=>", "1", ""),
    ("(a)=>{", "", "}"),
    ("if(1)", "1", ""),
    ("for(;;)", "1", ""),
    ("a:", "1", ""),
    ("try{", "", "}catch{}"),
    ("function f(){", "", "}"),
    ("class A{m(){", "", "}}"),
    ("class A extends ", "B", "{}"),
    ("@", "a class A{}", ""),
    ("let {a:", "b", "}=1"),
    ("a.", "a", ""),
    ("a,", "a", ""),
    ("'a'+", "'a'", ""),
    ("a\n", "", ""),
    ("/a/;", "", ""),
    ("f<", "x", ">"),
    ("<T>", "x", ""),
    ("x as ", "A", ""),
    ("x!", "", ""),
    ("type A = [", "1", "]"),
    ("let a: (", "A", ")"),
    ("let a: A<", "B", ">"),
    ("A extends B ? ", "C", " : D"),
    ("namespace A{", "", "}"),
    ("enum A{a=", "1", "}"),
    ("abstract class A{constructor(private a){", "", "}}"),
    ("import('", "a", "')"),
    ("export {a} from 'a';", "", ""),
    ("```js\n", "1", "\n```\n"),
    ("<!-- ", "a", "\n"),
];

fn pieces(repository: &Repository, seed: impl Fn(&Json) -> Option<Seed>) -> Result<Vec<Seed>, Error> {
    let mut seeds = Vec::new();
    for file in repository.files(LEDGERS, &[".json"])? {
        let piece = serde_json::from_str(&repository.read(&file)?).unwrap_or_default();
        seeds.extend(seed(&piece));
    }
    Ok(seeds)
}

fn vectors(repository: &Repository) -> Result<String, Error> {
    repository.read(&PathBuf::from(VECTORS))
}

/// `bytes` of a vector, which is hexadecimal.
fn bytes(vector: &str) -> Option<Seed> {
    let vector: Json = serde_json::from_str(vector).ok()?;
    let digits = vector["bytes"].as_str()?;
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::tests::repository_of;

    #[test]
    fn vectors_are_seeds_by_their_bytes() {
        let vectors = "{\"name\":\"null\",\"bytes\":\"f6\"}\n{\"name\":\"a\",\"bytes\":\"6161\"}\n";
        let (_folder, repository) = repository_of(&[(VECTORS, vectors)]);
        assert_eq!(values(&repository).unwrap(), [&b"\xf6"[..], b"aa"]);
        assert_eq!(outcomes(&repository).unwrap(), [&b"\0\xf6"[..], b"\x01aa"]);
        assert_eq!(values_and_json(&repository).unwrap()[2], b"{\"name\":\"null\",\"bytes\":\"f6\"}");
    }

    #[test]
    fn tokens_are_seeds_by_their_text() {
        let tokens = "{\"name\":\"a\",\"token\":\"imt1_a\"}\n{\"name\":\"b\",\"token\":\"\"}\n";
        let (_folder, repository) = repository_of(&[(TOKENS, tokens)]);
        assert_eq!(super::tokens(&repository).unwrap(), [&b"imt1_a"[..], b""]);
    }

    #[test]
    fn ledgers_are_seeds_in_both_forms() {
        let piece = r#"{"verdict":"resumes","open":[{"entry":"closed"}],"bytes":"01811a"}"#;
        let (_folder, repository) = repository_of(&[("conformance/tokens/v1/ledgers/a.json", piece)]);
        assert_eq!(ledgers(&repository).unwrap(), [b"\x01\x81\x1a"]);
        assert_eq!(open_ledgers(&repository).unwrap(), [br#"[{"entry":"closed"}]"#]);
    }

    #[test]
    fn scripts_are_seeds_as_they_are_and_nests_in_three_sizes() {
        let (_folder, repository) = repository_of(&[("examples/a/b.ts", "f()"), ("examples/a/c.csv", "1")]);
        let seeds = sources(&repository).unwrap();
        assert_eq!(seeds.len(), 1 + 3 * NESTS.len());
        assert_eq!(seeds[0], b"\0f()");
        assert_eq!(seeds[1], b"\xfc(\x001\0)");
    }

    #[test]
    fn seeds_are_files_of_the_corpus() {
        let folder = tempfile::tempdir().unwrap();
        let corpus = folder.path().join("corpus/t");
        plant(&corpus, &[b"a".to_vec(), b"b".to_vec()]).unwrap();
        assert_eq!(std::fs::read(corpus.join("seed-1")).unwrap(), b"b");
    }
}
