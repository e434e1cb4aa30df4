//! Who can have written a file.

/// Why a file may be somebody else's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suspect {
    /// It belongs to another user, who is not the superuser.
    OthersOwn,
    /// Others than its owner can write it.
    OthersWrite,
}

/// Whether others than this user and the superuser can have written what has this owner and mode.
pub(crate) fn suspect(owner: u32, mode: u32, me: u32) -> Option<Suspect> {
    match (owner, mode & 0o022) {
        (owner, _) if owner != me && owner != 0 => Some(Suspect::OthersOwn),
        (_, 0) => None,
        _ => Some(Suspect::OthersWrite),
    }
}

/// This user.
pub(crate) fn me() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_trusted_that_nobody_but_this_user_and_the_superuser_can_have_written() {
        for (owner, mode) in [(1000, 0o600), (1000, 0o644), (0, 0o644)] {
            assert_eq!(suspect(owner, mode, 1000), None, "{owner} {mode:o}");
        }
        for (owner, mode) in [(1000, 0o620), (1000, 0o602), (0, 0o666)] {
            assert_eq!(suspect(owner, mode, 1000), Some(Suspect::OthersWrite), "{owner} {mode:o}");
        }
        assert_eq!(suspect(1001, 0o600, 1000), Some(Suspect::OthersOwn));
    }
}
