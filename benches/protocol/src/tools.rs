//! What the host functions of all peers give.

use std::fmt::Write;

/// What `tools.row` gives: some 100 bytes as JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number.
    pub id: u32,
    /// `user-<id>`.
    pub name: String,
    /// `user<id>@example.com`.
    pub email: String,
    /// Whether the number is even.
    pub active: bool,
    /// A seventh of the number.
    pub score: f64,
    /// Springfield.
    pub city: &'static str,
}

/// Row number `id`.
pub fn row(id: u32) -> Row {
    Row {
        id,
        name: format!("user-{id}"),
        email: format!("user{id}@example.com"),
        active: id.is_multiple_of(2),
        score: f64::from(id) / 7.0,
        city: "Springfield",
    }
}

/// What `tools.blob` gives: 4,096 hexadecimal digits that do not compress to nothing, the same ones for the same seed (Knuth's linear congruential generator of
/// MMIX).
pub fn blob(seed: u32) -> String {
    let next =
        |state: u64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let mut state = next(seed.into());
    let mut digits = String::with_capacity(4096);
    while digits.len() < 4096 {
        state = next(state);
        write!(digits, "{state:016x}").expect("a string takes everything");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blob_is_4096_digits_and_depends_on_its_seed_alone() {
        let first = blob(0);
        assert_eq!(first.len(), 4096);
        assert_eq!(&first[..16], "1a08ee1184ba6d32");
        assert_eq!(first, blob(0));
        assert_ne!(first, blob(1));
    }
}
